import { type FormProblem, sentence } from '../../shared/forms/form-problems.ts'
import { type Refusal, refusalOf } from '../../shared/forms/refusal.ts'
import type { Secret } from '../../shared/page/message-view.ts'
import { ENDPOINT_FIELD } from './endpoint-form.ts'

const CHANGED_MEANWHILE =
  'The endpoint has changed since you opened this page. Compare what is saved now with your entries, then send the form again.'

/**
 * Why an endpoint was not made or changed.
 *
 * @throws the error itself, when it is not about the form
 */
export function endpointRefusal(error: unknown): Refusal {
  const codes = ['unprocessable', 'conflict', 'precondition_failed'] as const
  return refusalOf(error, codes, ({ code, message, options }): FormProblem[] => {
    if (code === 'precondition_failed') return [{ field: undefined, text: CHANGED_MEANWHILE }]
    const { errors = [] } = options
    if (errors.length === 0) return [{ field: undefined, text: message }]
    return errors.map(({ pointer, detail }) =>
      pointer === '/url'
        ? { field: ENDPOINT_FIELD.url, text: sentence(`The URL ${detail}`) }
        : { field: ENDPOINT_FIELD.headerName(1), text: sentence(`The request headers ${detail}`) },
    )
  })
}

/** How a new secret is shown. */
export function newSecretShown(title: string, secret: string): Secret {
  return {
    title,
    facts: { Secret: secret },
    what: 'secret',
    use: {
      text: 'Requests are signed as Standard Webhooks describes. With its library for Node.js, your program checks them so:',
      code: 'new Webhook(secret).verify(body, headers)',
    },
  }
}

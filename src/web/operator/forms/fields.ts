import { ERROR_CODES, type ErrorCode } from '../../../errors.ts'
import { fieldProblemText, sentence } from '../../shared/forms/form-problems.ts'
import { type Refusal, refusalOf } from '../../shared/forms/refusal.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField } from '../../shared/page/html-page.ts'

type Form = {
  action: string
  csrfToken: string
  button: string
  kind?: 'primary' | 'danger' | ''
  cancel?: string
}

/** A form that changes something. */
export function changeForm(form: Form, content: Html | false = false): Html {
  const { action, csrfToken, button, kind = 'primary', cancel } = form
  return html`<form class="stack" method="post" action="${action}">
${csrfField(csrfToken)}
${content}<p class="actions">
<button class="button ${kind}" type="submit">${button}</button>${
    cancel !== undefined && html` <a class="button" href="${cancel}">Cancel</a>`
  }
</p></form>`
}

/** The label begins what is said of a control; without one that is a sentence by itself. */
type Control = readonly [field: string, label?: string]

/** What the services call a part of an input -> its control in the console's forms, and label. */
const CONTROLS: ReadonlyMap<string, Control> = new Map<string, Control>([
  ['name', ['name', 'Name']],
  ['type', ['type', 'Type']],
  ['operator', ['operator']],
  ['support', ['support']],
  ['email', ['email', 'Email']],
  ['password', ['password', 'Password']],
  ['clientId', ['clientId', 'Client ID']],
  ['developerId', ['developer', 'Developer']],
  ['role', ['role', 'Role']],
  ['reason', ['reason', 'Reason']],
  ['again', ['again', 'Name']],
  ['userId', ['user', 'User']],
  ...['party', 'partyId', 'partyIds', 'buyerId', 'sellerId'].map(
    (name): [string, [string, string]] => [name, ['party', 'Account']],
  ),
])

/** The errors that are about what was asked for. */
export const INPUT_REFUSALS = Object.entries(ERROR_CODES).flatMap(([code, { status }]) =>
  status === 409 || status === 422 ? [code as ErrorCode] : [],
)

/**
 * What a service found wrong with a form, at its controls.
 *
 * @throws the error itself, when it is not about the form
 */
export function inputRefusal(error: unknown): Refusal {
  return refusalOf(error, INPUT_REFUSALS, ({ message, options: { errors = [] } }) => {
    if (errors.length === 0) return [{ field: undefined, text: sentence(message) }]
    return errors.map(({ pointer, detail, choices }) => {
      const [field, label] = CONTROLS.get(pointer.split('/')[1] ?? '') ?? []
      return {
        field,
        text: label === undefined ? sentence(detail) : fieldProblemText(label, detail),
        ...(choices && { choices }),
      }
    })
  })
}

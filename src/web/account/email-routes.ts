import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { sendPage } from '../../http/send-page.ts'
import { passwordsOff } from '../../identity/auth/passwords-off.ts'
import { sendsMail } from '../../identity/people/deliver-link-service.ts'
import { requestEmailChange } from '../../identity/people/email-changes-service.ts'
import { readPendingEmailChange } from '../../identity/people/pending-email-change-service.ts'
import { providerOfUser } from '../../identity/single-sign-on/identity-service.ts'
import { readAttempt, redirectDone, refuse } from '../page-requests/kept-forms.ts'
import { takeNotice } from '../page-requests/notices.ts'
import { visitorOf, visitorShell } from '../page-requests/visitor.ts'
import { fieldProblemText } from '../shared/forms/form-problems.ts'
import { refusalOf } from '../shared/forms/refusal.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { emailPage } from './email-page.ts'

const SENT = 'Mails with links are on their way. The email changes when you have confirmed both.'

/** The change of the visitor's own email. */
export async function emailRoutes(app: App) {
  const { passwordLogin } = app.deps.config

  app.get('/Account/Email', { schema: { hide: true } }, async (request, reply) => {
    const { problems = [], typed } = readAttempt(request, reply) ?? {}
    const { id, signInName: email } = visitorOf(request)
    return sendPage(
      reply,
      emailPage({
        ...visitorShell(request, reply),
        isOffered: passwordLogin && sendsMail(app.deps),
        provider: await providerOfUser(app.deps, id),
        pending: await readPendingEmailChange(app.deps, { id, email }),
        typed: typed?.get('email') ?? '',
        problems,
        message: takeNotice(request, reply)?.text,
      }),
    )
  })

  app.post(
    '/Account/Email',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      config: { actsOnce: true },
      schema: { hide: true, body: Fields },
    },
    async (request, reply) => {
      if (!passwordLogin) throw passwordsOff()
      const email = request.body.get('email') ?? ''
      const password = request.body.get('currentPassword') ?? ''
      try {
        await requestEmailChange(
          app.deps,
          visitorOf(request).id,
          { email, password },
          clientAddress(request),
        )
      } catch (error) {
        const refusal = refusalOf(
          error,
          ['unprocessable', 'conflict', 'too_many_requests'],
          ({ message, options: { errors } }) =>
            errors?.map(({ pointer, detail }) =>
              pointer === '/email'
                ? { field: 'email', text: fieldProblemText('Email', detail) }
                : { field: 'currentPassword', text: 'Wrong password.' },
            ) ?? [{ field: undefined, text: message }],
        )
        return refuse(request, reply, refusal)
      }
      return redirectDone(request, reply, '/Account/Email', SENT)
    },
  )
}

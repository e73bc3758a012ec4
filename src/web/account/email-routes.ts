import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { passwordsOff } from '../../identity/auth/passwords-off.ts'
import { lifetimeText } from '../../identity/links/link.ts'
import { sendsMail } from '../../identity/people/deliver-link-service.ts'
import { requestEmailChange } from '../../identity/people/email-changes-service.ts'
import { readPendingEmailChange } from '../../identity/people/pending-email-change-service.ts'
import { providerOfUser } from '../../identity/single-sign-on/identity-service.ts'
import { formPage } from '../requests/form-page.ts'
import { visitorOf } from '../requests/visitor.ts'
import {
  currentPasswordField,
  ownPasswordHint,
  usernameField,
  WRONG_PASSWORD,
} from '../shared/forms/password-hints.ts'
import { html } from '../shared/page/html.ts'
import { backToPart } from './account-parts.ts'
import { pendingEmail } from './pending-email-view.ts'

const PATH = '/Account/Email'
const SENT = 'Mails with links are on their way. Your email changes after you open both.'
const LEAD = `We mail a link to your current and to your new address. Your email changes after you open both, within ${lifetimeText('email_change')}.`

/** The change of the visitor's own email. */
export async function emailRoutes(app: App) {
  const { deps } = app
  const { passwordLogin } = deps.config

  formPage(app, {
    path: PATH,
    place: { console: 'account' },
    fields: {
      email: { label: 'New email', subject: 'Email', keyboard: 'email', autocomplete: 'email' },
      currentPassword: {
        ...currentPasswordField('Your password'),
        wrong: WRONG_PASSWORD,
        pointers: ['/password'],
      },
    },
    bodyLimit: SIGN_IN_LIMIT_BYTES,
    refused: ['unprocessable', 'conflict', 'too_many_requests'],
    async page(request) {
      const { id, signInName: email } = visitorOf(request)
      const pending = pendingEmail(await readPendingEmailChange(deps, { id, email }))
      const shown = { title: 'Change email', back: backToPart('Profile') }
      if (!passwordLogin || !sendsMail(deps)) {
        const text = 'Ask the operator of this marketplace to change your email.'
        return { ...shown, above: html`${pending}<div class="card"><p>${text}</p></div>` }
      }
      return {
        ...shown,
        lead: LEAD,
        above: html`${pending}${ownPasswordHint(await providerOfUser(deps, id))}`,
        intro: usernameField(email),
        button: 'Change email',
      }
    },
    async submit(request, typed) {
      if (!passwordLogin) throw passwordsOff()
      const input = {
        email: typed.get('email') ?? '',
        password: typed.get('currentPassword') ?? '',
      }
      await requestEmailChange(deps, visitorOf(request).id, input, clientAddress(request))
      return { path: PATH, text: SENT }
    },
  })
}

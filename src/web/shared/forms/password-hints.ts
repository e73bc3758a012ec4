import { shownEmail } from '../../../base/values/email.ts'
import { type Html, html } from '../page/html.ts'

/**
 * Beside a field for the current password, where the visitor may have none.
 *
 * @param provider of single sign-on that the visitor signs in with; undefined when there is none
 */
export function ownPasswordHint(provider: string | undefined): Html | false {
  if (provider === undefined) return false
  return html`<p class="muted">You sign in with <bdi>${provider}</bdi>. No password yet? Choose one by
<a href="/forgot">Forgot your password?</a></p>
`
}

/**
 * Tells password managers whose password a form is about. They skip fields of type `hidden`:
 * https://www.chromium.org/developers/design-documents/create-amazing-password-forms
 */
export function usernameField(email: string): Html {
  return html`<input type="text" name="username" autocomplete="username" value="${shownEmail(email)}" readonly hidden>`
}

/** What is wrong with it. */
export const WRONG_PASSWORD = 'Wrong password.'

/** The password that the visitor has. */
export function currentPasswordField(label: string) {
  return { label, kind: 'password', autocomplete: 'current-password' } as const
}

import { shownEmail } from '../../base/values/email.ts'
import { lifetimeText } from '../../identity/links/link.ts'
import type { PendingEmailChange } from '../../identity/people/email-change.ts'
import { describedBy, type FormProblem } from '../shared/forms/form-problems.ts'
import { ownPasswordHint, usernameField } from '../shared/forms/password-hints.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../shared/page/html-page.ts'
import { when } from '../shared/status/history-view.ts'
import { accountFrame } from './account-frame.ts'

type EmailPageInput = UserShell & {
  /** Whether mail is sent and users have passwords here. */
  isOffered: boolean
  /** That the user signs in with; the user may have no password then. */
  provider: string | undefined
  pending: PendingEmailChange | undefined
  typed: string
  problems: readonly FormProblem[]
  /** What has just happened, in words. */
  message: string | undefined
}

/** A change that waits for its links; a mail that is lost is asked for again. */
export function pendingEmail(pending: PendingEmailChange | undefined): Html | false {
  if (pending === undefined) return false
  const { to, waitsFor, expiresAt } = pending
  return html`<div class="notice"><p>Your email changes to <strong><bdi>${shownEmail(to)}</bdi></strong> when you have opened the
link in the mail to ${waitsFor.map((one, index) => html`${index > 0 && ' and '}<bdi>${shownEmail(one)}</bdi>`)}.
It works until ${when(expiresAt)}.</p></div>
`
}

/** Asks for a new address and the password. */
export function emailPage(input: EmailPageInput): HtmlPage {
  const { csrfToken, isOffered, typed, problems, user } = input
  const email = describedBy(problems, 'email', [])
  const password = describedBy(problems, 'currentPassword', [])
  const form = html`<p class="muted">We mail a link to your present and to your new address. The email
changes when you have confirmed both, within ${lifetimeText('email_change')}.</p>
${ownPasswordHint(input.provider)}<form class="stack" method="post" action="/Account/Email">
${csrfField(csrfToken)}
<div class="field"><label for="email">New email</label>
${email.message}<input type="text" inputmode="email" id="email" name="email" autocomplete="email"
value="${typed}" aria-required="true"${email.attributes}></div>
${usernameField(user.signInName)}
<div class="field"><label for="currentPassword">Your password</label>
${password.message}<input type="password" id="currentPassword" name="currentPassword" autocomplete="current-password"
aria-required="true"${password.attributes}></div>
<p class="actions"><button class="button primary" type="submit">Change email</button>
<a class="button" href="/Account">Cancel</a></p></form>`
  const content = html`${pendingEmail(input.pending)}<section class="card" aria-label="New email">
${isOffered ? form : html`<p>Ask the operator of this marketplace to change your email.</p>`}</section>`
  const back = { href: '/Account', label: 'Account' }
  return accountFrame(input, { title: 'Change email', back, content })
}

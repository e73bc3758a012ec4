import { shownEmail } from '../../base/values/email.ts'
import type { PendingEmailChange } from '../../identity/people/email-change.ts'
import { type Html, html } from '../shared/page/html.ts'
import { when } from '../shared/status/history-view.ts'

/** A change that waits for its links; a mail that is lost is asked for again. */
export function pendingEmail(pending: PendingEmailChange | undefined): Html | false {
  if (pending === undefined) return false
  const { to, waitsFor, expiresAt } = pending
  return html`<div class="notice"><p>Your email changes to <strong><bdi>${shownEmail(to)}</bdi></strong> when you have opened the
link in the mail to ${waitsFor.map((one, index) => html`${index > 0 && ' and '}<bdi>${shownEmail(one)}</bdi>`)}.
It works until ${when(expiresAt)}.</p></div>
`
}

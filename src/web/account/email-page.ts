import { type FormProblem, problemSummary, tie } from '../shared/forms/form-problems.ts'
import { html } from '../shared/page/html.ts'
import { csrfField, page, type UserShell } from '../shared/page/html-page.ts'
import { messageView } from '../shared/page/message-view.ts'

type EmailPageInput = UserShell & {
  /** Whether mail is sent and users have passwords here. */
  isOffered: boolean
  typed: string
  problems: readonly FormProblem[]
  /** What has just happened, in words. */
  message: string | undefined
}

/** Asks for a new address and the password. */
export function emailPage(input: EmailPageInput): string {
  const { csrfToken, isOffered, typed, problems, message, ...shell } = input
  const email = tie(problems, 'email', [])
  const password = tie(problems, 'currentPassword', [])
  const form = html`<p class="muted">We mail a link to your present and to your new address. The email
changes when you have confirmed both, within 24 hours.</p>
<form class="stack" method="post" action="/Account/Email">
${csrfField(csrfToken)}
<div class="field"><label for="email">New email</label>
${email.message}<input type="email" id="email" name="email" autocomplete="email"
value="${typed}" aria-required="true"${email.attributes}></div>
<div class="field"><label for="currentPassword">Your password</label>
${password.message}<input type="password" id="currentPassword" name="currentPassword" autocomplete="current-password"
aria-required="true"${password.attributes}></div>
<p class="actions"><button class="button primary" type="submit">Change email</button>
<a class="button" href="/Account">Cancel</a></p></form>`
  const body = html`<div class="page-head"><h1>Change email</h1></div>
${messageView(message)}
${problemSummary(problems)}
<section class="card" aria-label="New email">
${isOffered ? form : html`<p>Ask the operator of this marketplace to change your email.</p>`}</section>`
  return page({
    ...shell,
    csrfToken,
    title: `${problems.length > 0 ? 'Error: ' : ''}Change email`,
    section: 'account',
    layout: 'form',
    body,
  })
}

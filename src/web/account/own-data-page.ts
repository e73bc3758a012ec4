import { framePage } from '../kit/frame.ts'
import { describedBy, type FormProblem } from '../shared/forms/form-problems.ts'
import { ownPasswordHint, usernameField } from '../shared/forms/password-hints.ts'
import { card } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../shared/page/html-page.ts'

/** The form of the own name, on the account page. */
export function nameForm(csrfToken: string, name: string, problems: readonly FormProblem[]): Html {
  const { attributes, message } = describedBy(problems, 'name', [])
  return html`<form class="stack" method="post" action="/Account/Name">
${csrfField(csrfToken)}
<div class="field"><label for="name">Name</label>
${message}<input id="name" name="name" autocomplete="name" value="${name}" aria-required="true"${attributes}></div>
<p class="actions"><button class="button" type="submit">Change name</button></p></form>`
}

/** Leads to the own data, and to the removal of oneself. */
export function ownDataCard(): Html {
  return card(
    'own-data',
    'Your data',
    html`<p class="muted">Download all data we hold about you (JSON).</p><p class="actions">
<a class="button" href="/Account/Export">Export your data</a>
<a class="button danger" href="/Account/Remove">Delete my account…</a></p>`,
  )
}

/**
 * Asks for a last word and the password before the visitor is removed.
 *
 * @param input `hasPassword`: whether users sign in with passwords here; `provider`: that the user
 *   signs in with, who may have no password then
 */
export function removeOneselfPage(
  input: UserShell & {
    problems: readonly FormProblem[]
    hasPassword: boolean
    provider: string | undefined
  },
): HtmlPage {
  const { csrfToken, problems, hasPassword, user } = input
  const { attributes, message } = describedBy(problems, 'currentPassword', [])
  const form = html`${ownPasswordHint(input.provider)}<form class="stack" method="post" action="/Account/Remove">
${csrfField(csrfToken)}
${usernameField(user.signInName)}
<div class="field"><label for="currentPassword">Your password</label>
${message}<input type="password" id="currentPassword" name="currentPassword"
autocomplete="current-password" aria-required="true"${attributes}></div>
<p class="actions"><button class="button danger" type="submit">Delete my account</button>
<a class="button" href="/Account">Cancel</a></p></form>`
  const content = html`<section class="card" aria-label="What happens">
<ul class="bullets">
<li>Your name and email are replaced, and you are signed out everywhere.</li>
<li>You leave all accounts. Apps lose the access tokens issued for you. Installed apps stay.</li>
<li>Older audit entries keep your name; new ones show only your user ID.</li>
<li>You cannot undo this.</li>
<li>If you are the only admin of an account with other members or installed apps, make somebody else an admin
first. The same goes for the only owner of a developer.</li></ul>
${hasPassword ? form : html`<p>Ask the operator of this marketplace to remove you.</p>`}</section>`
  return framePage({ console: 'account' }, input, { title: 'Delete my account', content })
}

import { PASSWORD_MIN_LENGTH } from '../../auth/passwords.ts'
import type { Attempt } from '../shared/form-problems.ts'
import { when } from '../shared/history-view.ts'
import { html } from '../shared/html.ts'
import type { UserShell } from '../shared/html-page.ts'
import type { Message } from '../shared/message-view.ts'
import { findForm } from './access-page.ts'
import { operatorPage, pathTo, withQuery } from './console-frame.ts'
import { changeForm, checkField, editCard, editing, textField } from './forms/fields.ts'
import type { UserDetail } from './record-details.ts'
import { partyRowOf, rows, rowsCard, showAll, suspendedBadge } from './record-view.ts'
import { suspensionCard, suspensionNotice } from './suspension-view.ts'

type UserPageInput = UserShell & {
  detail: UserDetail
  effect: string
  attempt: Attempt
  message: Message | undefined
}

/** A new password, of which nothing is said when it is left empty. */
export const PASSWORD_HINT = `At least ${PASSWORD_MIN_LENGTH} characters. Left empty: a random one is made and shown once.`

/** What an operator is, as a choice. */
export const OPERATOR_LABEL = 'May use this console and the operator API'

/** One user: the parties it acts for, its password. */
export function userPage(input: UserPageInput): string {
  const { csrfToken, detail, effect, attempt, message } = input
  const { user, parties } = detail
  const path = pathTo('Users', user.id)
  const operator = String(user.operator)
  const edit = editing(attempt, { name: user.name, operator, operatorShown: operator })
  return operatorPage(input, {
    tab: 'Users',
    title: user.name,
    back: { href: '/Operator/Users', label: 'Users' },
    beside: html`<span class="badges">${user.suspended && suspendedBadge}${user.operator && html`<span class="badge badge-on">Operator</span>`}</span>`,
    lead: html`<p class="lead"><bdi>${user.email}</bdi></p>`,
    message,
    problems: attempt.problems,
    body: html`${suspensionNotice(user, path, csrfToken)}
<div class="columns"><div class="column">
${rowsCard(
  'parties',
  'Acts for',
  rows(
    parties.entries,
    partyRowOf({ memberId: user.id }),
    html`<p class="empty-title">No party yet</p><p>Add the user to one: only then there is something to see after the sign-in.</p>`,
  ),
  showAll(parties, withQuery('/Operator/Parties', { memberId: user.id })),
)}
<section class="card" aria-labelledby="join"><h2 id="join">Add to a party</h2>${findForm({ action: `${path}/Memberships`, field: 'party', label: 'Party' })}</section>
</div><div class="column">
<section class="card" aria-labelledby="facts"><h2 id="facts">Details</h2><dl class="facts"><dt>User id</dt><dd><code>${user.id}</code></dd><dt>Created</dt><dd>${when(user.createdAt)}</dd></dl><p><a href="${withQuery('/Operator/Audit', { actorId: user.id })}">What the user did</a> · <a href="${withQuery('/Operator/Audit', { subjectKind: 'user', subjectId: user.id })}">What happened to the user</a></p></section>
${editCard(
  { path, csrfToken },
  'Name and rights',
  html`${textField(edit, { name: 'name', label: 'Name' })}${checkField(edit, { name: 'operator', label: OPERATOR_LABEL })}<input type="hidden" name="operatorShown" value="${edit.typed.get('operatorShown')}">
`,
)}
<section class="card" aria-labelledby="password-title"><h2 id="password-title">New password</h2><p class="muted">Ends all sessions and tokens of the user.</p>${changeForm({ action: `${path}/Password`, csrfToken, button: 'Set the password', kind: '' }, textField(attempt, { name: 'password', label: 'Password', type: 'password', optional: true, hint: PASSWORD_HINT }))}</section>
${suspensionCard(user, path, effect)}
</div></div>`,
  })
}

import { shownEmail } from '../../../base/values/email.ts'
import type { Invitation } from '../../../identity/people/invitation.ts'
import { inviteLead } from '../../links/invite-form.ts'
import { mailRefused } from '../../links/open-invitations-view.ts'
import type { FormAttempt } from '../../shared/forms/form-problems.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../../shared/page/html-page.ts'
import type { Message } from '../../shared/page/message-view.ts'
import { when } from '../../shared/status/history-view.ts'
import { mayChange, operatorPage, withQuery } from '../console-frame.ts'
import { changeForm, selectField, textField } from '../forms/fields.ts'
import { type InvitationNames, whatFor } from './invitation-names.ts'

export const INVITATIONS_PATH = '/Operator/Invitations'

type InvitationsPageInput = UserShell & {
  invitations: readonly Invitation[]
  /** Whether the list is continued from a page before. */
  isContinued: boolean
  /** Where the next page begins, if there is one. */
  cursor: string | undefined
  names: InvitationNames
  sendsMail: boolean
  attempt: FormAttempt
  message: Message | undefined
}

/** Invites a person, and shows which invitations are open. */
export function invitationsPage(input: InvitationsPageInput): HtmlPage {
  const { invitations, isContinued, cursor, attempt, message, sendsMail, csrfToken } = input
  const form = { action: INVITATIONS_PATH, csrfToken, button: 'Invite' }
  return operatorPage(input, {
    tab: 'Users',
    title: 'Invite people',
    back: { href: '/Operator/Users', label: 'Users' },
    layout: 'form',
    lead: html`<p class="lead">${inviteLead(sendsMail)}</p>`,
    message,
    problems: attempt.problems,
    body: html`${mayChange(input) && html`<div class="card">${changeForm(form, fields(attempt))}</div>`}
<section class="card flush" aria-labelledby="open"><div class="section-head">
<h2 id="open">Open invitations</h2></div>${
      invitations.length === 0
        ? html`<div class="empty"><p class="empty-title">No open invitations</p></div>`
        : html`<ul class="rows">${invitations.map((one) => row(one, input))}</ul>`
    }</section>${
      (isContinued || cursor !== undefined) &&
      html`<p class="actions">${
        isContinued && html`<a class="button" href="${INVITATIONS_PATH}">First page</a> `
      }${
        cursor !== undefined &&
        html`<a class="button" rel="next" href="${withQuery(INVITATIONS_PATH, { cursor })}">Next page</a>`
      }</p>`
    }`,
  })
}

function fields(attempt: FormAttempt): Html {
  const roles: [string, string][] = [
    ['', 'Admin or owner'],
    ['member', 'Member'],
  ]
  const console: [string, string][] = [
    ['', 'No access'],
    ['support', 'Support'],
    ['operator', 'Operator'],
  ]
  return html`${textField(attempt, { name: 'name', label: 'Name' })}
${textField(attempt, { name: 'email', label: 'Email', keyboard: 'email', hint: 'The person signs in with it.' })}
${textField(attempt, { name: 'party', label: 'Account', optional: true, hint: 'ID or full name.' })}
${textField(attempt, {
  name: 'developer',
  label: 'Developer',
  optional: true,
  hint: 'ID or full name.',
})}
${selectField(attempt, {
  name: 'role',
  label: 'Role',
  hint: 'Admin of the account, owner of the developer, or a member of them.',
  options: roles,
})}
${selectField(attempt, {
  name: 'console',
  label: 'Operator console',
  hint: 'Support can look at everything. Operators can do everything.',
  options: console,
})}`
}

function row(invitation: Invitation, input: InvitationsPageInput): Html {
  const { id, name, email, expiresAt, mailRefusedAt } = invitation
  const what = whatFor(invitation, input.names)
  return html`<li class="row stacked-row"><span class="row-text"><span class="row-name"><bdi>${name}</bdi></span>
<span class="row-note"><bdi>${shownEmail(email)}</bdi>${what !== '' && html` · <bdi>${what}</bdi>`} · until
${when(expiresAt)}</span>${mailRefused(mailRefusedAt)}</span>${
    mayChange(input) &&
    html`
<form method="post" action="${INVITATIONS_PATH}/${id}/Revoke">${csrfField(input.csrfToken)}
<button class="button small danger" type="submit">Revoke<span class="visually-hidden"> the invitation of
${shownEmail(email)}</span></button></form>`
  }</li>
`
}

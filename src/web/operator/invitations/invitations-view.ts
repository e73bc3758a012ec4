import { shownEmail } from '../../../base/values/email.ts'
import type { Invitation } from '../../../identity/people/invitation.ts'
import { pager } from '../../kit/action-list.ts'
import { emptyState } from '../../kit/empty-state.ts'
import type { FormSpec } from '../../kit/fields.ts'
import { mailRefused } from '../../links/open-invitations-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField } from '../../shared/page/html-page.ts'
import { withQuery } from '../../shared/page/with-query.ts'
import { when } from '../../shared/status/history-view.ts'
import { type InvitationNames, whatFor } from './invitation-names.ts'

export const INVITATIONS_PATH = '/Operator/Invitations'

/** Whom an operator invites, and to what. */
export const INVITATION_FIELDS: FormSpec = {
  name: { label: 'Name' },
  email: { label: 'Email', keyboard: 'email', hint: 'The person signs in with it.' },
  party: {
    label: 'Account',
    optional: true,
    hint: 'ID or full name.',
    pointers: ['/partyIds'],
  },
  developer: {
    label: 'Developer',
    optional: true,
    hint: 'ID or full name.',
    pointers: ['/developerId'],
  },
  role: {
    label: 'Role',
    kind: 'choice',
    hint: 'Admin of the account, owner of the developer, or a member of them.',
    choices: [
      ['', 'Admin or owner'],
      ['member', 'Member'],
    ],
  },
  console: {
    label: 'Operator console',
    kind: 'choice',
    hint: 'Support can look at everything. Operators can do everything.',
    choices: [
      ['', 'No access'],
      ['support', 'Support'],
      ['operator', 'Operator'],
    ],
    pointers: ['/operator', '/support'],
  },
}

type OpenInvitations = {
  invitations: readonly Invitation[]
  /** Whether the list is continued from a page before. */
  isContinued: boolean
  /** Where the next page begins, if there is one. */
  cursor: string | undefined
  names: InvitationNames
}

/** The invitations that are open; with a token of forms they can be revoked. */
export function openInvitations(list: OpenInvitations, csrfToken: string | false): Html {
  const { invitations, isContinued, cursor, names } = list
  return html`<section class="card flush" aria-labelledby="open"><div class="section-head">
<h2 id="open">Open invitations</h2></div>${
    invitations.length === 0
      ? emptyState('mail', 'No open invitations.')
      : html`<ul class="rows">${invitations.map((one) => row(one, names, csrfToken))}</ul>`
  }</section>
${pager({
  first: isContinued && { href: INVITATIONS_PATH, label: 'First page' },
  next: cursor !== undefined && {
    href: withQuery(INVITATIONS_PATH, { cursor }),
    label: 'Next page',
  },
})}`
}

function row(invitation: Invitation, names: InvitationNames, csrfToken: string | false): Html {
  const { id, name, email, expiresAt, mailRefusedAt } = invitation
  const what = whatFor(invitation, names)
  return html`<li class="row stacked-row"><span class="row-text"><span class="row-name"><bdi>${name}</bdi></span>
<span class="row-note"><bdi>${shownEmail(email)}</bdi>${what !== '' && html` · <bdi>${what}</bdi>`} · until
${when(expiresAt)}</span>${mailRefused(mailRefusedAt)}</span>${
    csrfToken !== false &&
    html`
<form method="post" action="${INVITATIONS_PATH}/${id}/Revoke">${csrfField(csrfToken)}
<button class="button small danger" type="submit">Revoke<span class="visually-hidden"> the invitation of
${shownEmail(email)}</span></button></form>`
  }</li>
`
}

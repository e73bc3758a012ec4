import { shownEmail } from '../../base/values/email.ts'
import type { OwnInvitation } from '../../identity/people/own-invitations/own-invitation.ts'
import { roleBadge } from '../kit/badge.ts'
import { emptyState } from '../kit/empty-state.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField } from '../shared/page/html-page.ts'
import { when } from '../shared/status/history-view.ts'

/** A page shows so many at most, and says when there are more. */
export const INVITATIONS_SHOWN_MAX = 500

type OpenInvitations = {
  invitations: readonly OwnInvitation[]
  /** Whether there are more than these. */
  isCut: boolean
  /** Where the form of a row goes, and what it sends beside the id of the invitation. */
  action: string
  hidden?: Readonly<Record<string, string>>
  csrfToken: string
}

/** The open invitations to an account or a developer, for visitors who may revoke them. */
export function openInvitationsView(input: OpenInvitations): Html {
  const { invitations, isCut } = input
  return html`<section class="card flush" aria-labelledby="open"><div class="section-head">
<h2 id="open">Open invitations</h2></div>${
    invitations.length === 0
      ? emptyState('mail', 'No open invitations.')
      : html`<ul class="rows">${invitations.map((one) => row(one, input))}</ul>`
  }</section>
${isCut && html`<p class="muted">The ${INVITATIONS_SHOWN_MAX} oldest are shown.</p>`}`
}

function row(invitation: OwnInvitation, { action, hidden = {}, csrfToken }: OpenInvitations): Html {
  const { id, name, email, role, invitedBy, expiresAt, mailRefusedAt } = invitation
  const fields = { ...hidden, invitationId: id }
  return html`<li class="row stacked-row"><span class="row-text"><span class="row-name"><bdi>${name}</bdi></span>
<span class="row-note"><bdi>${shownEmail(email)}</bdi> · invited by <bdi>${inviterText(invitedBy)}</bdi> · until
${when(expiresAt)}</span>${mailRefused(mailRefusedAt)}<span class="badges">${roleBadge(ROLES[role] ?? role)}</span></span>
<form method="post" action="${action}">${csrfField(csrfToken)}${Object.entries(fields).map(
    ([field, value]) => html`
<input type="hidden" name="${field}" value="${value}">`,
  )}
<button class="button small danger" type="submit">Revoke<span class="visually-hidden"> the invitation of
${shownEmail(email)}</span></button></form></li>
`
}

/** Says of an open invitation that its mail never arrives; nothing where none was refused. */
export function mailRefused(mailRefusedAt: Date | null): Html | false {
  return (
    mailRefusedAt !== null &&
    html`<span class="field-error">The mail could not be delivered. Check the address, revoke this
invitation, and invite again.</span>`
  )
}

const ROLES: Readonly<Record<string, string>> = { admin: 'Admin', owner: 'Owner', member: 'Member' }

function inviterText({ kind, name }: OwnInvitation['invitedBy']): string {
  if (kind === 'operator') return 'the operator'
  return name ?? 'a former user'
}

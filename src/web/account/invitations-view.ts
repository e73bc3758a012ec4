import type { WaitingInvitation } from '../../identity/people/invitation.ts'
import { invitedTo, inviterText } from '../../identity/people/mail-texts.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField } from '../shared/page/html-page.ts'

export const WAITING_PATH = '/Account/Invitations'

/** The invitations that wait for the visitor, each with its two answers; nothing when none does. */
export function waitingInvitations(
  invitations: readonly WaitingInvitation[],
  csrfToken: string,
): Html | false {
  return (
    invitations.length > 0 &&
    html`<section class="card flush" aria-labelledby="invitations"><div class="section-head">
<h2 id="invitations">Invitations</h2></div><ul class="rows">${invitations.map((one) => row(one, csrfToken))}</ul></section>`
  )
}

function row(invitation: WaitingInvitation, csrfToken: string): Html {
  const { id, inviter } = invitation
  const things = invitedTo(invitation).join(', ') || 'App Marketplace'
  const answer = (value: string, label: string, kind: string) =>
    html`<form method="post" action="${WAITING_PATH}">${csrfField(csrfToken)}
<input type="hidden" name="invitationId" value="${id}"><input type="hidden" name="answer" value="${value}">
<button class="button small${kind}" type="submit">${label}<span class="visually-hidden"> the invitation to
${things}</span></button></form>`
  return html`<li class="row stacked-row"><span class="row-text"><bdi>${inviterText(inviter)}</bdi> invites you to
<bdi>${things}</bdi>.</span>
${answer('accept', 'Accept', ' primary')}${answer('decline', 'Decline', '')}</li>
`
}

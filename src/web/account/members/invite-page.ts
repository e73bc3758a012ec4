import { type InviteShown, inviteForm, inviteLead } from '../../links/invite-form.ts'
import { problemSummary } from '../../shared/forms/form-problems.ts'
import { html } from '../../shared/page/html.ts'
import { page, type UserShell } from '../../shared/page/html-page.ts'
import { messageView } from '../../shared/page/message-view.ts'
import { MEMBERS_PATH, type MembersParty } from './members-page.ts'

export const INVITE_PATH = `${MEMBERS_PATH}/Invite`

/** An admin invites somebody to an account. */
export function inviteMemberPage(input: UserShell & InviteShown & { party: MembersParty }): string {
  const { user, csrfToken, assetVersion, party, attempt, message, sendsMail } = input
  const back = `${MEMBERS_PATH}?partyId=${party.id}`
  const body = html`<p><a href="${back}">← Members</a></p>
<div class="page-head"><h1>Invite to <bdi>${party.name}</bdi></h1><p class="lead">${inviteLead(sendsMail)}</p></div>
${messageView(message)}
${problemSummary(attempt.problems)}
${inviteForm({
  action: INVITE_PATH,
  csrfToken,
  attempt,
  roles: [
    ['member', 'Member'],
    ['admin', 'Admin'],
  ],
  rolesHint: 'Members open apps. Admins also install and configure them, and manage members.',
  hidden: { partyId: String(party.id) },
  cancelHref: back,
})}`
  const title = `${attempt.problems.length > 0 ? 'Error: ' : ''}Invite to ${party.name}`
  return page({ user, csrfToken, assetVersion, title, section: 'account', layout: 'form', body })
}

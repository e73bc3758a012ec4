import { type InviteShown, inviteForm, inviteLead } from '../../links/invite-form.ts'
import { html } from '../../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../../shared/page/html-page.ts'
import { accountFrame } from '../account-frame.ts'
import { MEMBERS_PATH, type MembersParty } from './members-page.ts'

export const INVITE_PATH = `${MEMBERS_PATH}/Invite`

/** An admin invites somebody to an account. */
export function inviteMemberPage(
  input: UserShell & InviteShown & { party: MembersParty },
): HtmlPage {
  const { csrfToken, party, attempt, message, sendsMail } = input
  const back = `${MEMBERS_PATH}?partyId=${party.id}`
  const content = inviteForm({
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
  })
  return accountFrame(
    { ...input, problems: attempt.problems, message },
    {
      title: `Invite to ${party.name}`,
      heading: html`Invite to <bdi>${party.name}</bdi>`,
      lead: inviteLead(sendsMail),
      back: { href: back, label: 'Members' },
      content,
    },
  )
}

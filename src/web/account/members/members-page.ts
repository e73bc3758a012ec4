import { shownEmail } from '../../../base/values/email.ts'
import type { PartyMember } from '../../../identity/accounts/members/party-member.ts'
import type { PartyRole } from '../../../identity/accounts/members/roles.ts'
import type { OwnUser } from '../../../identity/accounts/own-user.ts'
import type { OwnInvitation } from '../../../identity/people/own-invitations/own-invitation.ts'
import { framePage } from '../../kit/frame.ts'
import { openInvitationsView } from '../../links/open-invitations-view.ts'
import type { FormProblem } from '../../shared/forms/form-problems.ts'
import { type Html, html } from '../../shared/page/html.ts'
import {
  csrfField,
  type HtmlPage,
  partyBadge,
  type UserShell,
} from '../../shared/page/html-page.ts'
import { when } from '../../shared/status/history-view.ts'

export const MEMBERS_PATH = '/Account/Members'

const TO_ACCOUNT = { href: '/Account', label: 'Account' }

/** One of the visitor's accounts. */
export type MembersParty = OwnUser['parties'][number]

export const ROLE_NAMES: Readonly<Record<PartyRole, string>> = { admin: 'Admin', member: 'Member' }

type MembersPageInput = UserShell & {
  party: MembersParty
  userId: string
  /** Every member, for an admin; who can change them, in words, for a member. */
  members: readonly PartyMember[] | string
  /** The cursor of the next page, if there is one. */
  cursor: string | undefined
  /** The open invitations, for an admin, and whether there are more. */
  invitations: readonly OwnInvitation[]
  isCut: boolean
  problems: readonly FormProblem[]
  /** What has just happened, in words. */
  message: string | undefined
}

/** Who belongs to an account, and what each may do. */
export function membersPage(input: MembersPageInput): HtmlPage {
  const { party, members, cursor } = input
  const content = html`${
    typeof members === 'string'
      ? html`<div class="notice"><p>You are a member of this account: you can open its apps.
Only its admins install apps and manage the members. ${members}</p></div>
<p class="actions"><a class="button danger" href="${removalPath(party, input.userId)}">Leave account</a></p>`
      : html`<section class="card flush" aria-label="Members"><ul class="rows">
${members.map((one) => memberRow(one, input))}</ul></section>
<p class="actions"><a class="button" href="${MEMBERS_PATH}/Invite?partyId=${party.id}">Invite member</a></p>
<p class="muted">Admins install, configure, upgrade and uninstall apps, and manage the members. Members open apps.</p>
${
  cursor !== undefined &&
  html`<p class="actions"><a class="button" rel="next"
href="${MEMBERS_PATH}?partyId=${party.id}&cursor=${encodeURIComponent(cursor)}">Next</a></p>`
}${openInvitationsView({
  ...input,
  action: `${MEMBERS_PATH}/Revoke`,
  hidden: { partyId: String(party.id) },
})}`
  }`
  const title = `Members of ${party.name}`
  return framePage({ console: 'account' }, input, {
    title,
    heading: html`Members`,
    ...membersHead(party),
    content,
  })
}

function membersHead({ name, type }: MembersParty) {
  return { back: TO_ACCOUNT, lead: html`<bdi>${name}</bdi> ${partyBadge(type)}` }
}

function memberRow(member: PartyMember, { party, csrfToken, user }: MembersPageInput): Html {
  const { userId, name, email, role, suspended, joinedAt } = member
  const isOneself = email === user.signInName
  return html`<li class="row stacked-row"><span class="row-text"><span class="row-name"><bdi>${name}</bdi>${
    isOneself && ' (you)'
  }</span>
<span class="row-note"><bdi>${shownEmail(email)}</bdi> · Joined ${when(joinedAt)}</span><span class="badges"><span
class="badge${role === 'admin' && ' badge-on'}">${ROLE_NAMES[role]}</span>${
    suspended && html`<span class="badge badge-suspended">Suspended</span>`
  }</span></span>${!isOneself && roleForm(member, party, csrfToken)}
<a class="button small danger" href="${removalPath(party, userId)}">${isOneself ? 'Leave account' : 'Remove…'}<span
class="visually-hidden"> ${isOneself ? party.name : name}</span></a></li>
`
}

function removalPath({ id }: MembersParty, userId: string): string {
  const query = new URLSearchParams({ partyId: String(id), userId })
  return `${MEMBERS_PATH}/Remove?${query.toString()}`
}

/** Not for oneself: only another admin gives the role back. */
function roleForm(
  { userId, name, role }: PartyMember,
  party: MembersParty,
  csrfToken: string,
): Html {
  const other = role === 'admin' ? 'member' : 'admin'
  return html`<form method="post" action="${MEMBERS_PATH}">${csrfField(csrfToken)}
<input type="hidden" name="partyId" value="${party.id}"><input type="hidden" name="userId" value="${userId}">
<button class="button small" type="submit" name="role" value="${other}">Make ${ROLE_NAMES[other].toLowerCase()}<span
class="visually-hidden">: ${name}</span></button></form>
`
}

type RemovalPageInput = UserShell & {
  party: MembersParty
  member: PartyMember
  problems: readonly FormProblem[]
}

/** Asks for the last word before somebody is removed from an account, or leaves it. */
export function removeMemberPage(input: RemovalPageInput): HtmlPage {
  const { party, member, csrfToken, user } = input
  const { name, email } = member
  const isOneself = email === user.signInName
  const verb = isOneself ? 'Leave' : 'Remove'
  const who = isOneself ? party.name : name
  const content = html`<form class="card" method="post" action="${MEMBERS_PATH}/Remove">${csrfField(csrfToken)}
<input type="hidden" name="partyId" value="${party.id}"><input type="hidden" name="userId" value="${member.userId}">
<h2>${verb} <bdi>${who}</bdi></h2>
<ul class="bullets"><li>${isOneself ? 'You' : html`<bdi>${shownEmail(email)}</bdi>`} can no longer see or open the apps of
<bdi>${party.name}</bdi>.</li>
<li>Apps lose the access tokens issued for ${isOneself ? 'you' : 'them'} immediately.</li>
<li>${isOneself ? 'You keep your' : 'The user keeps the'} sign-in and all other accounts.</li>
${isOneself && html`<li>To come back, ask an admin of the account to invite you.</li>`}</ul>
<p class="actions"><button class="button danger large" type="submit">${verb}</button>
<a class="button large" href="${MEMBERS_PATH}?partyId=${party.id}">Cancel</a></p></form>`
  const title = `${verb} ${who}`
  return framePage({ console: 'account' }, input, {
    title,
    heading: html`Members`,
    ...membersHead(party),
    content,
  })
}

/** Asks which account the members are of. */
export function membersChoicePage(
  input: UserShell & { parties: readonly MembersParty[] },
): HtmlPage {
  const { parties } = input
  const content = html`${
    parties.length === 0
      ? html`<p class="notice">You do not belong to an account yet.</p>`
      : html`<section class="card flush" aria-label="Your accounts"><ul class="rows">${parties.map(
          ({
            id,
            name,
            type,
            role,
          }) => html`<li class="row"><span class="row-text"><a class="row-name"
href="${MEMBERS_PATH}?partyId=${id}"><bdi>${name}</bdi></a>
<span class="badges">${partyBadge(type)}<span class="badge">${ROLE_NAMES[role]}</span></span></span></li>
`,
        )}</ul></section>`
  }`
  return framePage({ console: 'account' }, input, { title: 'Members', back: TO_ACCOUNT, content })
}

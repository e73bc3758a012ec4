import { shownEmail } from '../../../base/values/email.ts'
import type { PartyMember } from '../../../identity/accounts/members/party-member.ts'
import type { PartyRole } from '../../../identity/accounts/members/roles.ts'
import type { OwnUser } from '../../../identity/accounts/own-user.ts'
import type { OwnInvitation } from '../../../identity/people/own-invitations/own-invitation.ts'
import { pager } from '../../kit/action-list.ts'
import { roleBadge } from '../../kit/badge.ts'
import { listBar } from '../../kit/list-page.ts'
import { openInvitationsView } from '../../links/open-invitations-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, partyBadge } from '../../shared/page/html-page.ts'
import { withQuery } from '../../shared/page/with-query.ts'
import { when } from '../../shared/status/history-view.ts'
import { statusBadge } from '../../shared/status/status-badge.ts'
import { backToPart } from '../account-parts.ts'

export const MEMBERS_PATH = '/Account/Members'

/** One of the visitor's accounts. */
export type MembersParty = OwnUser['parties'][number]

export const ROLE_NAMES: Readonly<Record<PartyRole, string>> = { admin: 'Admin', member: 'Member' }

type Members = {
  party: MembersParty
  userId: string
  signInName: string
  csrfToken: string
  /** Every member, for an admin; who can change them, in words, for a member. */
  members: readonly PartyMember[] | string
  /** How many there are in words, for an admin. */
  count: string
  /** The cursor of the next page, if there is one. */
  cursor: string | undefined
  /** The open invitations, for an admin, and whether there are more. */
  invitations: readonly OwnInvitation[]
  isCut: boolean
}

/** Who belongs to an account, and what each may do. */
export function membersView(input: Members): Html {
  const { party, members, count, cursor, userId } = input
  if (typeof members === 'string') {
    return html`<div class="notice"><p>You are a member of this account: you can open its apps.
Only its admins install apps and manage the members. ${members}</p></div>
<p class="actions"><a class="button danger" href="${removalPath(party, userId)}">Leave account</a></p>`
  }
  return html`<section class="card flush" aria-label="Members">
${listBar({ count, exports: { CSV: withQuery(`${MEMBERS_PATH}/Export`, { partyId: party.id }) } })}<ul class="rows">
${members.map((one) => memberRow(one, input))}</ul></section>
<p class="muted">Admins install, configure, upgrade and uninstall apps, and manage the members. Members open apps.</p>
${pager({
  next: cursor !== undefined && {
    href: withQuery(MEMBERS_PATH, { partyId: party.id, cursor }),
    label: 'Next',
  },
})}
${openInvitationsView({
  ...input,
  action: `${MEMBERS_PATH}/Revoke`,
  hidden: { partyId: String(party.id) },
})}`
}

/** The head of the pages about the members of an account. */
export function membersHead({ name, type }: MembersParty) {
  return {
    heading: html`Members`,
    back: backToPart('Accounts'),
    lead: html`<bdi>${name}</bdi> ${partyBadge(type)}`,
  }
}

function memberRow(member: PartyMember, { party, csrfToken, signInName }: Members): Html {
  const { userId, name, email, role, suspended, joinedAt } = member
  const isOneself = email === signInName
  return html`<li class="row stacked-row"><span class="row-text"><span class="row-name"><bdi>${name}</bdi>${
    isOneself && ' (you)'
  }</span>
<span class="row-note"><bdi>${shownEmail(email)}</bdi> · Joined ${when(joinedAt)}</span>
<span class="badges">${roleBadge(ROLE_NAMES[role])}${
    suspended && statusBadge('suspended')
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

/** What it means that somebody is removed from an account, or leaves it. */
export function removalConsequences(
  { name }: MembersParty,
  { email }: PartyMember,
  isOneself: boolean,
): Html[] {
  return [
    html`${isOneself ? 'You' : html`<bdi>${shownEmail(email)}</bdi>`} can no longer see or open the apps of
<bdi>${name}</bdi>.`,
    html`Apps lose the access tokens issued for ${isOneself ? 'you' : 'them'} immediately.`,
    html`${isOneself ? 'You keep your' : 'The user keeps the'} sign-in and all other accounts.`,
    ...(isOneself ? [html`To come back, ask an admin of the account to invite you.`] : []),
  ]
}

/** The accounts to choose from. */
export function membersChoice(parties: readonly MembersParty[]): Html {
  return html`<section class="card flush" aria-label="Your accounts"><ul class="rows">${parties.map(
    ({ id, name, type, role }) => html`<li class="row">
<span class="row-text">
<a class="row-name" href="${MEMBERS_PATH}?partyId=${id}"><bdi>${name}</bdi></a>
<span class="badges">${partyBadge(type)}<span class="badge">${ROLE_NAMES[role]}</span></span></span></li>
`,
  )}</ul></section>`
}

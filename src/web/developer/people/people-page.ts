import { shownEmail } from '../../../base/values/email.ts'
import { COUNTED_MAX } from '../../../base/values/page-of-list.ts'
import type { DeveloperMember } from '../../../identity/accounts/members/developer-member.ts'
import type { OwnInvitation } from '../../../identity/people/own-invitations/own-invitation.ts'
import { roleBadge } from '../../kit/badge.ts'
import { listCount } from '../../kit/columns.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import { listBar } from '../../kit/list-page.ts'
import { openInvitationsView } from '../../links/open-invitations-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { when } from '../../shared/status/history-view.ts'
import { statusBadge } from '../../shared/status/status-badge.ts'

export const PEOPLE_PATH = '/Developer/Members'

type PeoplePageInput = Visit & {
  people: readonly DeveloperMember[]
  /** Whether the visitor may change anything. */
  isOwner: boolean
  /** The open invitations, for an owner, and whether there are more. */
  invitations: readonly OwnInvitation[]
  isCut: boolean
}

/** Who works for the developer with a sign-in of their own. */
export function peoplePage(input: PeoplePageInput): HtmlPage {
  const { people, isOwner } = input
  const count = listCount(people.length, COUNTED_MAX, 'member')
  return framePage({ console: 'developer', section: 'people' }, input, {
    title: 'Members',
    layout: 'form',
    lead: 'People with their own sign-in to this console.',
    content: html`${
      !isOwner &&
      html`<div class="notice"><p>You are a member. Only owners manage members and credentials.</p></div>`
    }<section class="card flush" aria-label="Members">
${listBar({ count, exports: { CSV: `${PEOPLE_PATH}/Export` } })}<ul class="rows">${people.map((one) => row(one, input))}</ul></section>
${isOwner && html`<p class="actions"><a class="button" href="${PEOPLE_PATH}/Invite">Invite a person</a></p>`}
<p class="muted">Owners also manage members and credentials. Members work with apps and installations.</p>
${isOwner && openInvitationsView({ ...input, action: `${PEOPLE_PATH}/Revoke` })}`,
  })
}

function row(person: DeveloperMember, { csrfToken, isOwner, user }: PeoplePageInput): Html {
  const { userId, name, email, role, suspended, joinedAt } = person
  const isOneself = email === user.signInName
  return html`<li class="row stacked-row"><span class="row-text"><span class="row-name"><bdi>${name}</bdi>${
    isOneself && ' (you)'
  }</span>
<span class="row-note"><bdi>${shownEmail(email)}</bdi> · Joined ${when(joinedAt)}</span>
<span class="badges">${roleBadge(role === 'owner' ? 'Owner' : 'Member')}${
    suspended && statusBadge('suspended')
  }</span></span>${
    isOwner &&
    html`${!isOneself && roleForm(person, csrfToken)}<a class="button small danger" href="${PEOPLE_PATH}/${userId}/Remove">${
      isOneself ? 'Leave' : html`Remove…<span class="visually-hidden"> ${name}</span>`
    }</a>`
  }</li>
`
}

/** Not for oneself: only another owner gives the role back. */
function roleForm({ userId, name, role }: DeveloperMember, csrfToken: string): Html {
  const other = role === 'owner' ? 'member' : 'owner'
  return html`<form method="post" action="${PEOPLE_PATH}">${csrfField(csrfToken)}<input type="hidden"
name="userId" value="${userId}"><button class="button small" type="submit" name="role" value="${other}">Make
${other}<span class="visually-hidden">: ${name}</span></button></form>
`
}

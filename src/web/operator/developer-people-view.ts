import { shownEmail } from '../../base/values/email.ts'
import type { DeveloperMember } from '../../identity/accounts/members/developer-member.ts'
import { roleBadge } from '../kit/badge.ts'
import { emptyState } from '../kit/empty-state.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField } from '../shared/page/html-page.ts'
import { pathTo } from './addresses.ts'
import { suspendedBadge } from './record-view.ts'

/**
 * The people of a developer, on its page in the operator console.
 *
 * @param csrfToken false where they cannot be changed, by this visitor or by anybody
 */
export function personRows(
  people: readonly DeveloperMember[],
  path: string,
  csrfToken: string | false,
): Html {
  return people.length === 0
    ? emptyState(
        'people',
        'No people yet. Nobody can open the console of this developer.',
        csrfToken !== false && { href: inviteTo(path), label: 'Invite the first owner' },
      )
    : html`<ul class="rows">${people.map((one) => personRow(one, path, csrfToken))}</ul>`
}

function personRow(person: DeveloperMember, path: string, csrfToken: string | false): Html {
  const { userId, name, email, role, suspended } = person
  const other = role === 'owner' ? 'member' : 'owner'
  return html`<li class="row console-row"><span class="row-text"><a class="row-name"
href="${pathTo('Users', userId)}"><bdi>${name}</bdi></a><span class="row-note"><bdi>${shownEmail(email)}</bdi></span></span>
<span class="badges">${suspended && suspendedBadge}${roleBadge(role === 'owner' ? 'Owner' : 'Member')}</span>${
    csrfToken !== false &&
    html`<form method="post" action="${path}/Roles">${csrfField(csrfToken)}<input type="hidden"
name="userId" value="${userId}"><button class="button small" type="submit" name="role" value="${other}">Make
${other}<span class="visually-hidden">: ${name}</span></button></form>
<a class="button small" href="${path}/Members/${userId}/Remove">Remove…<span
class="visually-hidden"> ${name}</span></a>`
  }</li>
`
}

/** The form that invites people, filled in with the developer of a page. */
function inviteTo(path: string): string {
  return `/Operator/Invitations?developer=${path.split('/').at(-1)}`
}

import type { OwnUser } from '../../identity/accounts/own-user.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import { roleBadge } from '../kit/badge.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, partyBadge } from '../shared/page/html-page.ts'
import { statusBadge } from '../shared/status/status-badge.ts'
import { suspensionNote } from '../shared/status/suspension-notices.ts'
import { MEMBERS_PATH, ROLE_NAMES } from './members/members-page.ts'

/**
 * The accounts that the visitor belongs to.
 *
 * @param suspensions ids of accounts that are suspended -> why
 */
export function ownAccounts(
  parties: OwnUser['parties'],
  suspensions: ReadonlyMap<number, SuspensionCause>,
): Html {
  return html`<section class="card flush" aria-label="Your accounts"><ul class="rows">
${parties.map((party) => partyRow(party, suspensions.get(party.id)))}</ul></section>`
}

function partyRow(
  { id, name, type, suspended, role }: OwnUser['parties'][number],
  suspension: SuspensionCause | undefined,
): Html {
  return html`<li class="row stacked-row">
<span class="row-text">
<span class="row-name"><bdi>${name}</bdi></span>
<span class="badges">${partyBadge(type)}${roleBadge(ROLE_NAMES[role])}${
    suspended && statusBadge('suspended')
  }</span>
${suspension && suspensionNote([suspension])}</span>
<a class="button small" href="/Installed?partyId=${id}">Apps<span class="visually-hidden">: ${name}</span></a>
<a class="button small" href="${MEMBERS_PATH}?partyId=${id}">Members<span class="visually-hidden">: ${name}</span></a></li>
`
}

/** A button that is a form of its own. */
export function postButton(
  csrfToken: string,
  action: string,
  { label, kind = '', about }: { label: string; kind?: string; about?: string },
): Html {
  return html`<form method="post" action="${action}">${csrfField(csrfToken)}
<button class="button ${kind}" type="submit">${label}${
    about !== undefined && html`<span class="visually-hidden">: ${about}</span>`
  }</button></form>`
}

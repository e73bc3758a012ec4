import { when } from '../web/history-view.ts'
import { type Html, html } from '../web/html.ts'
import { partyBadge, type UserShell } from '../web/page.ts'
import { consolePage, pathTo, withQuery } from './console.ts'
import type { PartyDetail } from './details.ts'
import { type Attempt, changeForm, textField } from './fields.ts'
import { installationRow, rows, rowsCard, suspendedBadge, userRow } from './record-view.ts'
import { suspensionCard, suspensionNotice } from './suspension-view.ts'

type PartyPageInput = UserShell & {
  detail: PartyDetail
  effect: string
  attempt: Attempt
  message: string | undefined
}

/** One party: who acts for it, whom it trades with, what it has installed. */
export function partyPage(input: PartyPageInput): string {
  const { csrfToken, detail, effect, attempt, message } = input
  const { party, users, installations } = detail
  const path = pathTo('Parties', party.id)
  const all = (href: string, more: unknown) =>
    more !== undefined && html`<a class="button small" href="${href}">Show all</a>`
  return consolePage(input, {
    tab: 'Parties',
    title: party.name,
    back: { href: '/Operator/Parties', label: 'Parties' },
    beside: html`<span class="badges">${party.suspended && suspendedBadge}${partyBadge(party.type)}</span>`,
    message,
    problems: attempt.problems,
    body: html`${suspensionNotice(party, path, csrfToken)}
<div class="columns"><div class="column">
${rowsCard(
  'users',
  'Users',
  rows(
    users.entries,
    (user) => ({ ...userRow(user), action: leave(user, party.id) }),
    html`<p class="empty-title">Nobody acts for it yet</p><p>Add a user that there is, or <a href="/Operator/Users/New?partyId=${party.id}">create one</a>.</p>`,
  ),
  all(withQuery('/Operator/Users', { partyId: party.id }), users.next),
)}
${rowsCard('installations', 'Installed apps', rows(installations.entries, installationRow, html`<p class="empty-title">Nothing is installed</p><p>Its users install apps in the marketplace.</p>`), all(withQuery('/Operator/Installations', { partyId: party.id }), installations.next))}
${party.type !== 'None' && partners(detail)}
</div><div class="column">
<section class="card" aria-labelledby="facts"><h2 id="facts">Details</h2><dl class="facts"><dt>Party id</dt><dd>${party.id}</dd><dt>Created</dt><dd>${when(party.createdAt)}</dd></dl><p><a href="${withQuery('/Operator/Audit', { partyId: party.id })}">Its audit trail</a></p></section>
<section class="card" aria-labelledby="add-user"><h2 id="add-user">Add a user</h2>${changeForm({ action: `${path}/Users`, csrfToken, button: 'Add the user', kind: '' }, textField(attempt, { name: 'email', label: 'Email of the user', hint: 'Of somebody who can sign in already.' }))}<p><a href="/Operator/Users/New?partyId=${party.id}">Create a new user for it</a></p></section>
${party.type !== 'None' && connectCard(input, path)}
${suspensionCard(party, path, effect)}
</div></div>`,
  })
}

function leave(user: { id: string; name: string }, partyId: number): Html {
  return html`<a class="button small" href="${pathTo('Users', user.id)}/Memberships/${partyId}/Remove">Remove…<span class="visually-hidden"> ${user.name}</span></a>`
}

function partners({ party, partners: others, morePartners }: PartyDetail): Html {
  const title =
    party.type === 'Buyer' ? 'Sellers whose products it sees' : 'Buyers that see its products'
  const list = rows(
    others,
    ({ id, name }) => ({
      href: pathTo('Parties', id),
      name,
      note: html`Party ${id}`,
      action: html`<a class="button small" href="${pathTo('Parties', party.id)}/Connections/${id}/Remove">Disconnect…<span class="visually-hidden"> ${name}</span></a>`,
    }),
    html`<p class="empty-title">No connections</p><p>A Buyer sees the products of the Sellers that it is connected with.</p>`,
  )
  return rowsCard(
    'connections',
    title,
    list,
    morePartners && html`<span class="fine">The first ${others.length}</span>`,
  )
}

function connectCard({ csrfToken, detail, attempt }: PartyPageInput, path: string): Html {
  const other = detail.party.type === 'Buyer' ? 'Seller' : 'Buyer'
  return html`<section class="card" aria-labelledby="connect"><h2 id="connect">Connect with a ${other}</h2>${changeForm({ action: `${path}/Connections`, csrfToken, button: 'Connect', kind: '' }, textField(attempt, { name: 'party', label: other, hint: 'Its id, or its name.' }))}</section>`
}

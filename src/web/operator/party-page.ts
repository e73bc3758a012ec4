import type { UserRecord } from '../../identity/accounts/operator-records.ts'
import { controlsView } from '../kit/fields.ts'
import { framePage, mayChange } from '../kit/frame.ts'
import type { FormAttempt } from '../shared/forms/form-problems.ts'
import { card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, partyBadge, type UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { when } from '../shared/status/history-view.ts'
import { findForm } from './access/access-page.ts'
import { pathTo, withQuery } from './addresses.ts'
import { namesake } from './forms/field-specs.ts'
import { editCard, editing } from './forms/fields.ts'
import type { PartyDetail } from './record-details.ts'
import {
  installationRow,
  partyRowOf,
  type Row,
  rows,
  rowsCard,
  showAll,
  suspendedBadgeOf,
  userRowOf,
  withRole,
} from './record-view.ts'
import { closeCard, suspensionCard, suspensionNotice } from './suspension/suspension-view.ts'

type PartyPageInput = UserShell & {
  detail: PartyDetail
  effect: string
  /** What closing does. */
  closing: string
  attempt: FormAttempt
  message: Message | undefined
}

/** One party: who acts for it, whom it trades with, what it has installed. */
export function partyPage(input: PartyPageInput): HtmlPage {
  const { csrfToken, detail, attempt } = input
  const isOperator = mayChange(input)
  const { party, users, installations } = detail
  const path = pathTo('Parties', party.id)
  return framePage(
    { console: 'operator', tab: 'Parties' },
    { ...input, problems: attempt.problems },
    {
      title: party.name,
      back: { href: '/Operator/Parties', label: 'Accounts' },
      beside: html`<span class="badges">${suspendedBadgeOf(party)}${partyBadge(party.type)}</span>`,
      content: html`${suspensionNotice(party, path, isOperator && csrfToken)}
<div class="columns"><div class="column">
${rowsCard(
  'users',
  'Users',
  rows(
    users.entries,
    memberRow(input),
    party.closedAt === null
      ? html`<p class="empty-title">No users yet</p><p>
Add an existing user, or <a href="/Operator/Users/New?partyId=${party.id}">create one</a>.</p>`
      : html`<p class="empty-title">No users</p>`,
  ),
  showAll(users, withQuery('/Operator/Users', { partyId: party.id })),
)}
${rowsCard(
  'installations',
  'Installed apps',
  rows(
    installations.entries,
    installationRow,
    html`<p class="empty-title">
No installed apps</p><p>Users of this account install apps in the marketplace.</p>
`,
  ),
  showAll(installations, withQuery('/Operator/Installations', { partyId: party.id })),
)}
${party.type !== 'None' && partnersCard(detail, isOperator)}</div><div class="column">
${card(
  'facts',
  'Details',
  html`<dl class="facts">
${fact('Account ID', party.id)}${fact('Created', when(party.createdAt))}</dl><p>
<a href="${withQuery('/Operator/Audit', { partyId: party.id })}">Audit trail</a></p>`,
)}
${isOperator && changeCards(input, path)}</div></div>`,
    },
  )
}

function changeCards(input: PartyPageInput, path: string): Html {
  const { csrfToken, detail, effect, closing, attempt } = input
  const { party } = detail
  const edit = editing(attempt, { name: party.name })
  return html`${editCard(
    { path, csrfToken },
    'Rename',
    controlsView(
      { name: { label: 'Name' }, ...namesake('Allow two accounts with this name') },
      edit,
    ),
  )}
${party.closedAt === null && joinCards(detail, path)}
${suspensionCard(party, path, effect)}
${closeCard(party, path, `${closing} Uninstall its apps first.`)}`
}

/** What a party takes until it is closed. */
function joinCards(detail: PartyDetail, path: string): Html {
  const { party } = detail
  return html`${card(
    'add-user',
    'Add a user',
    html`${findForm({ action: `${path}/Users`, field: 'user', label: 'User' })}<p>
<a href="/Operator/Users/New?partyId=${party.id}">Create a new user</a></p>`,
  )}
${party.type !== 'None' && connectCard(detail, path)}`
}

function memberRow({ csrfToken, ...input }: PartyPageInput): (user: UserRecord) => Row {
  const { party, roles } = input.detail
  const isOperator = mayChange(input)
  const rowOf = userRowOf(isOperator ? { partyId: party.id } : {})
  return (user) =>
    withRole(rowOf(user), {
      role: roles.get(user.id),
      action: `${pathTo('Parties', party.id)}/Roles`,
      field: 'userId',
      id: user.id,
      about: user.name,
      csrfToken: isOperator && csrfToken,
    })
}

function partnersCard({ party, partners }: PartyDetail, isOperator: boolean): Html {
  return rowsCard(
    'connections',
    party.type === 'Buyer' ? 'Connected Sellers' : 'Connected Buyers',
    rows(
      partners.entries,
      partyRowOf(isOperator ? { partnerId: party.id } : {}),
      html`<p class="empty-title">No connections</p><p>
A Buyer sees the products of the Sellers it is connected with.</p>`,
    ),
    showAll(partners, withQuery('/Operator/Parties', { partnerId: party.id })),
  )
}

function connectCard({ party }: PartyDetail, path: string): Html {
  const other = party.type === 'Buyer' ? 'Seller' : 'Buyer'
  return html`<section class="card" aria-labelledby="connect"><h2 id="connect">Connect with a ${other}</h2>
${findForm({ action: `${path}/Connections`, field: 'party', label: other })}</section>`
}

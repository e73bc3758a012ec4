import type { UserRecord } from '../../identity/accounts/operator-records.ts'
import { detailPage } from '../kit/detail-page.ts'
import { emptyState } from '../kit/empty-state.ts'
import { mayChange } from '../kit/frame.ts'
import { fact } from '../shared/page/blocks.ts'
import { copied } from '../shared/page/copied.ts'
import { html } from '../shared/page/html.ts'
import { type HtmlPage, partyBadge, type UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { withQuery } from '../shared/page/with-query.ts'
import { when } from '../shared/status/history-view.ts'
import { pathTo } from './addresses.ts'
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
import { closingDanger, suspensionDanger, suspensionNotice } from './suspension/suspension-view.ts'

type PartyPageInput = UserShell & {
  detail: PartyDetail
  effect: string
  /** What closing does. */
  closes: string
  message: Message | undefined
}

/** One party: who acts for it, whom it trades with, what it has installed. */
export function partyPage(input: PartyPageInput): HtmlPage {
  const { csrfToken, detail, effect, closes } = input
  const isOperator = mayChange(input)
  const { party, users, installations, partners } = detail
  const path = pathTo('Parties', party.id)
  const isOpen = party.closedAt === null
  const other = party.type === 'Buyer' ? 'Seller' : 'Buyer'
  const connect = { label: `Connect with a ${other}`, href: `${path}/Connections` }
  const create = { label: 'Create a user', href: `/Operator/Users/New?partyId=${party.id}` }
  return detailPage({ console: 'operator', tab: 'Parties' }, input, {
    title: party.name,
    back: { href: '/Operator/Parties', label: 'Accounts' },
    badges: html`${suspendedBadgeOf(party)}${partyBadge(party.type)}`,
    notices: suspensionNotice(party, path, isOperator && csrfToken),
    ...(isOperator && {
      usual: isOpen
        ? [
            { label: 'Add user', href: `${path}/Users` },
            ...(party.type === 'None' ? [] : [connect]),
          ]
        : [],
      others: [{ label: 'Rename', href: `${path}/Edit` }, ...(isOpen ? [create] : [])],
      dangers: [
        ...suspensionDanger(party, path, effect),
        ...closingDanger(party, path, `${closes} Uninstall its apps first.`),
      ],
    }),
    facts: html`${fact('Account ID', copied(party.id))}${fact('Created', when(party.createdAt))}`,
    below: html`<p><a href="${withQuery('/Operator/Audit', { partyId: party.id })}">Audit trail</a></p>`,
    cards: html`${rowsCard(
      'users',
      'Users',
      rows(
        users.entries,
        memberRow(input),
        emptyState('people', 'No users yet.', isOpen && isOperator && create),
      ),
      showAll(users, withQuery('/Operator/Users', { partyId: party.id })),
    )}
${rowsCard(
  'installations',
  'Installed apps',
  rows(
    installations.entries,
    installationRow,
    emptyState('apps', 'No installed apps. Users of this account install them in the marketplace.'),
  ),
  showAll(installations, withQuery('/Operator/Installations', { partyId: party.id })),
)}
${
  party.type !== 'None' &&
  rowsCard(
    'connections',
    `Connected ${other}s`,
    rows(
      partners.entries,
      partyRowOf(isOperator ? { partnerId: party.id } : {}),
      emptyState(
        'company',
        'No connections. A Buyer sees the products of the Sellers it is connected with.',
        isOpen && isOperator && connect,
      ),
    ),
    showAll(partners, withQuery('/Operator/Parties', { partnerId: party.id })),
  )
}`,
  })
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

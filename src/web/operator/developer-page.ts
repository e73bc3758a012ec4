import type { Credential } from '../../identity/accounts/operator-records.ts'
import { detailPage } from '../kit/detail-page.ts'
import { emptyState } from '../kit/empty-state.ts'
import { mayChange } from '../kit/frame.ts'
import { fact } from '../shared/page/blocks.ts'
import { copied } from '../shared/page/copied.ts'
import { html } from '../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { withQuery } from '../shared/page/with-query.ts'
import { when } from '../shared/status/history-view.ts'
import { pathTo } from './addresses.ts'
import { personRows } from './developer-people-view.ts'
import type { DeveloperDetail } from './record-details.ts'
import { appRow, rows, rowsCard, showAll, suspendedBadgeOf } from './record-view.ts'
import { closingDanger, suspensionDanger, suspensionNotice } from './suspension/suspension-view.ts'

type DeveloperPageInput = UserShell & {
  detail: DeveloperDetail
  effect: string
  /** What closing does. */
  closes: string
  message: Message | undefined
}

/** One developer: its apps, its credentials, its people, its sandbox. */
export function developerDetailPage(input: DeveloperPageInput): HtmlPage {
  const { csrfToken, detail, effect, closes } = input
  const { developer, apps, people } = detail
  const isOperator = mayChange(input)
  const isOpen = developer.closedAt === null
  const path = pathTo('Developers', developer.id)
  const credentialRow = ({
    id,
    clientId,
    createdAt,
  }: Credential) => html`<li class="row console-row">
<span class="row-text"><span class="row-name">${copied(clientId)}</span>
<span class="row-note">Created ${when(createdAt)}</span></span>${
    isOperator &&
    html`<a class="button small"
href="${path}/Credentials/${id}/Remove">Remove…<span class="visually-hidden"> ${clientId}</span></a>`
  }</li>
`
  const addCredential = { label: 'Add credential', href: `${path}/Credentials` }
  return detailPage({ console: 'operator', tab: 'Developers' }, input, {
    title: developer.name,
    back: { href: '/Operator/Developers', label: 'Developers' },
    badges: suspendedBadgeOf(developer),
    notices: suspensionNotice(developer, path, isOperator && csrfToken),
    ...(isOperator && {
      usual: [
        { label: 'Rename', href: `${path}/Edit` },
        ...(isOpen ? [{ label: 'Add member', href: `${path}/Members` }] : []),
      ],
      others: isOpen
        ? [
            { label: 'Invite a person', href: `/Operator/Invitations?developer=${developer.id}` },
            addCredential,
          ]
        : [],
      dangers: [
        ...suspensionDanger(developer, path, effect),
        ...closingDanger(
          developer,
          path,
          `${closes} Possible when no account has its apps installed.`,
        ),
      ],
    }),
    facts: html`${fact('Developer ID', copied(developer.id))}${fact('Created', when(developer.createdAt))}
${fact('Sandbox', html`<a href="${pathTo('Parties', developer.sandboxPartyId)}">Account ${developer.sandboxPartyId}</a>`)}`,
    below: html`<p><a href="${withQuery('/Operator/Installations', { developerId: developer.id })}">Installations</a> ·
<a href="${withQuery('/Operator/Audit', { developerId: developer.id })}">Audit trail</a></p>`,
    cards: html`${rowsCard(
      'apps',
      'Apps',
      rows(
        apps.entries,
        appRow,
        emptyState(
          'apps',
          'No apps yet. Developers publish them in their console or through the API.',
        ),
      ),
      showAll(apps, withQuery('/Operator/Apps', { developerId: developer.id })),
    )}
${rowsCard(
  'credentials',
  'Credentials',
  developer.credentials.length === 0
    ? emptyState(
        'keys',
        'No credentials. The developer’s programs cannot sign in without one.',
        isOperator && isOpen && addCredential,
      )
    : html`<ul class="rows">${developer.credentials.map(credentialRow)}</ul>`,
)}
${rowsCard('people', 'Members', personRows(people, path, isOperator && isOpen && csrfToken))}`,
  })
}

import type { Credential } from '../../identity/accounts/operator-records.ts'
import { controlsView } from '../kit/fields.ts'
import { framePage, mayChange } from '../kit/frame.ts'
import type { FormAttempt } from '../shared/forms/form-problems.ts'
import { card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { when } from '../shared/status/history-view.ts'
import { pathTo, withQuery } from './addresses.ts'
import { addPersonCard, personRows } from './developer-people-view.ts'
import { CLIENT_ID, NEW_PASSWORD, namesake } from './forms/field-specs.ts'
import { changeForm, editCard, editing } from './forms/fields.ts'
import type { DeveloperDetail } from './record-details.ts'
import { appRow, rows, rowsCard, showAll, suspendedBadgeOf } from './record-view.ts'
import { closeCard, suspensionCard, suspensionNotice } from './suspension/suspension-view.ts'

type DeveloperPageInput = UserShell & {
  detail: DeveloperDetail
  effect: string
  /** What closing does. */
  closing: string
  attempt: FormAttempt
  message: Message | undefined
}

/** One developer: its apps, its credentials, its sandbox. */
export function developerDetailPage(input: DeveloperPageInput): HtmlPage {
  const { csrfToken, detail, attempt } = input
  const { developer, apps, people } = detail
  const isOperator = mayChange(input)
  const path = pathTo('Developers', developer.id)
  const credentialRow = ({
    id,
    clientId,
    createdAt,
  }: Credential) => html`<li class="row console-row">
<span class="row-text"><span class="row-name"><bdi><code>${clientId}</code></bdi></span><span
class="row-note">Created ${when(createdAt)}</span></span>${
    isOperator &&
    html`<a class="button small"
href="${path}/Credentials/${id}/Remove">Remove…<span class="visually-hidden"> ${clientId}</span></a>`
  }</li>
`
  const noCredentials = html`<div class="empty"><p class="empty-title">No credentials</p><p>
The developer's programs cannot sign in without one.</p></div>`
  return framePage(
    { console: 'operator', tab: 'Developers' },
    { ...input, problems: attempt.problems },
    {
      title: developer.name,
      back: { href: '/Operator/Developers', label: 'Developers' },
      beside: suspendedBadgeOf(developer),
      content: html`${suspensionNotice(developer, path, isOperator && csrfToken)}
<div class="columns"><div class="column">
${rowsCard(
  'apps',
  'Apps',
  rows(
    apps.entries,
    appRow,
    html`<p class="empty-title">No apps yet</p><p>
Developers publish apps in their console or through <a href="/docs/apps">the API</a>.</p>
`,
  ),
  showAll(apps, withQuery('/Operator/Apps', { developerId: developer.id })),
)}
${rowsCard(
  'credentials',
  'Credentials',
  developer.credentials.length === 0
    ? noCredentials
    : html`<ul class="rows">
${developer.credentials.map(credentialRow)}</ul>`,
)}
${rowsCard('people', 'Members', personRows(people, path, isOperator && developer.closedAt === null && csrfToken))}
${isOperator && developer.closedAt === null && addPersonCard(attempt, path, csrfToken)}</div><div class="column">
${card(
  'facts',
  'Details',
  html`<dl class="facts">
${fact('Developer ID', html`<code>${developer.id}</code>`)}${fact('Created', when(developer.createdAt))}
${fact('Sandbox', html`<a href="${pathTo('Parties', developer.sandboxPartyId)}">Account ${developer.sandboxPartyId}</a>`)}
</dl><p><a href="${withQuery('/Operator/Installations', { developerId: developer.id })}">Installations</a> ·
<a href="${withQuery('/Operator/Audit', { developerId: developer.id })}">Audit trail</a></p>`,
)}
${isOperator && changeCards(input, path)}</div></div>`,
    },
  )
}

function changeCards(input: DeveloperPageInput, path: string): Html {
  const { csrfToken, detail, effect, closing, attempt } = input
  const { developer } = detail
  const edit = editing(attempt, { name: developer.name })
  return html`${developer.closedAt === null && credentialCard(input, path)}
${editCard(
  { path, csrfToken },
  'Rename',
  controlsView(
    { name: { label: 'Name' }, ...namesake('Allow two developers with this name') },
    edit,
  ),
)}
${suspensionCard(developer, path, effect)}
${closeCard(developer, path, `${closing} Possible when no account has its apps installed.`)}`
}

function credentialCard({ attempt, csrfToken }: DeveloperPageInput, path: string): Html {
  return card(
    'add',
    'Add a credential',
    html`<p class="muted">A developer can have two, to replace one without downtime.</p>
${changeForm(
  { action: `${path}/Credentials`, csrfToken, button: 'Add credential', kind: '' },
  controlsView({ clientId: CLIENT_ID, password: NEW_PASSWORD }, attempt),
)}`,
  )
}

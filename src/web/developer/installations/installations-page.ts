import { PARTY_TYPES } from '../../../base/values/party-type.ts'
import {
  INSTALLATION_STATUSES,
  type Installation,
} from '../../../marketplace/installations/installation.ts'
import type { SuspensionCause } from '../../../marketplace/installations/suspension-causes.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { type HtmlPage, partyBadge, tile } from '../../shared/page/html-page.ts'
import { when } from '../../shared/status/history-view.ts'
import { STATUSES, standingOf, statusBadge } from '../../shared/status/status-badge.ts'
import { ownInstallationPath } from '../console-frame.ts'
import { type AppChoices, appFilter, selectFilter } from '../filter-controls.ts'

/** What the list is narrowed to. */
type OwnInstallationFilters = {
  appId?: string | undefined
  partyType?: Installation['partyType'] | undefined
  status?: Installation['status'] | undefined
}

type OwnRow = Installation & { suspensions: readonly SuspensionCause[] }

type OwnInstallationsPageInput = Visit & {
  filters: OwnInstallationFilters
  /** The filters as the address has them. */
  typed: FormFields
  choices: AppChoices
  installations: readonly OwnRow[]
  /** Whether the list is continued from a page before. */
  isContinued: boolean
  /** Where the next page begins, if there is one. */
  cursor: string | undefined
}

const PARTY_TEXT = { Buyer: 'Buyers', Seller: 'Sellers', None: 'Your sandbox' } as const

/** Who has installed the developer's apps, oldest first. */
export function ownInstallationsPage(input: OwnInstallationsPageInput): HtmlPage {
  const { installations, filters, cursor, isContinued, problems = [] } = input
  const query = queryOf(filters)
  return framePage({ console: 'developer', section: 'installations' }, input, {
    title: 'Installations',
    lead: html`Accounts using your apps. <a href="/Developer/Events">View events</a>`,
    content: html`${filterForm(input)}
${
  installations.length === 0
    ? empty(query !== '' || isContinued || problems.length > 0)
    : html`<div class="card flush"><ul class="rows">${installations.map(row)}</ul></div>`
}
${
  (cursor !== undefined || isContinued) &&
  html`<p class="actions">
${
  isContinued &&
  html`<a class="button" href="/Developer/Installations${query && `?${query}`}">First
page</a>`
}${
  cursor !== undefined &&
  html`<a class="button"
href="/Developer/Installations?${query && `${query}&`}cursor=${encodeURIComponent(cursor)}">Next page</a>`
}</p>`
}`,
  })
}

function queryOf(filters: OwnInstallationFilters): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given as [string, string][]).toString()
}

function filterForm({ choices, typed, problems = [] }: OwnInstallationsPageInput): Html {
  const parties = PARTY_TYPES.map((type) => [type, PARTY_TEXT[type]] as const)
  const statuses = INSTALLATION_STATUSES.map((status) => [status, STATUSES[status].text] as const)
  const shared = { typed, problems }
  return html`<form class="search" method="get" action="/Developer/Installations">
${appFilter({ ...choices, ...shared })}${selectFilter({
  name: 'partyType',
  label: 'Installed by',
  all: 'All accounts',
  options: parties,
  ...shared,
})}${selectFilter({
  name: 'status',
  label: 'Status',
  all: 'Active and suspended',
  options: statuses,
  ...shared,
})}<button class="button" type="submit">Show</button></form>`
}

function empty(isFiltered: boolean): Html {
  return isFiltered
    ? html`<div class="card"><div class="empty"><p class="empty-title">No results</p><p>
<a href="/Developer/Installations">Show all installations</a></p></div></div>`
    : html`<div class="card"><div class="empty"><p class="empty-title">No installations yet</p><p>
List an app so that accounts can find it, or <a href="/Developer">try one in your sandbox</a>.</p></div></div>
`
}

function row(one: OwnRow): Html {
  return html`<li class="row">
${tile(one.appName)}<span class="row-text"><a class="row-name"
href="${ownInstallationPath(one.id)}"><bdi>${one.partyName}</bdi><span class="visually-hidden"> with
${one.appName}</span></a><span class="row-note"><bdi>${one.appName}</bdi> <bdi>${one.installedVersion}</bdi> ·
option <bdi>${one.purchaseOptionId}</bdi> · since
${when(one.installDate)}</span></span><span class="badges row-badges">${partyBadge(one.partyType)}${statusBadge(standingOf(one))}</span>
</li>
`
}

import { actionList, pager } from '../kit/action-list.ts'
import { appFace } from '../kit/avatar.ts'
import { markBadge, stateBadge } from '../kit/badge.ts'
import { emptyState } from '../kit/empty-state.ts'
import { controlsView, type FormSpec } from '../kit/fields.ts'
import { framePage } from '../kit/frame.ts'
import { type Column, tableView } from '../kit/table.ts'
import { monthlyTotal, priceText } from '../shared/app-parts/amounts.ts'
import { openLink, openPath } from '../shared/app-parts/open-link.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import {
  type HtmlPage,
  hiddenFields,
  partyBadge,
  type UserShell,
} from '../shared/page/html-page.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import { when } from '../shared/status/history-view.ts'
import { requestsNotice } from '../shared/status/requests-notice.ts'
import {
  backgroundBadge,
  runsInBackground,
  standingOf,
  statusBadge,
} from '../shared/status/status-badge.ts'
import { suspensionNote } from '../shared/status/suspension-notices.ts'
import type { InstalledRow } from './installation-shown.ts'

type InstalledList = UserShell & {
  installations: readonly InstalledRow[]
  /** The accounts of the user, and the one that the list is narrowed to. */
  parties: readonly PageParty[]
  partyId: number | undefined
  /** The account that the visitor has chosen for all pages: an address need not name it. */
  chosenId: number | undefined
  /** Given when the list is of what was left. */
  status: 'uninstalled' | undefined
  /** The cursor of the next page, if there is one, and whether there is a page before. */
  cursor: string | undefined
  isContinued: boolean
  /** What cannot be read of the filters: then nothing is listed. */
  problems: readonly FormProblem[]
  message: string | undefined
  /** How many install requests wait for the user as an admin. */
  requestsToDecide: number
}

/** Everything that is installed for the user's accounts. */
export function installedListPage(input: InstalledList): HtmlPage {
  const { installations, status, cursor, problems, isContinued } = input
  const title = status === undefined ? 'Installed apps' : 'Uninstalled apps'
  const others = status === undefined ? 'uninstalled' : undefined
  const isWhole = cursor === undefined && !isContinued
  const content = html`${requestsNotice(input.requestsToDecide)}
${accountFilter(input)}
${
  problems.length > 0
    ? html`<div class="card">${emptyState('search', 'No results. Correct the filter.', {
        ...{ href: '/Installed', label: 'Show your installed apps' },
      })}</div>`
    : installations.length === 0
      ? (status === undefined ? empty : emptyPast)
      : html`<div class="card flush">${isWhole && status === undefined && totalOf(installations)}
${tableView({ caption: title, columns: columnsOf(input), entries: installations })}</div>`
}
${pager({ next: cursor !== undefined && { href: addressOf(input, status, cursor), label: 'Next' } })}
${actionList([
  html`<a class="button" href="${addressOf(input, others)}">${
    status === undefined ? 'Show uninstalled' : 'Show installed'
  }</a>`,
  html`<a class="button" href="/Apps">Find more apps</a>`,
])}`
  return framePage({ console: 'account', section: 'installed' }, input, {
    title,
    lead:
      status === undefined
        ? 'Open, configure or uninstall your apps.'
        : 'Apps that your accounts have uninstalled.',
    layout: 'wide',
    content,
  })
}

/** What all of them cost in a month, for each currency. */
function totalOf(installations: readonly InstalledRow[]): Html | false {
  const byCurrency = Map.groupBy(
    installations.filter(({ quote }) => quote.monthlyCost > 0),
    ({ quote }) => quote.currency,
  )
  if (byCurrency.size === 0) return false
  const sums = [...byCurrency].map(([currency, list]) =>
    monthlyTotal(
      list.map(({ quote }) => quote.monthlyCost),
      currency,
    ),
  )
  const hasYearly = installations.some(({ quote }) => quote.annualCharge !== null)
  return html`<p class="list-bar">Total today: ${sums.join(' + ')} per month${
    hasYearly && ', with a twelfth of each yearly price'
  }</p>`
}

function columnsOf({ status, parties }: InstalledList): Column<InstalledRow>[] {
  const isPast = status !== undefined
  const columns: Column<InstalledRow>[] = [
    { label: 'App', cell: nameOf },
    ...(parties.length > 1
      ? [{ label: 'Account', cell: accountOf } satisfies Column<InstalledRow>]
      : []),
    { label: 'Version', cell: ({ installedVersion }) => html`<bdi>${installedVersion}</bdi>` },
    { label: 'Option', cell: ({ option }) => html`<bdi>${option.name}</bdi>` },
    { label: 'Price', cell: ({ quote, option }) => priceText(quote, option) },
    { label: 'Since', cell: ({ installDate }) => when(installDate) },
    { label: 'State', cell: stateOf },
    { label: 'Actions', cell: actionOf, phone: 'end' },
  ]
  return isPast ? columns.filter(({ label }) => label !== 'Price' && label !== 'State') : columns
}

function nameOf({ id, appId, appName }: InstalledRow): Html {
  return html`<span class="installed-name">${appFace(appId)}<a class="row-name" href="/Installed/${id}"><bdi>${appName}</bdi></a></span>`
}

function accountOf({ partyName, partyType }: InstalledRow): Html {
  return html`<bdi>${partyName}</bdi> ${partyBadge(partyType)}`
}

function stateOf(one: InstalledRow): Html {
  return html`<span class="badges">${badges(one)}</span>${suspensionNote(one.suspensions)}`
}

function actionOf(one: InstalledRow): Html | false {
  return html`${one.openUrl !== null && openLink({ ...one, site: appSiteOf(one, one.openUrl) })}${
    one.again !== null && againLink(one, one.again)
  }`
}

function addressOf(
  { partyId, chosenId }: InstalledList,
  status: 'uninstalled' | undefined,
  cursor?: string,
): string {
  const query = new URLSearchParams({
    ...(partyId === chosenId ? {} : { partyId: String(partyId ?? '') }),
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { cursor }),
  })
  return query.size === 0 ? '/Installed' : `/Installed?${query}`
}

const emptyPast = html`<div class="card">${emptyState(
  'apps',
  'No uninstalled apps. Apps that you uninstall appear here with their history.',
)}</div>`

const empty = html`<div class="card">${emptyState(
  'apps',
  'No installed apps yet. Each listing shows what the app does, its permissions and its price.',
  { href: '/Apps', label: 'Browse the apps' },
)}</div>`

function accountFilter(input: InstalledList): Html | false {
  const { parties, partyId, status, problems } = input
  if (parties.length < 2) return false
  const choices = parties.map((one) => [String(one.partyId), one.partyName] as const)
  const fields: FormSpec = {
    partyId: { label: 'Account', kind: 'choice', choices: [['', 'All accounts'], ...choices] },
  }
  const typed = new Map([['partyId', String(partyId ?? '')]])
  return html`<form class="search" method="get" action="/Installed">
    ${hiddenFields({ status })}
    ${controlsView(fields, { typed, problems })}
    <button class="button" type="submit">Show</button>
  </form>`
}

/** Leads to the install of an app that was uninstalled, with its account, option and settings. */
export function againLink(
  one: Pick<InstalledRow, 'id' | 'appId' | 'appName' | 'partyId' | 'purchaseOptionId'>,
  who: 'admin' | 'member',
): Html {
  const query = new URLSearchParams({
    partyId: String(one.partyId),
    purchaseOptionId: one.purchaseOptionId,
    from: one.id,
  })
  const path = `/Apps/${encodeURIComponent(one.appId)}/Install`
  return html`<a class="button" href="${path}?${query.toString()}">${
    who === 'admin' ? 'Install' : 'Request'
  } again<span
class="visually-hidden">: ${one.appName}</span></a>`
}

/** The own site of an app that opens from there; null when the app opens by a path of this one. */
export function appSiteOf(one: { appId: string; partyId: number }, openUrl: string): string | null {
  return openUrl.endsWith(openPath(one)) ? null : openUrl
}

/** What needs attention, at a glance. */
function badges(one: InstalledRow): Html {
  const { upgrade, missingSettings } = one
  const standing = standingOf(one)
  return html`${statusBadge(standing)}${runsInBackground(one) && backgroundBadge}${
    upgrade !== null && markBadge(html`Version <bdi>${upgrade.version}</bdi> available`)
  }${one.status !== 'uninstalled' && missingSettings.length > 0 && stateBadge('warn', 'Settings needed')}`
}

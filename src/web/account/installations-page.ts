import { actionList } from '../kit/action-list.ts'
import { appFace } from '../kit/avatar.ts'
import { markBadge, stateBadge } from '../kit/badge.ts'
import { fileColumn, type ListColumn } from '../kit/columns.ts'
import { emptyState } from '../kit/empty-state.ts'
import type { Filter } from '../kit/list-page.ts'
import { monthlyTotal, priceText } from '../shared/app-parts/amounts.ts'
import { openLink, openPath } from '../shared/app-parts/open-link.ts'
import { type Html, html } from '../shared/page/html.ts'
import { partyBadge } from '../shared/page/html-page.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import { when } from '../shared/status/history-view.ts'
import { requestsNotice } from '../shared/status/requests-notice.ts'
import {
  backgroundBadge,
  runsInBackground,
  STATUSES,
  standingOf,
  statusBadge,
} from '../shared/status/status-badge.ts'
import { suspensionNote } from '../shared/status/suspension-notices.ts'
import { upgradesNotice } from '../shared/status/upgrades-notice.ts'
import type { InstalledRow } from './installation-shown.ts'

export const INSTALLED_PATH = '/Installed'

type InstalledList = {
  /** The accounts of the user, and the one that the list is narrowed to. */
  parties: readonly PageParty[]
  partyId: number | undefined
  /** The account that the visitor has chosen for all pages: an address need not name it. */
  chosenId: number | undefined
  /** Given when the list is of what was left. */
  status: 'uninstalled' | undefined
}

/** How everything looks that is installed for the user's accounts, and what was uninstalled. */
export function installedList(input: InstalledList) {
  const { parties, partyId, status } = input
  const choices = parties.map((one) => [String(one.partyId), one.partyName] as const)
  const account: Filter = {
    kind: 'select',
    name: 'partyId',
    label: 'Account',
    options: [['', 'All accounts'], ...choices],
  }
  return {
    title: status === undefined ? 'Installed apps' : 'Uninstalled apps',
    lead:
      status === undefined
        ? 'Open, configure or uninstall your apps.'
        : 'Apps that your accounts have uninstalled.',
    path: addressOf(input, status),
    filters: parties.length > 1 ? [account] : [],
    typed: new Map([['partyId', String(partyId ?? '')]]),
    columns: () => columnsOf(input),
    empty: status === undefined ? NONE_INSTALLED : NONE_UNINSTALLED,
  }
}

/** What the list has around its rows: what waits, what a whole list costs, the way to others. */
export function aroundInstalled(
  input: InstalledList,
  shown: {
    entries: readonly InstalledRow[]
    isWhole: boolean
    requestsToDecide: number
    upgrades: number
  },
) {
  const { status } = input
  const others = status === undefined ? 'uninstalled' : undefined
  return {
    above: html`${requestsNotice(shown.requestsToDecide)}${upgradesNotice(shown.upgrades)}`,
    total: shown.isWhole && status === undefined && totalOf(shown.entries),
    below: actionList([
      html`<a class="button" href="${addressOf(input, others)}">${
        status === undefined ? 'Show uninstalled' : 'Show installed'
      }</a>`,
      html`<a class="button" href="/Apps">Find more apps</a>`,
    ]),
  }
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
  return html`Total today: ${sums.join(' + ')} per month${
    hasYearly && ', with a twelfth of each yearly price'
  }`
}

function columnsOf({ status, parties }: InstalledList): ListColumn<InstalledRow>[] {
  const isPast = status !== undefined
  /** What was uninstalled costs nothing. */
  const ofPrice = <Value>(value: Value) => (isPast ? null : value)
  return [
    { label: 'App', value: ({ appName }) => appName, cell: nameOf },
    fileColumn('App ID', ({ appId }) => appId),
    {
      label: 'Account',
      value: ({ partyName }) => partyName,
      cell: accountOf,
      ...(parties.length < 2 && { isOnlyInFile: true }),
    },
    fileColumn('Account ID', ({ partyId }) => partyId),
    {
      label: 'Version',
      value: ({ installedVersion }) => installedVersion,
      cell: ({ installedVersion }) => html`<bdi>${installedVersion}</bdi>`,
    },
    {
      label: 'Option',
      value: ({ option }) => option.name,
      cell: ({ option }) => html`<bdi>${option.name}</bdi>`,
    },
    {
      label: 'Price',
      value: ({ quote, option }) => ofPrice(priceText(quote, option)),
      cell: ({ quote, option }) => priceText(quote, option),
      ...(isPast && { isOnlyInFile: true }),
    },
    fileColumn('Monthly cost', ({ quote }) => ofPrice(quote.monthlyCost)),
    fileColumn('Currency', ({ quote }) => ofPrice(quote.currency)),
    {
      label: 'Since',
      sort: 'since',
      value: ({ installDate }) => installDate,
      cell: ({ installDate }) => when(installDate),
    },
    {
      label: 'State',
      value: (one) => STATUSES[standingOf(one)].text,
      cell: stateOf,
      ...(isPast && { isOnlyInFile: true }),
    },
    fileColumn('Installation ID', ({ id }) => id),
    { label: 'Actions', cell: actionOf, phone: 'end' },
  ]
}

function nameOf({ id, appId, appName, iconId }: InstalledRow): Html {
  const link = html`<a class="row-name" href="/Installed/${id}"><bdi>${appName}</bdi></a>`
  return html`<span class="installed-name">${appFace(appId, iconId)}${link}</span>`
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
): string {
  const query = new URLSearchParams({
    ...(partyId === chosenId ? {} : { partyId: String(partyId ?? '') }),
    ...(status === undefined ? {} : { status }),
  })
  return query.size === 0 ? INSTALLED_PATH : `${INSTALLED_PATH}?${query}`
}

const NONE_UNINSTALLED = emptyState(
  'apps',
  'No uninstalled apps. Apps that you uninstall appear here with their history.',
)

const NONE_INSTALLED = emptyState(
  'apps',
  'No installed apps yet. Each listing shows what the app does, its permissions and its price.',
  { href: '/Apps', label: 'Browse the apps' },
)

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

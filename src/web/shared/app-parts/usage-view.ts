import { PERMISSIONS } from '../../../marketplace/apps/permissions.ts'
import { budgetOfDay } from '../../../marketplace/usage/budget.ts'
import { dayOf, dayText } from '../../../marketplace/usage/days.ts'
import { NO_PERMISSION } from '../../../marketplace/usage/held-usage.ts'
import type { InstallationUsage } from '../../../marketplace/usage/usage.ts'
import { stateBadge } from '../../kit/badge.ts'
import { barChart } from '../../kit/bar-chart.ts'
import { type Column, tableView } from '../../kit/table.ts'
import { card, fact } from '../page/blocks.ts'
import { type Html, html } from '../page/html.ts'
import { when } from '../status/history-view.ts'

const DAY_MS = 86_400_000
/** After so many days without use, a permission is pointed out. */
const UNUSED_DAYS = 90

type Side = 'account' | 'developer' | 'operator'
type Sums = Pick<InstallationUsage['days'][number], 'requests' | 'records' | 'refusals'>
type Permission = InstallationUsage['permissions'][number]
/** What is told of one permission: of `none` only its sums. */
type PermissionRow = Sums & { id: string; used: Permission | undefined }

/** How an installation uses its permissions and its limit, as one side reads it. */
export function usageCard(usage: InstallationUsage, side: Side, now: Date): Html {
  const days = daysOf(usage)
  const all = sumOf(usage.days)
  return card(
    'usage',
    'Usage',
    html`${unusedNotice(usage, side, now)}<dl class="facts">
${fact('Limit', limitText(usage))}
${fact('Today', todayText(usage, days.at(-1)))}
${fact('Refused', refusedText(all))}</dl>
${requestsChart(days, all)}
${tableView({ caption: 'Use by permission', columns: columnsAt(now), entries: rowsOf(usage) })}
${all.requests > 0 && html`<details><summary>View days as table</summary>${daysTable(days)}</details>\n`}
<p class="fine">Last ${days.length} days, UTC, written once a minute</p>
`,
  )
}

function isUnused({ unusedSince }: Permission, now: Date): boolean {
  return now.getTime() - unusedSince.getTime() >= UNUSED_DAYS * DAY_MS
}

const WHAT_TO_DO = {
  account: 'If you no longer need the app, uninstall it.',
  developer: 'Leave out of the next version what your app does not need.',
  operator: '',
} as const satisfies Record<Side, string>

function unusedNotice({ permissions }: InstallationUsage, side: Side, now: Date): Html | false {
  const unused = permissions.filter((one) => isUnused(one, now))
  if (unused.length === 0) return false
  const which = unused.length === permissions.length ? 'any' : String(unused.length)
  return html`<div class="notice"><p>
<strong>The app has not used ${which} of its permissions in ${UNUSED_DAYS} days.</strong> ${WHAT_TO_DO[side]}</p></div>
`
}

function limitText({ limitPerMinute }: InstallationUsage): string {
  if (limitPerMinute === null) return 'None'
  return `${requestCount(limitPerMinute)} per minute`
}

function todayText({ limitPerMinute }: InstallationUsage, today: Day | undefined): string {
  const { requests, refusals }: Sums = today ?? sumOf([])
  if (limitPerMinute === null) return requestCount(requests)
  const budget = budgetOfDay(limitPerMinute)
  const percent = Math.floor(((requests - (refusals.too_many_requests ?? 0)) / budget) * 100)
  return `${requestCount(requests)}, ${percent}% of the daily budget of ${budget.toLocaleString('en')}`
}

const REASONS: Readonly<Record<string, string>> = {
  too_many_requests: 'over the limit',
  insufficient_scope: 'without permission',
}

function refusedText({ refusals }: Sums): Html | string {
  const reasons = Object.entries(refusals)
  if (reasons.length === 0) return 'None'
  return html`${reasons.map(([code, count], index) => {
    const reason = REASONS[code] ?? html`<code>${code}</code>`
    return html`${index > 0 && ', '}${count.toLocaleString('en')} ${reason}`
  })}`
}

type Day = Sums & { day: number }

/** Each day that is shown, the oldest first, also those without requests. */
function daysOf({ from, to, days }: InstallationUsage): Day[] {
  const first = dayOf(from)
  const shown = Array.from({ length: dayOf(to) - first + 1 }, (_, index) => ({
    day: first + index,
    ...sumOf([]),
  }))
  for (const one of days) {
    const sums = shown[dayOf(one.day) - first]
    if (sums !== undefined) addTo(sums, one)
  }
  return shown
}

function sumOf(all: readonly Sums[]): Sums {
  const sums: Sums = { requests: 0, records: 0, refusals: {} }
  for (const one of all) addTo(sums, one)
  return sums
}

function addTo(sums: Sums, { requests, records, refusals }: Sums): void {
  sums.requests += requests
  sums.records += records
  for (const [code, count] of Object.entries(refusals)) {
    sums.refusals[code] = (sums.refusals[code] ?? 0) + count
  }
}

function refusedOf({ refusals }: Sums): number {
  return Object.values(refusals).reduce((sum, count) => sum + count, 0)
}

function requestCount(count: number): string {
  return `${count.toLocaleString('en')} request${count === 1 ? '' : 's'}`
}

const SHOWN_DAY = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const

function requestsChart(days: readonly Day[], { requests }: Sums): Html {
  if (requests === 0) return html`<p class="muted">No requests in the last ${days.length} days.</p>`
  const most = Math.max(...days.map((one) => one.requests))
  const chart = barChart({
    id: 'usage',
    title: `Requests per day, last ${days.length} days`,
    total: requests.toLocaleString('en'),
    highest: `at most ${most.toLocaleString('en')} a day`,
    bars: days.map((one) => ({
      value: one.requests,
      text: one.requests.toLocaleString('en'),
      at: new Date(one.day * DAY_MS).toLocaleDateString('en-GB', SHOWN_DAY),
    })),
  })
  return html`<div class="charts">${chart}</div>`
}

/** The permissions of the installation, then what else was used or tried. */
function rowsOf({ permissions, days }: InstallationUsage): PermissionRow[] {
  const granted = permissions.map(({ permission }) => permission)
  const ids = new Set([...granted, ...days.map(({ permission }) => permission)])
  return [...ids].map((id) => ({
    id,
    used: permissions.find(({ permission }) => permission === id),
    ...sumOf(days.filter(({ permission }) => permission === id)),
  }))
}

function columnsAt(now: Date): Column<PermissionRow>[] {
  return [
    { label: 'Permission', cell: ({ id }) => permissionName(id) },
    {
      label: 'Requests',
      isNumeric: true,
      cell: ({ requests }) => requests.toLocaleString('en'),
    },
    { label: 'Products', isNumeric: true, cell: ({ records }) => records.toLocaleString('en') },
    { label: 'Refused', isNumeric: true, cell: (row) => refusedOf(row).toLocaleString('en') },
    { label: 'Last used', cell: ({ used }) => used !== undefined && lastUse(used, now) },
  ]
}

function permissionName(id: string): Html | string {
  if (id === NO_PERMISSION) return 'Without a permission'
  return PERMISSIONS.find((one) => one.id === id)?.title ?? html`<code>${id}</code>`
}

function lastUse(used: Permission, now: Date): Html {
  const { lastUsedAt } = used
  if (isUnused(used, now)) {
    const never = lastUsedAt === null
    const badge = stateBadge('warn', `${never ? 'Never' : 'Not'} used in ${UNUSED_DAYS} days`)
    return never ? badge : html`${badge} ${when(lastUsedAt)}`
  }
  return lastUsedAt === null ? html`<span class="muted">Not yet</span>` : when(lastUsedAt)
}

function daysTable(days: readonly Day[]): Html {
  const rows = days.map(
    (one) => html`<tr><th scope="row">${dayText(one.day)}</th>
<td>${one.requests.toLocaleString('en')}</td><td>${one.records.toLocaleString('en')}</td>
<td>${refusedOf(one).toLocaleString('en')}</td></tr>
`,
  )
  return html`<div class="table" role="region" tabindex="0" aria-label="Usage by day"><table>
<thead><tr><th scope="col">Day</th><th scope="col">Requests</th><th scope="col">Products</th>
<th scope="col">Refused</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

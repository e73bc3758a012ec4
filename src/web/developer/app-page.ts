import { COUNTED_MAX } from '../../base/values/page-of-list.ts'
import type { AppRecord } from '../../marketplace/apps/app-record.ts'
import { missingForListing } from '../../marketplace/apps/missing-for-listing.ts'
import type { Event } from '../../marketplace/events/event-schemas.ts'
import { appFace } from '../kit/avatar.ts'
import { typeBadge } from '../kit/badge.ts'
import { barChart } from '../kit/bar-chart.ts'
import { framePage, type Visit } from '../kit/frame.ts'
import { termsLinks } from '../shared/app-parts/consent-view.ts'
import { card, fact } from '../shared/page/blocks.ts'
import { copied } from '../shared/page/copied.ts'
import { countText, installationCount } from '../shared/page/counts.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage } from '../shared/page/html-page.ts'
import {
  type HistoryPage,
  historyPage,
  namesForDeveloper,
  when,
} from '../shared/status/history-view.ts'
import { appBadges, ownAppPath } from './console-frame.ts'
import { missingList } from './listing-question-page.ts'
import { healthBadge } from './webhooks/endpoint-words.ts'
import { webhookPath } from './webhooks/webhook-paths.ts'

type OwnAppPageInput = Visit & {
  app: AppRecord
  installations: number
  /** How many of them have the newest version; both are counted up to COUNTED_MAX. */
  onNewest: number
  installsByDay: readonly { day: Date; installs: number; uninstalls: number }[]
  lastEvent: Event | undefined
  /** Whether it is installed in the developer's sandbox. */
  inSandbox: boolean
  history: HistoryPage
  /** The names of the people in its history. */
  people: ReadonlyMap<string, string>
}

/** One of the developer's apps: how it fares, what it lacks, and what can be done with it. */
export function ownAppPage(input: OwnAppPageInput): HtmlPage {
  const { app, history } = input
  const path = ownAppPath(app.id)
  const place = { console: 'developer', section: 'own-apps' } as const
  return framePage({ ...place, app: { id: app.id, tab: 'Overview' } }, input, {
    title: app.name,
    back: { href: '/Developer', label: 'Your apps' },
    head: head(input, path),
    content: html`${app.suspended && suspendedNotice(app)}
<div class="columns">
<div class="column">
${activity(input)}
${app.visibility !== 'listed' && listing(app, path)}
${card('history', 'History', historyPage(history, namesForDeveloper(input.people), path))}</div>
<div class="column">
${facts(app)}
${termsCard(app, path)}
${card(
  'delete',
  'Delete this app',
  html`<p class="muted">You can delete an app only while no account has it installed. Its ID can never be reused.</p>
<p><a class="button danger" href="${path}/Delete">Delete…</a></p>`,
)}</div></div>`,
  })
}

function suspendedNotice({ suspendedReason }: AppRecord): Html {
  return html`<div class="notice error"><p>
<strong>The operator has suspended this app.</strong> Nobody can find, install or open it, and its tokens are
refused.${suspendedReason !== null && html` Reason: <bdi>${suspendedReason}</bdi>`}</p></div>`
}

function head({ app, inSandbox }: OwnAppPageInput, path: string): Html {
  return html`<div class="listing-head">
${appFace(app.id, app.icon?.id)}
<div class="listing-title">
<h1><bdi>${app.name}</bdi></h1>
<p class="row-note">version <bdi>${app.version}</bdi></p>
<p class="badges">${appBadges(app)}${app.partyTypes.map((type) => typeBadge(`For ${type}s`))}</p></div>
<div class="actions">
<a class="button" href="${path}/Sandbox">Install in the sandbox</a>
${app.authReturnUrl !== null && inSandbox && html`<a class="button" href="${path}/Sandbox/Open">Open in the sandbox</a>`}
${
  app.listed
    ? html`<a class="button" href="${path}/Unlist">Unlist…</a>`
    : html`<a class="button primary" href="${path}/List">List…</a>`
}
<a class="button" href="${path}/Visibility">Who finds it…</a></div></div>`
}

/** Who uses it, and whether its events arrive. */
function activity(input: OwnAppPageInput): Html {
  const { app, installations, installsByDay, lastEvent } = input
  const ofApp = `?appId=${encodeURIComponent(app.id)}`
  const failing = app.webhooks.filter(
    ({ status, health }) => status === 'disabled' || health === 'failing',
  )
  return card(
    'activity',
    'Activity',
    html`<dl class="facts">
${fact('Active', html`<a href="/Developer/Installations${ofApp}">${installationCount(installations)}</a>`)}
${versionShare(input)}
${fact(
  'Last event',
  lastEvent === undefined
    ? html`<span class="muted">None yet</span>`
    : html`<a href="/Developer/Events${ofApp}"><code>${lastEvent.type}</code></a> ${when(new Date(lastEvent.timestamp))}`,
)}
${fact('Endpoints', endpointsText(app, failing))}</dl>
${changesByDay(installsByDay)}`,
  )
}

/** How many have come to the newest version; nothing where there are more than are counted. */
function versionShare({ app, installations, onNewest }: OwnAppPageInput): Html | false {
  if (installations === 0 || installations >= COUNTED_MAX) return false
  const share = `${Math.floor((onNewest / installations) * 100)}%`
  return fact(
    'Upgraded',
    html`${countText(onNewest)} of ${countText(installations)} on version <bdi>${app.version}</bdi> · ${share}`,
  )
}

const DAY = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const

/** Installs and uninstalls of each of the last days. */
function changesByDay(days: OwnAppPageInput['installsByDay']): Html {
  const installs = days.map(({ day, installs }) => ({ day, count: installs }))
  const uninstalls = days.map(({ day, uninstalls }) => ({ day, count: uninstalls }))
  const hasNone = days.every((one) => one.installs + one.uninstalls === 0)
  return html`<div class="charts">${countChart('installs', installs)}${
    !hasNone && countChart('uninstalls', uninstalls)
  }</div>
`
}

/** Counts of each of the last days, with how many they are together. */
function countChart(
  what: 'installs' | 'uninstalls',
  days: readonly { day: Date; count: number }[],
): Html {
  const total = days.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return html`<p class="muted">No ${what} in the last 30 days.</p>\n`
  const most = Math.max(...days.map(({ count }) => count))
  return barChart({
    id: what,
    title: `${what === 'installs' ? 'Installs' : 'Uninstalls'} per day, last 30 days`,
    total: countText(total),
    highest: `at most ${countText(most)} a day`,
    isBad: what === 'uninstalls',
    bars: days.map(({ day, count }) => ({
      value: count,
      text: countText(count),
      at: day.toLocaleDateString('en-GB', DAY),
    })),
  })
}

function endpointsText({ id, webhooks }: AppRecord, failing: AppRecord['webhooks']): Html | string {
  if (webhooks.length === 0)
    return html`<span class="muted">None: events are only in the log</span>`
  if (failing.length === 0)
    return webhooks.length === 1 ? 'Healthy' : `All ${webhooks.length} are healthy`
  return html`${failing.map(
    (
      one,
    ) => html`<a href="${webhookPath({ appId: id, id: one.id })}"><bdi>${one.url}</bdi></a> ${healthBadge(one)}
`,
  )}`
}

function listing(app: AppRecord, path: string): Html {
  const missing = missingForListing(app)
  if (missing.length === 0) {
    return card(
      'listing',
      'Listing',
      html`<p>Nothing is missing. <a href="${path}/List">List this app</a></p>`,
    )
  }
  return card(
    'listing',
    'Missing for listing',
    missingList(missing),
    html`<a class="button small" href="${path}/Definition">Edit definition</a>`,
  )
}

function facts(app: AppRecord): Html {
  const address = (label: string, url: string | null, none = 'None') =>
    fact(label, url === null ? html`<span class="muted">${none}</span>` : html`<bdi>${url}</bdi>`)
  const delivery =
    app.tokenDelivery === 'code'
      ? 'By authorization code only'
      : 'In the URL, or by authorization code'
  return card(
    'facts',
    'Details',
    html`<dl class="facts">
${fact('App ID', copied(app.id))}
${address('Return address', app.authReturnUrl, 'None: runs in the background')}
${app.authReturnUrl !== null && fact('Token delivery', delivery)}
${address('Website', app.websiteUrl)}
${address('Support', app.supportUrl)}
${fact('Created', when(app.createdAt))}
${fact('Changed', when(app.updatedAt))}</dl>
${app.visibility !== 'draft' && !app.suspended && html`<p><a href="/Apps/${encodeURIComponent(app.id)}">View listing</a></p>`}`,
  )
}

function termsCard({ termsDocument }: AppRecord, path: string): Html {
  return card(
    'terms',
    'Terms document',
    termsDocument === null
      ? html`<p class="muted">No terms document.</p>`
      : termsLinks(termsDocument, `${path}/Terms/Document`),
    html`<a class="button small" href="${path}/Terms">${termsDocument === null ? 'Add' : 'Change'}</a>`,
  )
}

import { priceText } from '../shared/app-parts/amounts.ts'
import { openLink, openPath } from '../shared/app-parts/open-link.ts'
import { describedBy, type FormProblem, problemSummary } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, page, partyBadge, tile, type UserShell } from '../shared/page/html-page.ts'
import { messageView } from '../shared/page/message-view.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import { requestsNotice } from '../shared/status/requests-notice.ts'
import {
  backgroundBadge,
  runsInBackground,
  standingOf,
  statusBadge,
} from '../shared/status/status-badge.ts'
import { suspensionNote } from '../shared/status/suspension-notices.ts'
import type { InstalledRow } from './installation-shown.ts'

type InstalledListPageInput = UserShell & {
  installations: readonly InstalledRow[]
  /** The accounts of the user, and the one that the list is narrowed to. */
  parties: readonly PageParty[]
  partyId: number | undefined
  /** The account that the visitor has chosen for all pages: an address need not name it. */
  chosenId: number | undefined
  /** Given when the list is of what was left. */
  status: 'uninstalled' | undefined
  /** The cursor of the next page, if there is one. */
  cursor: string | undefined
  /** What cannot be read of the filters: then nothing is listed. */
  problems: readonly FormProblem[]
  /** What has just happened, in words. */
  message: string | undefined
  /** How many install requests wait for the user as an admin. */
  requestsToDecide: number
}

/** Everything that is installed for the user's accounts. */
export function installedListPage(input: InstalledListPageInput): HtmlPage {
  const { user, csrfToken, assetVersion, installations, message, status, cursor, problems } = input
  const title = status === undefined ? 'Installed apps' : 'Uninstalled apps'
  const others = status === undefined ? 'uninstalled' : undefined
  const body = html`<div class="page-head"><h1>${title}</h1><p class="lead">
${status === undefined ? 'Open, configure or uninstall your apps.' : 'Apps that your accounts have uninstalled.'}
</p></div>
${messageView(message)}
${requestsNotice(input.requestsToDecide)}
${problemSummary(problems)}
${accountFilter(input)}
${
  problems.length > 0
    ? nothing
    : installations.length === 0
      ? (status === undefined ? empty : emptyPast)
      : html`<div class="card flush"><ul class="rows">${installations.map(row)}</ul></div>`
}
<p class="actions">${
    cursor !== undefined &&
    html`<a class="button primary" rel="next"
href="${addressOf(input, status, cursor)}">Next</a> `
  }<a class="button"
href="${addressOf(input, others)}">${status === undefined ? 'Show uninstalled' : 'Show installed'}</a>
<a class="button" href="/Apps">Find more apps</a></p>`
  return page({
    user,
    csrfToken,
    assetVersion,
    title,
    hasProblems: problems.length > 0,
    section: 'installed',
    body,
  })
}

function addressOf(
  { partyId, chosenId }: InstalledListPageInput,
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

const emptyPast = html`<div class="card"><div class="empty"><p class="empty-title">No uninstalled apps</p><p>
Apps that you uninstall appear here with their history.</p></div></div>`

const nothing = html`<div class="card"><div class="empty"><p class="empty-title">No results</p><p>
Correct the filter, or <a href="/Installed">show your installed apps</a>.</p></div></div>`

const empty = html`<div class="card"><div class="empty"><p class="empty-title">No installed apps yet</p><p>
<a href="/Apps">Browse the apps</a>. Each listing shows what the app does, its permissions and its price.</p>
</div></div>`

function accountFilter(input: InstalledListPageInput): Html | false {
  const { parties, partyId, status, problems } = input
  if (parties.length < 2) return false
  const { attributes, message } = describedBy(problems, 'partyId')
  return html`<form class="search" method="get" action="/Installed">
${status && html`<input type="hidden" name="status" value="${status}">`}<div class="field">
<label for="partyId">Account</label>${message}<select id="partyId" name="partyId"${attributes}>
<option value="">All accounts</option>
${parties.map(
  (
    party,
  ) => html`<option value="${party.partyId}"${party.partyId === partyId && html` selected`}>${party.partyName}</option>
`,
)}</select></div><button class="button" type="submit">Show</button></form>`
}

function row(one: InstalledRow): Html {
  return html`<li class="row installed-row">
${tile(one.appName)}<span class="row-text"><a class="row-name"
href="/Installed/${one.id}"><bdi>${one.appName}</bdi></a><span class="row-note"><bdi>${one.partyName}</bdi>
${partyBadge(one.partyType)} · version <bdi>${one.installedVersion}</bdi>${
    one.status !== 'uninstalled' && html` · ${priceText(one.quote, one.option)}`
  }</span>${suspensionNote(one.suspensions)}<span
class="badges">${badges(one)}</span></span>${
    one.openUrl !== null && openLink({ ...one, site: appSiteOf(one, one.openUrl) })
  }${one.again !== null && againLink(one, one.again)}
</li>
`
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
  return html`${standing !== 'active' && statusBadge(standing)}${runsInBackground(one) && backgroundBadge}${
    upgrade !== null &&
    html`<span class="badge badge-on">Version <bdi>${upgrade.version}</bdi> available</span>`
  }${one.status !== 'uninstalled' && missingSettings.length > 0 && html`<span class="badge badge-warn">Settings needed</span>`}`
}

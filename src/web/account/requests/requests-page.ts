import type { RequestListed } from '../../../marketplace/installations/requests/request-shown.ts'
import { pager } from '../../kit/action-list.ts'
import { appFace } from '../../kit/avatar.ts'
import { fileColumn, type ListColumn } from '../../kit/columns.ts'
import { emptyState } from '../../kit/empty-state.ts'
import { priceText } from '../../shared/app-parts/amounts.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { partyBadge } from '../../shared/page/html-page.ts'
import { withQuery } from '../../shared/page/with-query.ts'
import { when } from '../../shared/status/history-view.ts'
import { decision, REQUEST_STATUSES, requestBadge } from '../../shared/status/request-status.ts'
import { REQUESTS_PATH } from '../../shared/status/requests-notice.ts'

type Requests = {
  waiting: readonly RequestListed[]
  /** What has become of others, lately. */
  decided: readonly RequestListed[]
  /** The cursor of the next page, if there is one. */
  cursor: string | undefined
}

/** The install requests that wait for the visitor, and the visitor's own. */
export function requestsView({ waiting, decided, cursor }: Requests): Html {
  return html`<section class="card flush" aria-labelledby="waiting"><div class="section-head"><h2 id="waiting">Waiting</h2></div>${
    waiting.length === 0
      ? emptyState('requests', 'No requests are waiting.')
      : html`<ul class="rows">
${waiting.map(row)}</ul>`
  }</section>
${pager({ next: cursor !== undefined && { href: withQuery(REQUESTS_PATH, { cursor }), label: 'Next' } })}
${
  decided.length > 0 &&
  html`<section class="card flush" aria-labelledby="decided"><div class="section-head">
<h2 id="decided">Recent decisions</h2></div><ul class="rows">
${decided.map(row)}</ul></section>`
}`
}

/** The way to the file of all requests. */
export const requestsFile = html`<p class="list-files"><a href="${REQUESTS_PATH}/Export">CSV</a></p>`

/** The columns of the file. */
export const REQUEST_COLUMNS: readonly ListColumn<RequestListed>[] = [
  fileColumn('App', ({ appName }) => appName),
  fileColumn('App ID', ({ appId }) => appId),
  fileColumn('Version', ({ version }) => version),
  fileColumn('Option', ({ option }) => option.name),
  fileColumn('Account', ({ partyName }) => partyName),
  fileColumn('Account ID', ({ partyId }) => partyId),
  fileColumn('Requested by', ({ userName }) => userName),
  fileColumn('Requested by ID', ({ userId }) => userId),
  fileColumn('Requested', ({ createdAt }) => createdAt),
  fileColumn('Note', ({ note }) => note),
  fileColumn('State', ({ status }) => REQUEST_STATUSES[status].text),
  fileColumn('Decided', ({ decidedAt }) => decidedAt),
  fileColumn('Decided by', ({ decidedBy }) => decidedBy),
  fileColumn('Reason', ({ reason }) => reason),
  fileColumn('Installation ID', ({ installationId }) => installationId),
  fileColumn('Request ID', ({ id }) => id),
]

function row(one: RequestListed): Html {
  return html`<li class="row">${appFace(one.appId, one.iconId)}<span class="row-text"><a class="row-name"
href="${REQUESTS_PATH}/${one.id}"><bdi>${one.appName}</bdi></a>
<span class="row-note"><bdi>${one.partyName}</bdi> ${partyBadge(one.partyType)} · ${priceText(one.quote, one.option)}</span>
<span class="row-note">Requested by ${one.isOwn ? 'you' : html`<bdi>${one.userName}</bdi>`} · ${when(one.createdAt)}</span>
${decision(one)}<span class="badges">${requestBadge(one.status)}</span></span></li>
`
}

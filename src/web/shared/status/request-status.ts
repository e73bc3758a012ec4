import type { InstallRequestRecord } from '../../../marketplace/installations/requests/install-request.ts'
import type { RequestListed } from '../../../marketplace/installations/requests/request-shown.ts'
import { type Html, html } from '../page/html.ts'
import { when } from './history-view.ts'

const STATUSES = {
  pending: { text: 'Waiting', badge: 'badge badge-warn' },
  accepted: { text: 'Accepted', badge: 'badge badge-on' },
  declined: { text: 'Declined', badge: 'badge badge-suspended' },
  withdrawn: { text: 'Withdrawn', badge: 'badge' },
} as const satisfies Record<InstallRequestRecord['status'], { text: string; badge: string }>

/** What has become of a request, at a glance. */
export function requestBadge(status: InstallRequestRecord['status']): Html {
  return html`<span class="${STATUSES[status].badge}">${STATUSES[status].text}</span>`
}

/** What has become of a request, and why; nothing while it waits. */
export function decision({ status, decidedBy, decidedAt, reason }: RequestListed): Html | false {
  if (decidedAt === null) return false
  const by = decidedBy !== null && html` by <bdi>${decidedBy}</bdi>`
  return html`<span class="row-note">${STATUSES[status].text}${by} · ${when(decidedAt)}</span>
${reason !== null && html`<span class="row-note">Reason: <bdi>${reason}</bdi></span>`}`
}

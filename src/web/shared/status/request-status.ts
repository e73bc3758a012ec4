import type { InstallRequestRecord } from '../../../marketplace/installations/requests/install-request.ts'
import type { RequestListed } from '../../../marketplace/installations/requests/request-shown.ts'
import { stateBadge, type Tone } from '../../kit/badge.ts'
import { type Html, html } from '../page/html.ts'
import { when } from './history-view.ts'

export const REQUEST_STATUSES = {
  pending: { text: 'Waiting', tone: 'warn' },
  accepted: { text: 'Accepted', tone: 'on' },
  declined: { text: 'Declined', tone: 'off' },
  withdrawn: { text: 'Withdrawn', tone: 'idle' },
} as const satisfies Record<InstallRequestRecord['status'], { text: string; tone: Tone }>

/** What has become of a request, at a glance. */
export function requestBadge(status: InstallRequestRecord['status']): Html {
  return stateBadge(REQUEST_STATUSES[status].tone, REQUEST_STATUSES[status].text)
}

/** What has become of a request, and why; nothing while it waits. */
export function decision({ status, decidedBy, decidedAt, reason }: RequestListed): Html | false {
  if (decidedAt === null) return false
  const by = decidedBy !== null && html` by <bdi>${decidedBy}</bdi>`
  return html`<span class="row-note">${REQUEST_STATUSES[status].text}${by} · ${when(decidedAt)}</span>
${reason !== null && html`<span class="row-note">Reason: <bdi>${reason}</bdi></span>`}`
}

import type {
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
} from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import { stateBadge, type Tone } from '../../kit/badge.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { whenExactly } from '../../shared/status/history-view.ts'
import { deliveryPath } from './webhook-paths.ts'

/** What became of a delivery -> in a word, and its tone. */
export const DELIVERY_STATUSES = {
  pending: { text: 'Waiting', tone: 'warn' },
  succeeded: { text: 'Delivered', tone: 'on' },
  failed: { text: 'Failed', tone: 'off' },
  cancelled: { text: 'Cancelled', tone: 'idle' },
} as const satisfies Record<DeliveryStatus, { text: string; tone: Tone }>

/** The status of a delivery as a coloured word. */
export function deliveryBadge({ status }: Pick<Delivery, 'status'>): Html {
  const { text, tone } = DELIVERY_STATUSES[status]
  return stateBadge(tone, text)
}

/** A delivery in a list. */
export function deliveryRow(endpoint: { appId: string; id: string }, one: Delivery): Html {
  const { id, type, position, timestamp, lastAttempt } = one
  return html`<li class="row stacked-row"><span class="row-text"><a class="row-name" href="${deliveryPath(endpoint, id)}">${type}<span
class="visually-hidden"> at position ${position}</span></a><span class="row-note">${whenExactly(timestamp)} · position
${position} · ${attemptsText(one)}</span>${
    lastAttempt?.reason && html`<span class="row-note"><bdi>${reasonText(lastAttempt)}</bdi></span>`
  }</span><span class="badges">${deliveryBadge(one)}</span></li>
`
}

/** Why an attempt failed, with the status that came. */
export function reasonText({ status, reason }: Pick<DeliveryAttempt, 'status' | 'reason'>): string {
  return reason?.code === 'status' ? `Your server returned HTTP ${status}.` : (reason?.detail ?? '')
}

/** How often it was tried, and when it is tried again. */
function attemptsText({ attemptCount, dueAt }: Delivery): Html {
  const text =
    attemptCount === 0
      ? 'no attempt yet'
      : `${attemptCount} attempt${attemptCount === 1 ? '' : 's'}`
  return html`${text}${attemptCount > 0 && dueAt !== null && html` · next ${whenExactly(dueAt)}`}`
}

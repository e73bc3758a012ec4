import type {
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
} from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import { stateBadge, type Tone } from '../../kit/badge.ts'
import type { Column } from '../../kit/table.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { whenExactly } from '../../shared/status/history-view.ts'
import { deliveryPath } from './webhook-paths.ts'

/** What became of a delivery, in a word. */
export const DELIVERY_STATUSES = {
  pending: { text: 'Pending', tone: 'warn' },
  succeeded: { text: 'Delivered', tone: 'on' },
  failed: { text: 'Failed', tone: 'off' },
  cancelled: { text: 'Cancelled', tone: 'idle' },
} as const satisfies Record<DeliveryStatus, { text: string; tone: Tone }>

type Fares = Pick<Delivery, 'status' | 'attemptCount' | 'dueAt'>

/** What became of a delivery, such as `Delivered` or `Retrying in 8 s`. */
export function deliveryState({ status, attemptCount, dueAt }: Fares, now: Date): string {
  if (status !== 'pending' || attemptCount === 0 || dueAt === null) {
    return DELIVERY_STATUSES[status].text
  }
  const waitMs = dueAt.getTime() - now.getTime()
  return waitMs <= 0 ? 'Retrying now' : `Retrying in ${waitText(waitMs)}`
}

/** The same as a badge. */
export function deliveryBadge(delivery: Fares, now: Date): Html {
  return stateBadge(DELIVERY_STATUSES[delivery.status].tone, deliveryState(delivery, now))
}

/** `8 s`, `5 min`, `14 h`. */
function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** A page that shows a pending delivery looks again for so long before the next attempt. */
const SOON_MS = 600_000

/** Whether something becomes of a delivery soon. */
export function isUnderWay({ status, dueAt }: Pick<Fares, 'status' | 'dueAt'>, now: Date): boolean {
  return status === 'pending' && dueAt !== null && dueAt.getTime() - now.getTime() < SOON_MS
}

/** The columns of a table of deliveries. */
export function deliveryColumns(
  endpoint: { appId: string; id: string },
  now: Date,
): readonly Column<Delivery>[] {
  return [
    {
      label: 'Event',
      cell: ({
        id,
        type,
        position,
        lastAttempt,
      }) => html`<a href="${deliveryPath(endpoint, id)}">${type}<span
 class="visually-hidden"> at position ${position}</span></a>${
   lastAttempt?.reason && html`<span class="row-note">${reasonText(lastAttempt)}</span>`
 }`,
    },
    { label: 'State', phone: 'end', cell: (one) => deliveryBadge(one, now) },
    {
      label: 'Last attempt',
      cell: ({ lastAttempt, timestamp }) => whenExactly(lastAttempt?.at ?? timestamp),
    },
    { label: 'Attempts', isNumeric: true, cell: ({ attemptCount }) => attemptCount },
    { label: 'HTTP', isNumeric: true, cell: ({ lastAttempt }) => lastAttempt?.status ?? '–' },
    {
      label: 'Time',
      isNumeric: true,
      cell: ({ lastAttempt }) =>
        lastAttempt === null ? '–' : `${lastAttempt.durationMs.toLocaleString('en')} ms`,
    },
  ]
}

/** Why an attempt failed, with the status that came. */
export function reasonText({ status, reason }: Pick<DeliveryAttempt, 'status' | 'reason'>): string {
  return reason?.code === 'status' ? `Your server returned HTTP ${status}.` : (reason?.detail ?? '')
}

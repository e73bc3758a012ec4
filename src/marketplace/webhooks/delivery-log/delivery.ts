import { z } from 'zod'
import { MomentText, Timestamp, UuidText } from '../../../base/values/shapes.ts'
import { type EventType, EventTypeName } from '../../events/event-types.ts'
import { FailureReason, failureReasonOf } from '../attempts/failure-reason.ts'
import { EndpointPath } from '../endpoints/endpoint.ts'

export const DeliveryPath = EndpointPath.extend({
  deliveryId: UuidText.describe('Id of the delivery.').meta({
    example: '4b0f6a3e-71f2-4d0c-a1c9-5e8f4f6f7a21',
    parameter: 'DeliveryId',
  }),
})

export const DeliveryStatus = z
  .enum(['pending', 'succeeded', 'failed', 'cancelled'])
  .describe(
    '`pending`: waits to be sent, or to be sent again; `failed`: is not sent again by ' +
      'itself; `cancelled`: was not sent any more, because its installation was uninstalled.',
  )
  .meta({ id: 'WebhookDeliveryStatus', example: 'pending' })
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

const DeliveryAttempt = z
  .object({
    number: z.int().describe('1, 2, 3, ... of one delivery.').meta({ example: 1 }),
    at: Timestamp.describe('When it began.'),
    durationMs: z.int().meta({ example: 87 }),
    outcome: z
      .enum(['succeeded', 'failed', 'gone', 'proxy_failed'])
      .describe(
        '`gone`: the receiver answered 410, which disables the endpoint; `proxy_failed`: the ' +
          'proxy of the marketplace is at fault, which is not held against the endpoint.',
      )
      .meta({ example: 'failed' }),
    status: z
      .int()
      .nullable()
      .describe('HTTP status of the response, or null when there was none.')
      .meta({ example: 503 }),
    reason: FailureReason.nullable().describe('Why it failed, or null.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'One request of a delivery.' })

/** One request of a delivery. */
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

/** One request of a delivery with the response to it. */
const AttemptWithResponse = DeliveryAttempt.extend({
  response: z
    .string()
    .nullable()
    .describe('The first KiB of the response, or null.')
    .meta({ example: 'Service Unavailable' }),
}).meta({
  id: 'WebhookAttemptWithResponse',
  description: 'One request of a delivery, and the beginning of the response.',
})

/** One event on its way to one endpoint, with its newest attempt. */
const Delivery = z.object({
  id: z.uuid().meta({ example: '4b0f6a3e-71f2-4d0c-a1c9-5e8f4f6f7a21' }),
  eventId: z
    .uuid()
    .describe('The event, which is `webhook-id` of each request.')
    .meta({ example: '6b1f5c0e-30e2-4a5e-9d8c-2f3b7a1c4d55' }),
  type: EventTypeName,
  timestamp: Timestamp.describe('When the event happened.'),
  position: z.int().describe('Of the event in your event log.').meta({ example: 42 }),
  installationId: z
    .uuid()
    .nullable()
    .describe('Of an event of an installation.')
    .meta({ example: '6f1c1d0e-8d0b-4a53-9a39-0d3c7a1f5e21' }),
  status: DeliveryStatus,
  attemptCount: z.int().describe('Attempts that were made.').meta({ example: 1 }),
  dueAt: Timestamp.nullable().describe(
    'When the next attempt is made at the earliest; null unless `pending`.',
  ),
  createdAt: Timestamp,
  finishedAt: Timestamp.nullable().describe('When its last attempt ended; null while `pending`.'),
  lastAttempt: DeliveryAttempt.nullable().describe(
    'The newest attempt, or null when there was none.',
  ),
})
export type Delivery = z.infer<typeof Delivery>

/** A delivery with every attempt, as the API answers it. */
export const DeliveryWithAttempts = Delivery.extend({
  attempts: z.array(AttemptWithResponse).describe('Every attempt, oldest first.'),
}).meta({
  id: 'WebhookDelivery',
  description: 'One event on its way to one endpoint, with every attempt.',
})
export type DeliveryWithAttempts = z.infer<typeof DeliveryWithAttempts>

/** One attempt at an endpoint. */
export type RecentAttempt = {
  at: Date
  durationMs: number
  outcome: string
  status: number | null
}

/** How many attempts were counted, and how many of them failed. */
export type AttemptFigures = { attempts: number; failed: number }

/** The request of an attempt: name -> value of its headers; null for a value that nobody may read. */
export type SentHeaders = Readonly<Record<string, string | null>>

/** What was sent with a delivery: the signed bytes as text, and the headers of each attempt. */
export type SentRequests = { body: string; headers: ReadonlyMap<number, SentHeaders> }

export const DELIVERY_FILTERS = {
  status: DeliveryStatus.optional().describe('Only with this status.'),
  type: EventTypeName.optional().describe('Only of events of this type.'),
  installationId: UuidText.optional()
    .describe('Only of events of this installation.')
    .meta({ example: '6f1c1d0e-8d0b-4a53-9a39-0d3c7a1f5e21' }),
  since: MomentText.optional()
    .describe('Only those made from this moment on.')
    .meta({ example: '2026-11-22T00:00:00Z' }),
}
export type DeliveryFilters = {
  status?: DeliveryStatus | undefined
  type?: EventType | undefined
  installationId?: string | undefined
  since?: string | undefined
}

/** The columns of an attempt. */
export type AttemptRow = {
  number: number
  at: Date
  durationMs: number
  outcome: string
  status: number | null
  reason: string | null
}

/** The columns of a delivery that its record shows, with the time of its event. */
export type DeliveryRow = {
  id: string
  eventId: string
  type: string
  timestamp: Date
  position: bigint
  installationId: string | null
  status: string
  attempts: number
  dueAt: Date | null
  createdAt: Date
  finishedAt: Date | null
}

/** The record of a delivery, with its newest attempt if there was one. */
export function deliveryOf(row: DeliveryRow, lastAttempt: AttemptRow | undefined): Delivery {
  return {
    id: row.id,
    eventId: row.eventId,
    type: row.type as EventType,
    timestamp: row.timestamp,
    position: Number(row.position),
    installationId: row.installationId,
    status: row.status as DeliveryStatus,
    attemptCount: row.attempts,
    dueAt: row.dueAt,
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
    lastAttempt: lastAttempt === undefined ? null : attemptOf(lastAttempt),
  }
}

/** The record of a delivery with all its attempts, oldest first. */
export function deliveryWithAttemptsOf(
  row: DeliveryRow,
  attempts: readonly (AttemptRow & { response: string | null })[],
): DeliveryWithAttempts {
  return {
    ...deliveryOf(row, attempts.at(-1)),
    attempts: attempts.map((one) => ({ ...attemptOf(one), response: one.response })),
  }
}

function attemptOf({ number, at, durationMs, outcome, status, reason }: AttemptRow) {
  return {
    number,
    at,
    durationMs,
    status,
    outcome: outcome as z.infer<typeof DeliveryAttempt>['outcome'],
    reason: failureReasonOf(reason),
  }
}

/** What a delivery is called among others. */
export function deliveryName({ type, position }: { type: string; position: bigint | number }) {
  return `${type} at position ${position}`
}

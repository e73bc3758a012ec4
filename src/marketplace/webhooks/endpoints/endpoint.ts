import { z } from 'zod'
import { AppPath } from '../../../base/values/app-path.ts'
import { limited } from '../../../base/values/limited.ts'
import { COUNTED_MAX } from '../../../base/values/page-of-list.ts'
import { Timestamp, UuidText } from '../../../base/values/shapes.ts'
import { EVENT_TYPE_NAMES, type EventType, EventTypeName } from '../../events/event-types.ts'
import { FailureReason, failureReasonOf } from '../attempts/failure-reason.ts'
import {
  type EndpointFacts,
  EndpointHealth,
  EndpointStatus,
  healthOf,
  statusOf,
} from './endpoint-health.ts'
import { StaticHeaders } from './static-headers.ts'

/** Path parameters of an endpoint. */
export const EndpointPath = AppPath.extend({
  endpointId: UuidText.describe('Id of the webhook endpoint.').meta({
    example: '0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10',
    parameter: 'EndpointId',
  }),
})

const url = z
  .string()
  .describe(
    'Where events are sent: an `https` address of the public internet, without a user name, ' +
      'password or fragment. It is refused when its name resolves to a private network; a name ' +
      'that does not resolve yet is taken.',
  )
  .meta({ example: 'https://hooks.price-sync.example/events' })
const EVENTS_MEANING =
  'The types of events that are sent. Empty: all, those of later releases included. ' +
  '`webhook.test` is sent to the endpoint that is tested, whatever is chosen here.'
const EVENTS_EXAMPLE = { example: ['installation.created', 'installation.deleted'] }
const events = z.array(EventTypeName).describe(EVENTS_MEANING).meta(EVENTS_EXAMPLE)
const requestedEvents = limited(
  z
    .array(EventTypeName)
    .max(EVENT_TYPE_NAMES.length)
    .refine((types) => new Set(types).size === types.length, 'must not name a type twice'),
  EVENT_TYPE_NAMES.length,
  'types',
)
  .describe(EVENTS_MEANING)
  .meta(EVENTS_EXAMPLE)
const ordered = z
  .boolean()
  .describe(
    'Whether events of one installation are sent one after the other, in their order: one ' +
      'that fails holds back those after it. Default: false, as soon as possible.',
  )

/** A request to create an endpoint. */
export const EndpointRequest = z
  .strictObject({
    url,
    events: requestedEvents.optional(),
    ordered: ordered.optional(),
    headers: StaticHeaders.describe(
      'Headers that every request carries, at most 10. Their values are never returned.',
    ).optional(),
  })
  .meta({
    id: 'WebhookRequest',
    description: 'An endpoint to be created.',
    example: {
      url: 'https://hooks.price-sync.example/events',
      events: ['installation.created', 'installation.deleted'],
      headers: { authorization: 'Bearer 3f9c2a' },
    },
  })
export type EndpointRequest = z.infer<typeof EndpointRequest>

/** A merge patch (RFC 7396) of an endpoint. */
export const EndpointPatch = z
  .strictObject({
    url: url.optional(),
    events: requestedEvents.optional(),
    ordered: ordered.optional(),
    headers: z
      .record(z.string(), z.string().nullable())
      .nullable()
      .describe(
        'Sets the headers that it names and keeps the others; `null` as a value removes a ' +
          'header, `null` instead of the object removes all.',
      )
      .optional(),
  })
  .meta({
    id: 'WebhookPatch',
    description: 'What changes about an endpoint.',
    example: { events: [], headers: { authorization: 'Bearer 81d0e7' } },
  })
export type EndpointPatch = z.infer<typeof EndpointPatch>

/** A webhook endpoint as its developer sees it. */
export const Endpoint = z
  .object({
    id: z.uuid().meta({ example: '0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10' }),
    appId: z.string().meta({ example: 'price-sync' }),
    url,
    events,
    ordered,
    headerNames: z
      .array(z.string())
      .describe('Names of the static headers; never their values.')
      .meta({ example: ['authorization'] }),
    status: EndpointStatus,
    disabledReason: z
      .enum(['developer', 'failing', 'gone'])
      .nullable()
      .describe(
        '`developer`: you disabled it; `failing`: it failed for five days; `gone`: it answered 410.',
      )
      .meta({ example: null }),
    disabledAt: Timestamp.nullable().meta({ example: null }),
    health: EndpointHealth,
    failingSince: Timestamp.nullable()
      .describe(
        'The first failure since the last success, or null. After more than a day without an attempt it counts anew.',
      )
      .meta({ example: null }),
    lastSuccessAt: Timestamp.nullable().describe('When an attempt succeeded last.'),
    lastFailureAt: Timestamp.nullable().describe('When an attempt failed last.'),
    lastFailure: FailureReason.nullable().describe('Why the last failed attempt failed.'),
    pendingDeliveries: z
      .int()
      .describe(
        `Deliveries that wait to be sent, or to be sent again. ${COUNTED_MAX} means that or more.`,
      )
      .meta({ example: 0 }),
    secretRotatesUntil: Timestamp.nullable()
      .describe('Until when the secret before the last rotation signs as well, or null.')
      .meta({ example: null }),
    createdAt: Timestamp,
    updatedAt: Timestamp.describe('When it was changed last; deliveries change nothing here.'),
  })
  .meta({ id: 'Webhook', description: 'An endpoint that events are sent to.' })
export type Endpoint = z.infer<typeof Endpoint>

/** An endpoint with its secret, which is shown only once. */
export const EndpointWithSecret = Endpoint.extend({
  secret: z
    .string()
    .describe(
      'Signs the requests (Standard Webhooks 1.0). Shown only now: keep it. Of its 32 bytes the ' +
        'last four are the CRC-32 of the others, by which scanners know it.',
    )
    .meta({ example: 'whsec_c2VjcmV0IG9mIHR3ZW50eS1laWdodCBieXRlc8h27so=' }),
}).meta({
  id: 'WebhookWithSecret',
  description: 'An endpoint with its secret, which is shown only once.',
})
export type EndpointWithSecret = z.infer<typeof EndpointWithSecret>

/** The columns of an endpoint that its record shows. */
export type EndpointRow = EndpointFacts & {
  id: string
  appId: string
  url: string
  eventTypes: string[]
  ordered: boolean
  headerNames: string[]
  lastFailureAt: Date | null
  lastFailure: string | null
  previousSecretUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The record of an endpoint. */
export function endpointOf(row: EndpointRow, pendingDeliveries: number, now: Date): Endpoint {
  const { previousSecretUntil: until } = row
  return {
    id: row.id,
    appId: row.appId,
    url: row.url,
    events: row.eventTypes as EventType[],
    ordered: row.ordered,
    headerNames: row.headerNames,
    status: statusOf(row),
    disabledReason: row.disabledReason as Endpoint['disabledReason'],
    disabledAt: row.disabledAt,
    health: healthOf(row),
    failingSince: row.failingSince,
    lastSuccessAt: row.lastSuccessAt,
    lastFailureAt: row.lastFailureAt,
    lastFailure: failureReasonOf(row.lastFailure),
    pendingDeliveries,
    secretRotatesUntil: until !== null && until > now ? until : null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

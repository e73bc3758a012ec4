import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { appIdFilter } from '../../base/values/app-path.ts'
import { nextLink } from '../../base/values/page-of-list.ts'
import { UuidText } from '../../base/values/shapes.ts'
import type { App } from '../../http/app-type.ts'
import { sendJson } from '../../http/bodies/send-json.ts'
import { limitOf, PageQuery } from '../../http/pagination.ts'
import { checkAgain, developerOf } from '../../identity/guards/audience.ts'
import { ConsumerName } from './event-consumer.ts'
import { awaitEvents } from './event-log-service.ts'
import { EVENTS_KEPT_DAYS } from './event-record.ts'
import { Event } from './event-schemas.ts'
import { EVENT_TYPE_NAMES, EventTypeName } from './event-types.ts'

const WAIT_MAX_SECONDS = 20

const WHOLE_NUMBER = 'must be a whole number, 0 or more'
const positionText = z
  .string()
  .regex(/^\d{1,16}$/, { error: WHOLE_NUMBER, abort: true })
  .refine((text) => Number.isSafeInteger(Number(text)), 'is larger than any position')
  .transform(Number)
  .meta({ type: 'integer', minimum: 0, pattern: undefined })

const WAIT_RULE = `must be a whole number from 0 to ${WAIT_MAX_SECONDS}`
const waitText = z
  .string()
  .regex(/^\d{1,2}$/, { error: WAIT_RULE, abort: true })
  .transform(Number)
  .refine((seconds) => seconds <= WAIT_MAX_SECONDS, WAIT_RULE)
  .meta({ type: 'integer', minimum: 0, maximum: WAIT_MAX_SECONDS, pattern: undefined })

const EventsQuery = z
  .strictObject({
    after: positionText
      .optional()
      .describe('Only events after this position. Default: from the oldest that is kept.')
      .meta({ example: 40 }),
    consumer: ConsumerName.optional()
      .describe('Only events after those that this consumer has acknowledged; not with `after`.')
      .meta({ example: 'erp' }),
    appId: appIdFilter,
    installationId: UuidText.optional().describe('Only of this installation.'),
    type: z
      .preprocess((one) => (typeof one === 'string' ? [one] : one), typesAsked())
      .optional()
      .describe('Only of this type; several as `type=...&type=...`.'),
    wait: waitText
      .optional()
      .describe('Seconds to wait for an event when there is none. Default: 0.')
      .meta({ example: 20 }),
    limit: PageQuery.limit,
  })
  .refine(({ after, consumer }) => after === undefined || consumer === undefined, {
    path: ['consumer'],
    error: 'cannot be given together with after',
  })

function typesAsked() {
  return z.array(EventTypeName).max(EVENT_TYPE_NAMES.length)
}

/** The event log of a developer. */
export async function eventRoutes(app: App) {
  app.addHook('preClose', async function endEventWaits() {
    return app.deps.eventWaits.end()
  })

  app.get(
    '/v1/Developer/Events',
    {
      schema: {
        operationId: 'listEvents',
        tags: ['Events'],
        summary: 'Read your events',
        description:
          'Oldest first, in the order of their positions, which count the events of all ' +
          'your apps without gaps. Every answer, also an empty one, has a `Link` with ' +
          '`rel="next"`: ask that address for what comes then; filters do not make it ' +
          'read anything twice. With `consumer` the events begin after those that were ' +
          'acknowledged by `PUT /v1/Developer/EventConsumers/{name}`; reading ' +
          'acknowledges nothing. With `wait` an answer that would be empty comes with ' +
          'the next event, or empty when the time is over; 4 of your requests can wait at ' +
          `once. Events are kept for ${EVENTS_KEPT_DAYS} days: an older position ` +
          'is 410 `cursor_expired`, with the oldest one as ' +
          '`oldestPosition`. A position that your log has not reached is 400 ' +
          '`invalid_cursor`.',
        querystring: EventsQuery,
        response: { 200: z.array(Event) },
        answerHeaders: ['Link'],
        problems: ['invalid_cursor', 'cursor_expired'],
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const { type, wait = 0, ...filters } = request.query
      const asked = { ...filters, developerId, types: type, limit: limitOf(request.query) }
      const { page, hasWaited } = await awaitEvents(app.deps, asked, {
        ms: wait * 1000,
        signal: goneSignal(reply),
      })
      // Meanwhile the caller may have lost its access.
      if (hasWaited) await checkAgain(request)
      const { publicUrl } = app.deps.config
      const changes = { consumer: undefined, after: String(page.next) }
      reply.header('link', nextLink(publicUrl, request.url, changes))
      return sendJson(reply, `[${page.events.join(',')}]`)
    },
  )
}

/** Comes when the connection of an answer closes. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  // It may have closed while the caller's token was checked.
  if (reply.raw.closed || reply.raw.destroyed || reply.raw.socket?.destroyed) gone.abort()
  return gone.signal
}

import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import { CONSUMER_NAME_RULE, EventConsumer, EventConsumerPosition } from './event-consumer.ts'
import { listConsumers, moveConsumer, removeConsumer } from './event-consumers-service.ts'

const ConsumerPath = z.object({
  name: z
    .string()
    .describe(`Your name for it; it ${CONSUMER_NAME_RULE}.`)
    .meta({ example: 'erp', parameter: 'EventConsumerName' }),
})

const PATH = '/v1/Developer/EventConsumers/:name'
const tags = ['Events']

/** Where the readers of a developer's event log are. */
export async function eventConsumerRoutes(app: App) {
  app.get(
    '/v1/Developer/EventConsumers',
    {
      schema: {
        operationId: 'listEventConsumers',
        tags,
        summary: 'List the consumers of your events',
        description: 'By name, each with how many events are before it. There are at most 100.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(EventConsumer) },
      },
    },
    (request, reply) => {
      const { developerId } = developerOf(request)
      return answerPage(request, reply, ['consumers', developerId], (page) =>
        listConsumers(app.deps, developerId, page),
      )
    },
  )

  app.put(
    PATH,
    {
      schema: {
        operationId: 'replaceEventConsumer',
        tags,
        summary: 'Acknowledge events for a consumer',
        description:
          'Keeps that a consumer is done with all events up to `position`; `GET ' +
          '/v1/Developer/Events?consumer={name}` begins after it. Makes the consumer if ' +
          'there is none. Going back is allowed: the events come again. A position that your ' +
          'log has not reached is 422; one whose following events are no longer kept is 410 ' +
          '`cursor_expired` with `oldestPosition`.',
        params: ConsumerPath,
        body: EventConsumerPosition,
        response: { 200: EventConsumer, 201: EventConsumer },
        problems: ['cursor_expired'],
      },
    },
    async (request, reply) => {
      const { consumer, isNew } = await moveConsumer(
        app.deps,
        subjectOf(request),
        request.body.position,
      )
      if (isNew) reply.code(201)
      return consumer
    },
  )

  app.delete(
    PATH,
    {
      schema: {
        operationId: 'deleteEventConsumer',
        tags,
        summary: 'Remove a consumer of your events',
        description:
          'Its position is deleted: if you read as this consumer again, you begin with the ' +
          'oldest event that is kept.',
        params: ConsumerPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await removeConsumer(app.deps, subjectOf(request))
      return reply.code(204).send(null)
    },
  )
}

function subjectOf(request: FastifyRequest<{ Params: z.infer<typeof ConsumerPath> }>) {
  return { ...developerActor(request), name: request.params.name }
}

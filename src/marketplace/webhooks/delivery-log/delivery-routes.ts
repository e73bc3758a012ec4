import { z } from 'zod'
import { MomentText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { sendJson } from '../../../http/bodies/send-json.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { EndpointPath } from '../endpoints/endpoint.ts'
import { DELIVERY_FILTERS, DeliveryPath, DeliveryWithAttempts } from './delivery.ts'
import { listDeliveryTexts } from './list-deliveries-service.ts'
import { readDelivery } from './read-deliveries-service.ts'
import { recoverEndpoint } from './recover-service.ts'
import { replayDelivery } from './replay-service.ts'

const ENDPOINT = '/v1/Developer/Apps/:appId/Webhooks/:endpointId'
const LIST = `${ENDPOINT}/Deliveries`
const PATH = `${LIST}/:deliveryId`
const tags = ['Webhooks']

const RecoverRequest = z
  .strictObject({
    since: MomentText.describe('At most 30 days ago.'),
    all: z
      .boolean()
      .optional()
      .describe(
        'Sends again what was received, and what was cancelled, too: for a receiver that has ' +
          'lost its data. Default: false.',
      )
      .meta({ example: false }),
    after: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Only events after this position of your log: the `position` of an answer that was not ' +
          'complete.',
      )
      .meta({ example: 0 }),
  })
  .meta({
    id: 'WebhookRecovery',
    description: 'What is sent again.',
    example: { since: '2026-11-22T00:00:00Z' },
  })

const Recovered = z
  .object({
    deliveries: z
      .int()
      .describe('How many are sent because of this; those that were due anyway are not counted.'),
    complete: z
      .boolean()
      .describe(
        'False when there were too many for one request: send it again, with `position` as ' +
          '`after`, to go on.',
      ),
    position: z
      .int()
      .optional()
      .describe('How far in your log this request came. Only when it is not complete.'),
  })
  .meta({
    id: 'WebhookRecovered',
    description: 'How many events are sent again.',
    example: { deliveries: 1207, complete: true },
  })

/** The delivery log of an endpoint, and sending deliveries again. */
export async function deliveryRoutes(app: App) {
  app.get(
    LIST,
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        tags,
        summary: 'List the deliveries of a webhook endpoint',
        description:
          'Newest event first, each with every attempt. Kept for 30 days, as the events are. ' +
          'A page ends early where its attempts are very many or long, and the `Link` header ' +
          'leads on as always.',
        params: EndpointPath,
        querystring: z.strictObject({ ...DELIVERY_FILTERS, ...PageQuery }),
        response: { 200: z.array(DeliveryWithAttempts) },
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const { limit: _limit, cursor: _cursor, ...filters } = request.query
      const subject = { developerId, ...request.params }
      const entries = await answerPage(request, reply, ['deliveries', subject], (page) =>
        listDeliveryTexts(app.deps, subject, filters, page),
      )
      return sendJson(reply, `[${entries.join(',')}]`)
    },
  )

  app.get(
    PATH,
    {
      schema: {
        operationId: 'readWebhookDelivery',
        tags,
        summary: 'Read a delivery with every attempt',
        description:
          'One event on its way to one endpoint: each attempt with its time, its outcome and the beginning of the answer.',
        params: DeliveryPath,
        response: { 200: DeliveryWithAttempts },
      },
    },
    (request) => {
      const { developerId } = developerOf(request)
      return readDelivery(app.deps, { developerId, ...request.params })
    },
  )

  app.post(
    `${PATH}/Replay`,
    {
      schema: {
        operationId: 'replayWebhookDelivery',
        tags,
        summary: 'Send a delivery again',
        description:
          'Whatever its status, the delivery is sent now, and retried like a new one. An ' +
          '`ordered` endpoint gets it when nothing else of its installation waits before it or ' +
          'is on its way. ' +
          'Answered with `conflict` while it is being sent, when the endpoint is disabled, ' +
          'and when the endpoint has been told that the installation was uninstalled.',
        params: DeliveryPath,
        response: { 202: DeliveryWithAttempts },
        problems: ['conflict'],
      },
    },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const subject = { developerId, ...request.params }
      reply.code(202)
      return replayDelivery(app.deps, subject, actor)
    },
  )

  app.post(
    `${ENDPOINT}/Recover`,
    {
      schema: {
        operationId: 'recoverWebhook',
        tags,
        summary: 'Send again what was missed since a moment, or everything',
        description:
          'Failed deliveries, those that wait for a later attempt, and events of that time ' +
          'that were never sent there, such as those of a time in which the endpoint was ' +
          'disabled; all as the types of the endpoint are now. Left out is what the endpoint ' +
          'has received, what was cancelled, and installations of which it has been told ' +
          'that they were uninstalled. With `all` these are sent again, too, each event with ' +
          'its former id; left out are only uninstalled installations when the endpoint does ' +
          'not take `installation.deleted` any more. A disabled endpoint is answered with ' +
          '`conflict`.',
        params: EndpointPath,
        body: RecoverRequest,
        response: { 202: Recovered },
        problems: ['conflict'],
      },
    },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const subject = { developerId, ...request.params }
      const { since, all = false, after } = request.body
      const recovery = { since: new Date(since), all, after }
      const recovered = await recoverEndpoint(app.deps, subject, recovery, actor)
      reply.code(202)
      return recovered
    },
  )
}

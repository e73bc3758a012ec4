import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { expectedRevisions, setRevision } from '../../../http/revision-etag.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { disableEndpoint } from './disable-endpoint-service.ts'
import { Endpoint, EndpointPath, EndpointWithSecret } from './endpoint.ts'
import { enableEndpoint, rotateSecret, testEndpoint } from './endpoint-actions-service.ts'

const PATH = '/v1/Developer/Apps/:appId/Webhooks/:endpointId'
const tags = ['Webhooks']

const RecordedTest = z.object({ eventId: z.uuid().describe('The `webhook.test` event.') }).meta({
  id: 'WebhookTest',
  description: 'The test event, which is on its way.',
  example: { eventId: '6b1f5c0e-30e2-4a5e-9d8c-2f3b7a1c4d55' },
})

/** Actions on an endpoint: rotate its secret, test, enable and disable it. */
export async function endpointActionRoutes(app: App) {
  // A response can hold a secret, so no cache may store it.
  app.addHook('onRequest', async function forbidStoring(_request, reply) {
    reply.header('cache-control', 'no-store')
  })

  app.post(
    `${PATH}/RotateSecret`,
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Rotate the secret of a webhook endpoint',
        description:
          'The response has the new `secret`, this once. For 24 hours requests are signed ' +
          'with the former secret as well. If you rotate again within that time, the oldest ' +
          'secret stops working at once.',
        params: EndpointPath,
        response: { 200: EndpointWithSecret },
        answerHeaders: ['ETag'],
        problems: ['precondition_failed'],
      },
    },
    async (request, reply) => {
      const { subject, actor } = subjectOf(request)
      return withRevision(reply, await rotateSecret(app.deps, subject, actor))
    },
  )

  app.post(
    `${PATH}/Test`,
    {
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send a test to a webhook endpoint',
        description:
          'Records a `webhook.test` event, which is sent to this endpoint only. The ' +
          'deliveries show the result. A disabled endpoint is answered with `conflict`.',
        params: EndpointPath,
        response: { 202: RecordedTest },
        problems: ['conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const eventId = await testEndpoint(app.deps, subjectOf(request).subject)
      reply.code(202)
      return { eventId }
    },
  )

  app.post(
    `${PATH}/Enable`,
    {
      schema: {
        operationId: 'enableWebhook',
        tags,
        summary: 'Enable a webhook endpoint',
        description:
          'Events from now on are sent again, and the time for which it has been failing ' +
          'starts at zero. To get the events from the time when it was disabled, recover the ' +
          'endpoint. Repeating the call changes nothing.',
        params: EndpointPath,
        response: { 200: Endpoint },
        answerHeaders: ['ETag'],
        problems: ['precondition_failed'],
      },
    },
    async (request, reply) => {
      const { subject, actor } = subjectOf(request)
      return withRevision(reply, await enableEndpoint(app.deps, subject, actor))
    },
  )

  app.post(
    `${PATH}/Disable`,
    {
      schema: {
        operationId: 'disableWebhook',
        tags,
        summary: 'Disable a webhook endpoint',
        description:
          'Nothing is sent to it until it is enabled. Deliveries that wait end as `failed`. Repeating the call changes nothing.',
        params: EndpointPath,
        response: { 200: Endpoint },
        answerHeaders: ['ETag'],
        problems: ['precondition_failed'],
      },
    },
    async (request, reply) => {
      const { subject, actor } = subjectOf(request)
      return withRevision(reply, await disableEndpoint(app.deps, subject, 'developer', actor))
    },
  )
}

function subjectOf(request: FastifyRequest<{ Params: z.infer<typeof EndpointPath> }>) {
  const { developerId, actor } = developerActor(request)
  const expected = expectedRevisions(request)
  return { subject: { developerId, ...request.params, expectedRevisions: expected }, actor }
}

function withRevision<Answer>(
  reply: FastifyReply,
  { endpoint, revision }: { endpoint: Answer; revision: number },
): Answer {
  setRevision(reply, revision)
  return endpoint
}

import { z } from 'zod'
import { AppPath } from '../../../base/values/app-path.ts'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { expectedRevisions, setRevision } from '../../../http/revision-etag.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import {
  Endpoint,
  EndpointPatch,
  EndpointPath,
  EndpointRequest,
  EndpointWithSecret,
} from './endpoint.ts'
import { changeEndpoint, createEndpoint, deleteEndpoint } from './endpoints-service.ts'
import { listEndpoints, readEndpoint } from './read-endpoints-service.ts'

const LIST = '/v1/Developer/Apps/:appId/Webhooks'
const PATH = `${LIST}/:endpointId`
const tags = ['Webhooks']

/** The webhook endpoints of a developer's apps. */
export async function endpointRoutes(app: App) {
  // A response can hold a secret, so no cache may store it.
  app.addHook('onRequest', async function forbidStoring(_request, reply) {
    reply.header('cache-control', 'no-store')
  })

  app.post(
    LIST,
    {
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Create a webhook endpoint',
        description:
          'Events from now on are sent there. The response has the `secret` that signs them, ' +
          'this once. An app has at most 16 endpoints: one more is answered with `conflict`.',
        params: AppPath,
        body: EndpointRequest,
        response: { 201: EndpointWithSecret },
        answerHeaders: ['ETag', 'Location'],
        problems: ['conflict'],
      },
    },
    async (request, reply) => {
      const { appId } = request.params
      const author = developerActor(request)
      const { endpoint, revision } = await createEndpoint(app.deps, author, appId, request.body)
      setRevision(reply, revision)
      reply.code(201).header('location', `/v1/Developer/Apps/${appId}/Webhooks/${endpoint.id}`)
      return endpoint
    },
  )

  app.get(
    LIST,
    {
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List the webhook endpoints of an app',
        description: 'Oldest first.',
        params: AppPath,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(Endpoint) },
      },
    },
    (request, reply) => {
      const { developerId } = developerOf(request)
      const { appId } = request.params
      return answerPage(request, reply, ['webhooks', developerId, appId], (page) =>
        listEndpoints(app.deps, { developerId, appId }, page),
      )
    },
  )

  app.get(
    PATH,
    {
      schema: {
        operationId: 'readWebhook',
        tags,
        summary: 'Read a webhook endpoint',
        description:
          'The endpoint with its health. The secret and the values of its headers are never shown again.',
        params: EndpointPath,
        response: { 200: Endpoint },
        answerHeaders: ['ETag'],
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const subject = { developerId, ...request.params }
      const { endpoint, revision } = await readEndpoint(app.deps, subject)
      setRevision(reply, revision)
      return endpoint
    },
  )

  app.patch(
    PATH,
    {
      schema: {
        operationId: 'changeWebhook',
        tags,
        summary: 'Change a webhook endpoint',
        description:
          'A merge patch (RFC 7396). Deliveries that wait use the new values. A new `url` ' +
          'starts with the health `untried`. `If-Match` with the ETag of the endpoint keeps ' +
          'you from overwriting the change of somebody else.',
        params: EndpointPath,
        body: EndpointPatch,
        response: { 200: Endpoint },
        answerHeaders: ['ETag'],
        problems: ['precondition_failed'],
      },
    },
    async (request, reply) => {
      const { endpoint, revision } = await changeEndpoint(
        app.deps,
        developerActor(request),
        { ...request.params, expectedRevisions: expectedRevisions(request) },
        request.body,
      )
      setRevision(reply, revision)
      return endpoint
    },
  )

  app.delete(
    PATH,
    {
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Delete a webhook endpoint',
        description:
          'Also deletes the log of its deliveries. Waiting deliveries are not sent; the events stay in the event log.',
        params: EndpointPath,
        response: { 204: z.null() },
        problems: ['precondition_failed'],
      },
    },
    async (request, reply) => {
      const subject = { ...request.params, expectedRevisions: expectedRevisions(request) }
      await deleteEndpoint(app.deps, developerActor(request), subject)
      return reply.code(204).send(null)
    },
  )
}

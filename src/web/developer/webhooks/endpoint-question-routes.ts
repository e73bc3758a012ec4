import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { listDeveloperAudit } from '../../../identity/audit/audit-trail-service.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { disableEndpoint } from '../../../marketplace/webhooks/endpoints/disable-endpoint-service.ts'
import { type Endpoint, EndpointPath } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { rotateSecret } from '../../../marketplace/webhooks/endpoints/endpoint-actions-service.ts'
import { deleteEndpoint } from '../../../marketplace/webhooks/endpoints/endpoints-service.ts'
import { readEndpoint } from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import { formPage } from '../../requests/form-page.ts'
import type { Done } from '../../requests/form-work.ts'
import { newSecretShown } from './endpoints-view.ts'
import { webhookPath, webhooksPath } from './webhook-paths.ts'

type Params = z.output<typeof EndpointPath>

type Question = {
  title: string
  button: string
  consequences: (endpoint: Endpoint) => readonly string[]
  recentFactor?: boolean
  act(request: FastifyRequest, path: Params): Promise<Done>
}

/** What is done with a webhook endpoint after a last word: a new secret, a pause, its end. */
export async function endpointQuestionRoutes(app: App) {
  const { deps } = app

  const question = (name: string, { title, button, consequences, recentFactor, act }: Question) =>
    formPage(app, {
      path: `/Developer/Apps/:appId/Webhooks/:endpointId/${name}`,
      params: EndpointPath,
      place: { console: 'developer', section: 'own-apps' },
      config: { recentFactor: recentFactor ?? false },
      refused: ['conflict'],
      async page(request, _, _reply, params) {
        const { developerId } = developerOf(request)
        const { endpoint } = await readEndpoint(deps, { developerId, ...params })
        return {
          title,
          about: endpoint.url,
          back: { href: webhookPath(endpoint), label: endpoint.url },
          consequences: consequences(endpoint),
          button,
          kind: 'danger',
        }
      },
      submit: (request, _, params) => act(request, params),
    })

  question('Secret', {
    title: 'Rotate the secret',
    button: 'Rotate the secret',
    recentFactor: true,
    consequences: ({ secretRotatesUntil }) => [
      'You see the new secret once. Give it to your program within 24 hours.',
      'For 24 hours each request has two signatures, one with the new secret and one with the old. Your program accepts it with either.',
      'After that only the new secret is used.',
      ...(secretRotatesUntil === null
        ? []
        : ['The secret from before the last rotation stops working immediately.']),
    ],
    async act(request, path) {
      const { developerId, actor } = developerActor(request)
      const { endpoint } = await rotateSecret(deps, { developerId, ...path }, actor)
      const title = 'The secret was rotated. The old one also signs for 24 hours.'
      return { path: webhookPath(endpoint), secret: newSecretShown(title, endpoint.secret) }
    },
  })

  question('Disable', {
    title: 'Disable the endpoint',
    button: 'Disable',
    consequences: () => [
      'Nothing is sent to it until you enable it again.',
      'Deliveries that wait end as failed.',
      'No event is lost: after you enable it, you can resend what it has missed in up to 30 days.',
    ],
    async act(request, path) {
      const { developerId, actor } = developerActor(request)
      const subject = { developerId, ...path }
      const { endpoint } = await disableEndpoint(deps, subject, 'developer', actor)
      return { path: webhookPath(endpoint), text: 'The endpoint was disabled.' }
    },
  })

  question('Delete', {
    title: 'Delete the endpoint',
    button: 'Delete',
    consequences: () => [
      'Nothing more is sent there, including pending deliveries.',
      'Its deliveries are deleted. The events stay in your event log.',
      'You cannot undo this. You can add the URL again as a new endpoint.',
    ],
    async act(request, path) {
      const author = developerActor(request)
      const subject = { developerId: author.developerId, ...path }
      try {
        await deleteEndpoint(deps, author, subject)
      } catch (error) {
        // Another tab may have deleted it, with an entry in the trail: asked for in this order.
        const isGone = error instanceof AppError && error.code === 'not_found'
        if (!isGone || !(await isDeleted(subject))) throw error
      }
      return { path: webhooksPath(path.appId), text: 'The endpoint was deleted.' }
    },
  })

  async function isDeleted({ developerId, appId, endpointId }: Params & { developerId: string }) {
    const subject = { subjectKind: 'webhook', subjectId: endpointId, action: 'webhook.deleted' }
    const newest = { after: undefined, limit: 1 }
    const { entries } = await listDeveloperAudit(deps, developerId, subject, newest)
    return entries.some(({ before }) => before?.appId === appId)
  }
}

import type { FastifyRequest } from 'fastify'
import { AppPath } from '../../../base/values/app-path.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { readOwnApp } from '../../../marketplace/apps/read-apps-service.ts'
import { createEndpoint } from '../../../marketplace/webhooks/endpoints/endpoints-service.ts'
import { listEndpoints } from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import { readAttempt, redirectSecret, refuse } from '../../requests/kept-forms.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { endpointInput } from './endpoint-input.ts'
import { endpointRefusal, newSecretShown } from './endpoint-refusal.ts'
import { endpointsPage } from './endpoints-page.ts'
import { webhookPath } from './webhook-paths.ts'

const PATH = '/Developer/Apps/:appId/Webhooks'
/** More than an app can have. */
const ENDPOINTS_MAX = 100

/** The webhook endpoints of a developer's app, and the form for one more. */
export async function endpointListPageRoutes(app: App) {
  const { deps } = app
  const read = async (request: FastifyRequest, appId: string) =>
    (await readOwnApp(deps, developerOf(request).developerId, appId)).app

  app.get(
    PATH,
    { schema: { hide: true, params: AppPath, querystring: Fields } },
    async (request, reply) => {
      const own = await read(request, request.params.appId)
      const { problems = [], typed } = readAttempt(request, reply) ?? {}
      const { developerId } = developerOf(request)
      const page = { after: undefined, limit: ENDPOINTS_MAX }
      const { entries } = await listEndpoints(deps, { developerId, appId: own.id }, page)
      return sendPage(
        reply,
        endpointsPage({
          ...visitorShell(request, reply),
          app: own,
          endpoints: entries,
          message: takeNotice(request, reply)?.text,
          problems,
          typed,
        }),
      )
    },
  )

  app.post(
    PATH,
    {
      config: { actsOnce: true, formKind: 'secret' },
      schema: { hide: true, params: AppPath, body: Fields },
    },
    async (request, reply) => {
      const own = await read(request, request.params.appId)
      const { input, problems } = endpointInput(
        request.body,
        deps.config.webhookAllowedPrivateHosts,
      )
      if (problems.length > 0) return refuse(request, reply, { problems })
      const headers = Object.fromEntries(
        Object.entries(input.headers).filter((header): header is [string, string] => !!header[1]),
      )
      try {
        const author = developerActor(request)
        const made = await createEndpoint(deps, author, own.id, { ...input, headers })
        const title = 'The endpoint was added.'
        const shown = newSecretShown(title, made.endpoint.secret)
        return await redirectSecret(request, reply, webhookPath(made.endpoint), shown)
      } catch (error) {
        return refuse(request, reply, endpointRefusal(error))
      }
    },
  )
}

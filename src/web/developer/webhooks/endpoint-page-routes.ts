import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { listDeliveries } from '../../../marketplace/webhooks/delivery-log/read-deliveries-service.ts'
import { EndpointPath } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import {
  enableEndpoint,
  testEndpoint,
} from '../../../marketplace/webhooks/endpoints/endpoint-actions-service.ts'
import { changeEndpoint } from '../../../marketplace/webhooks/endpoints/endpoints-service.ts'
import { readEndpoint } from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import type { Visit } from '../../kit/frame.ts'
import { readAttempt, redirectDone, refuse } from '../../requests/kept-forms.ts'
import { readConsoleHistory } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { isConflict, revisionOf } from '../../shared/forms/change-problems.ts'
import { refusalOf } from '../../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { changeEndpointPage } from './change-endpoint-page.ts'
import { endpointInput, endpointPatch } from './endpoint-input.ts'
import { endpointPage } from './endpoint-page.ts'
import { endpointRefusal } from './endpoint-refusal.ts'
import { webhookPath } from './webhook-paths.ts'

const PATH = '/Developer/Apps/:appId/Webhooks/:endpointId'
const DELIVERIES_SHOWN = 5
const EVENTS_PAGE_SIZE = 10
const getSchema = { hide: true, params: EndpointPath, querystring: Fields }
const postSchema = { hide: true, params: EndpointPath, body: Fields }

type Params = z.output<typeof EndpointPath>
type OnEndpoint = FastifyRequest<{ Params: Params }>
type OnEndpointPage = FastifyRequest<{ Params: Params; Querystring: FormFields }>

/** A webhook endpoint of a developer's app: how it fares, its form, its test, its way back. */
export async function endpointPageRoutes(app: App) {
  const { deps } = app
  const subjectOf = (request: OnEndpoint) => ({
    developerId: developerOf(request).developerId,
    ...request.params,
  })

  app.get(PATH, { schema: getSchema }, async (request, reply) =>
    sendEndpoint(request, reply, {
      message: request.kept?.secret ?? takeNotice(request, reply)?.text,
    }),
  )

  app.get(`${PATH}/Change`, { schema: getSchema }, async (request, reply) => {
    const { endpoint, revision } = await readEndpoint(deps, subjectOf(request))
    const { problems = [], typed, status = 200 } = readAttempt(request, reply) ?? {}
    const shell = { ...visitorShell(request, reply), endpoint, revision, problems, typed }
    return sendPage(reply, changeEndpointPage({ ...shell, isOutdated: isConflict(status) }))
  })

  const once = { config: { actsOnce: true, formKind: 'secret' }, schema: postSchema } as const
  app.post(`${PATH}/Change`, once, async (request, reply) => {
    const { endpoint } = await readEndpoint(deps, subjectOf(request))
    const allowed = deps.config.webhookAllowedPrivateHosts
    const { input, problems } = endpointInput(request.body, allowed, endpoint)
    if (problems.length > 0) return refuse(request, reply, { problems })
    try {
      const patch = endpointPatch(input, endpoint)
      const expected = { expectedRevisions: [revisionOf(request.body)] }
      await changeEndpoint(deps, developerActor(request), { ...request.params, ...expected }, patch)
    } catch (error) {
      return refuse(request, reply, endpointRefusal(error))
    }
    return redirectDone(request, reply, webhookPath(endpoint), 'The endpoint was saved.')
  })

  const actions = {
    Test: {
      run: (request: OnEndpoint) => testEndpoint(deps, subjectOf(request)),
      text: 'Test sent. Reload this page to see the result.',
    },
    Enable: {
      run: (request: OnEndpoint) =>
        enableEndpoint(deps, subjectOf(request), developerActor(request).actor),
      text: 'The endpoint was enabled. You can resend the events it has missed.',
    },
  }
  for (const [action, { run, text }] of Object.entries(actions)) {
    // A sign-in that interrupted the form leads back here, and the form's problems are shown here.
    app.get(`${PATH}/${action}`, { schema: getSchema }, async (request, reply) => {
      const again = readAttempt(request, reply)
      if (again !== undefined) return sendEndpoint(request, reply, { problems: again.problems })
      const { appId, endpointId: id } = request.params
      return reply.redirect(webhookPath({ appId, id }), 303)
    })

    app.post(`${PATH}/${action}`, once, async (request, reply) => {
      try {
        await run(request)
      } catch (error) {
        return refuse(request, reply, refusalOf(error, ['conflict']))
      }
      const { appId, endpointId: id } = request.params
      return redirectDone(request, reply, webhookPath({ appId, id }), text)
    })
  }

  async function sendEndpoint(
    request: OnEndpointPage,
    reply: FastifyReply,
    shown: Pick<Visit, 'message' | 'problems'>,
  ) {
    const subject = subjectOf(request)
    const { endpoint } = await readEndpoint(deps, subject)
    const audited = { subjectKind: 'webhook', subjectId: endpoint.id } as const
    const [deliveries, history] = await Promise.all([
      listDeliveries(deps, subject, {}, { after: undefined, limit: DELIVERIES_SHOWN }),
      readConsoleHistory(request, audited, EVENTS_PAGE_SIZE),
    ])
    return sendPage(
      reply,
      endpointPage({
        ...visitorShell(request, reply),
        ...shown,
        endpoint,
        deliveries: deliveries.entries,
        ...history,
        now: deps.now(),
      }),
    )
  }
}

import type { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { listDeliveries } from '../../../marketplace/webhooks/delivery-log/read-deliveries-service.ts'
import {
  countFailedAttempts,
  hasNewEvent,
  listRecentAttempts,
} from '../../../marketplace/webhooks/delivery-log/recent-attempts-service.ts'
import { EndpointPath } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import {
  enableEndpoint,
  testEndpoint,
} from '../../../marketplace/webhooks/endpoints/endpoint-actions-service.ts'
import { readEndpoint } from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { readConsoleHistory } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { endpointPage } from './endpoint-page.ts'
import { webhookPath } from './webhook-paths.ts'

const PATH = '/Developer/Apps/:appId/Webhooks/:endpointId'
const DELIVERIES_SHOWN = 10
const EVENTS_PAGE_SIZE = 10

/** A webhook endpoint of a developer's app: how it fares, its test, its way back. */
export async function endpointPageRoutes(app: App) {
  const { deps } = app
  const schema = { hide: true, params: EndpointPath, querystring: Fields }

  app.get(PATH, { schema }, async (request, reply) => {
    const subject = { developerId: developerActor(request).developerId, ...request.params }
    const { endpoint } = await readEndpoint(deps, subject)
    const audited = { subjectKind: 'webhook', subjectId: endpoint.id } as const
    const newest = { after: undefined, limit: DELIVERIES_SHOWN }
    const [deliveries, attempts, figures, isAwaited, history] = await Promise.all([
      listDeliveries(deps, subject, {}, newest),
      listRecentAttempts(deps, subject),
      countFailedAttempts(deps, subject),
      hasNewEvent(deps, subject),
      readConsoleHistory(request, audited, EVENTS_PAGE_SIZE),
    ])
    const shell = visitorShell(request, reply)
    const message = request.page.attempt?.secret ?? takeNotice(request, reply)?.text
    return sendPage(
      reply,
      endpointPage({
        ...{ ...shell, message, endpoint, attempts, figures, ...history, now: deps.now() },
        deliveries: deliveries.entries,
        hasNewEvent: isAwaited,
      }),
    )
  })

  const actions = {
    Test: {
      run: testEndpoint,
      text: 'Test sent. The result appears here in a moment.',
    },
    Enable: {
      run: enableEndpoint,
      text: 'The endpoint was enabled. You can resend the events it has missed.',
    },
  }
  for (const [action, { run, text }] of Object.entries(actions)) {
    buttonForm(app, {
      path: `${PATH}/${action}`,
      params: EndpointPath,
      page: pathOf,
      async submit(request, _typed, params) {
        const { developerId, actor } = developerActor(request)
        await run(deps, { developerId, ...params }, actor)
        return { path: pathOf(params), text }
      },
    })
  }
}

function pathOf({ appId, endpointId: id }: z.output<typeof EndpointPath>): string {
  return webhookPath({ appId, id })
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { UuidText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { EVENT_TYPE_NAMES } from '../../../marketplace/events/event-types.ts'
import { readEventJson } from '../../../marketplace/events/recent-events-service.ts'
import {
  type DeliveryFilters,
  DeliveryPath,
  DeliveryStatus,
} from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import {
  listDeliveries,
  readDelivery,
} from '../../../marketplace/webhooks/delivery-log/read-deliveries-service.ts'
import { replayDelivery } from '../../../marketplace/webhooks/delivery-log/replay-service.ts'
import { EndpointPath } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { readEndpoint } from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import type { Visit } from '../../kit/frame.ts'
import { readAttempt, redirectDone, refuse } from '../../requests/kept-forms.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { filterReader } from '../../shared/forms/filter-reading.ts'
import type { FormProblem } from '../../shared/forms/form-problems.ts'
import { refusalOf } from '../../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { filterQuery } from '../filter-controls.ts'
import { deliveriesPage } from './deliveries-page.ts'
import { deliveryPage } from './delivery-page.ts'
import { utcTimeOf } from './utc-time.ts'
import { deliveryPath } from './webhook-paths.ts'

const LIST = '/Developer/Apps/:appId/Webhooks/:endpointId/Deliveries'
const PATH = `${LIST}/:deliveryId`
const PAGE_SIZE = 25
const LABELS = {
  status: 'Status',
  type: 'Type of event',
  installationId: 'Installation ID',
  since: 'Since',
}
const getSchema = { hide: true, params: DeliveryPath, querystring: Fields }
const postSchema = { hide: true, params: DeliveryPath, body: Fields }

type OnDelivery = FastifyRequest<{ Params: z.output<typeof DeliveryPath> }>

/** The log of what was sent to an endpoint, each delivery, and how it is sent again. */
export async function deliveryPageRoutes(app: App) {
  const { deps } = app

  app.get(
    LIST,
    { schema: { hide: true, params: EndpointPath, querystring: Fields } },
    async (request, reply) => {
      const subject = { developerId: developerOf(request).developerId, ...request.params }
      const { endpoint } = await readEndpoint(deps, subject)
      const { filters, problems } = filtersOf(request.query)
      const query = filterQuery(request.query, Object.keys(LABELS))
      const shell = {
        ...visitorShell(request, reply),
        endpoint,
        typed: request.query,
        query,
        problems,
      }
      if (problems.length > 0) {
        reply.code(422)
        const nothing = { deliveries: [], isContinued: false, cursor: undefined }
        return sendPage(reply, deliveriesPage({ ...shell, ...nothing }))
      }
      const { entries, ...page } = await loadShown(
        request,
        ['console deliveries', subject, filters],
        PAGE_SIZE,
        (wanted) => listDeliveries(deps, subject, filters, wanted),
      )
      return sendPage(reply, deliveriesPage({ ...shell, ...page, deliveries: entries }))
    },
  )

  app.get(PATH, { schema: getSchema }, async (request, reply) =>
    sendDelivery(request, reply, { message: takeNotice(request, reply)?.text }),
  )

  // A sign-in that interrupted the form leads back here, and the form's problems are shown here.
  app.get(`${PATH}/Replay`, { schema: getSchema }, async (request, reply) => {
    const again = readAttempt(request, reply)
    if (again !== undefined) return sendDelivery(request, reply, { problems: again.problems })
    return reply.redirect(pathOf(request), 303)
  })

  const once = { config: { actsOnce: true }, schema: postSchema }
  app.post(`${PATH}/Replay`, once, async (request, reply) => {
    const { developerId, actor } = developerActor(request)
    try {
      await replayDelivery(deps, { developerId, ...request.params }, actor)
    } catch (error) {
      return refuse(request, reply, refusalOf(error, ['conflict']))
    }
    const text = 'The delivery is on its way again. Reload this page to see the attempt.'
    return redirectDone(request, reply, pathOf(request), text)
  })

  async function sendDelivery(
    request: OnDelivery,
    reply: FastifyReply,
    shown: Pick<Visit, 'message' | 'problems'>,
  ) {
    const { developerId } = developerOf(request)
    const subject = { developerId, ...request.params }
    const { endpoint } = await readEndpoint(deps, subject)
    const delivery = await readDelivery(deps, subject)
    return sendPage(
      reply,
      deliveryPage({
        ...visitorShell(request, reply),
        ...shown,
        endpoint,
        delivery,
        event: await readEventJson(deps, developerId, delivery.position),
      }),
    )
  }
}

function pathOf({ params: { appId, endpointId: id, deliveryId } }: OnDelivery): string {
  return deliveryPath({ appId, id }, deliveryId)
}

function filtersOf(fields: FormFields): {
  filters: DeliveryFilters
  problems: readonly FormProblem[]
} {
  const reader = filterReader(fields, LABELS)
  const isId = (text: string) => UuidText.safeParse(text).success
  const isTime = (text: string) => utcTimeOf(text) !== undefined
  const since = reader.fitting('since', isTime, 'a date and a time, such as 2026-11-22 09:30')
  const filters = {
    status: reader.oneOf('status', DeliveryStatus.options),
    type: reader.oneOf('type', EVENT_TYPE_NAMES),
    installationId: reader
      .fitting('installationId', isId, 'the ID of an installation')
      ?.toLowerCase(),
    since: since === undefined ? undefined : utcTimeOf(since),
  }
  return { filters, problems: reader.problems }
}

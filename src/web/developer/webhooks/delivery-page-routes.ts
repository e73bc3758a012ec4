import type { z } from 'zod'
import { UuidText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { EVENT_TYPE_NAMES } from '../../../marketplace/events/event-types.ts'
import {
  type DeliveryFilters,
  DeliveryPath,
  DeliveryStatus,
} from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import {
  countDeliveries,
  findDeliveries,
  listDeliveries,
  readDelivery,
} from '../../../marketplace/webhooks/delivery-log/read-deliveries-service.ts'
import { replayDelivery } from '../../../marketplace/webhooks/delivery-log/replay-service.ts'
import { readSentRequests } from '../../../marketplace/webhooks/delivery-log/sent-request-service.ts'
import { EndpointPath } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { readEndpoint } from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import type { Chosen } from '../../kit/list-page.ts'
import { bulkPage } from '../../requests/bulk-page.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { listRoutes } from '../../requests/lists.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { fittingParam, oneOfParam, uuidParam } from '../../shared/forms/filter-params.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { deliveryList } from './deliveries-page.ts'
import { deliveryPage } from './delivery-page.ts'
import { utcTimeOf } from './utc-time.ts'
import { deliveryPath, webhookPath } from './webhook-paths.ts'

const LIST = '/Developer/Apps/:appId/Webhooks/:endpointId/Deliveries'
const PATH = `${LIST}/:deliveryId`
const PAGE_SIZE = 25

/** The log of what was sent to an endpoint, each delivery, and how it is sent again. */
export async function deliveryPageRoutes(app: App) {
  const { deps } = app

  listRoutes(app, {
    path: LIST,
    params: EndpointPath,
    noun: 'delivery',
    pageSize: PAGE_SIZE,
    async open(request, params) {
      const subject = { developerId: developerOf(request).developerId, ...params }
      const { endpoint } = await readEndpoint(deps, subject)
      return {
        ...deliveryList(endpoint, deps.now()),
        place: { console: 'developer', section: 'own-apps' },
        owner: [subject.developerId],
        choose: [
          oneOfParam('status', DeliveryStatus.options),
          oneOfParam('type', EVENT_TYPE_NAMES),
          uuidParam('installationId', 'the ID of an installation'),
          fittingParam('since', isTime, 'a date and a time, such as 2026-11-22 09:30'),
        ],
        load: (chosen, page) => listDeliveries(deps, subject, filtersOf(chosen), page),
        count: (chosen, max) => countDeliveries(deps, subject, filtersOf(chosen), max),
      }
    },
  })

  const schema = { hide: true, params: DeliveryPath, querystring: Fields }
  app.get(PATH, { schema }, async (request, reply) => {
    const subject = { developerId: developerOf(request).developerId, ...request.params }
    const { endpoint } = await readEndpoint(deps, subject)
    const delivery = await readDelivery(deps, subject)
    const sent = await readSentRequests(deps, subject, delivery)
    const message = takeNotice(request, reply)?.text
    const shell = { ...visitorShell(request, reply), message }
    return sendPage(reply, deliveryPage({ ...shell, endpoint, delivery, sent, now: deps.now() }))
  })

  buttonForm(app, {
    path: `${PATH}/Replay`,
    params: DeliveryPath,
    page: pathOf,
    async submit(request, _typed, params) {
      const { developerId, actor } = developerActor(request)
      await replayDelivery(deps, { developerId, ...params }, actor)
      return { path: pathOf(params), text: 'Sent again. The result appears here in a moment.' }
    },
  })

  bulkPage(app, {
    path: `${LIST}/Replay`,
    params: EndpointPath,
    place: { console: 'developer', section: 'own-apps' },
    verb: 'Send again',
    done: 'queued',
    nouns: ['delivery', 'deliveries'],
    consequences: [
      'Each event is sent again now, with the same ID: your server may have it already.',
      'The retry schedule of each begins anew.',
    ],
    list: ({ appId, endpointId: id }) => ({
      href: `${webhookPath({ appId, id })}/Deliveries`,
      label: 'Deliveries',
    }),
    id: UuidText,
    find(request, ids, params) {
      const { developerId } = developerOf(request)
      return findDeliveries(deps, { developerId, ...params }, ids)
    },
    begin(request, _typed, params) {
      const { developerId, actor } = developerActor(request)
      return (deliveryId) => replayDelivery(deps, { developerId, ...params, deliveryId }, actor)
    },
  })
}

function pathOf({ appId, endpointId: id, deliveryId }: z.output<typeof DeliveryPath>): string {
  return deliveryPath({ appId, id }, deliveryId)
}

function isTime(text: string): boolean {
  return utcTimeOf(text) !== undefined
}

function filtersOf({ status, type, installationId, since }: Chosen): DeliveryFilters {
  return {
    status: DeliveryStatus.options.find((one) => one === status),
    type: EVENT_TYPE_NAMES.find((one) => one === type),
    installationId: installationId?.toLowerCase(),
    since: since === undefined ? undefined : utcTimeOf(since),
  }
}

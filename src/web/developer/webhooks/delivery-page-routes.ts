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
  findDeliveries,
  listDeliveries,
  readDelivery,
} from '../../../marketplace/webhooks/delivery-log/read-deliveries-service.ts'
import { replayDelivery } from '../../../marketplace/webhooks/delivery-log/replay-service.ts'
import { readSentRequests } from '../../../marketplace/webhooks/delivery-log/sent-request-service.ts'
import { EndpointPath } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { readEndpoint } from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import { bulkPage } from '../../requests/bulk-page.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { chosenFilters, filterReader } from '../../shared/forms/filter-reading.ts'
import type { FormProblem } from '../../shared/forms/form-problems.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { deliveriesPage } from './deliveries-page.ts'
import { deliveryPage } from './delivery-page.ts'
import { utcTimeOf } from './utc-time.ts'
import { deliveryPath, webhookPath } from './webhook-paths.ts'

const LIST = '/Developer/Apps/:appId/Webhooks/:endpointId/Deliveries'
const PATH = `${LIST}/:deliveryId`
const PAGE_SIZE = 25
const LABELS = {
  status: 'State',
  type: 'Type of event',
  installationId: 'Installation ID',
  since: 'Since',
}

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
      if (problems.length > 0) reply.code(422)
      const { entries, ...page } =
        problems.length > 0
          ? { entries: [], isContinued: false, cursor: undefined }
          : await loadShown(
              request,
              ['console deliveries', subject, filters],
              PAGE_SIZE,
              (wanted) => listDeliveries(deps, subject, filters, wanted),
            )
      const chosen = chosenFilters(request.query, Object.keys(LABELS))
      const shown = { endpoint, typed: request.query, chosen, problems, now: deps.now() }
      const message = takeNotice(request, reply)?.text
      const shell = { ...visitorShell(request, reply), message }
      return sendPage(reply, deliveriesPage({ ...shell, ...shown, ...page, deliveries: entries }))
    },
  )

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

import type { TestMarketplace } from '../setup/app.ts'
import { type Author, draft, newId } from '../setup/apps.ts'
import { fanOutAll } from '../setup/fan-out.ts'

const ENDPOINTS_MIN = 4
const URL = 'https://hooks.example.com/events'

const WEBHOOK = { appId: 'webhook.apps', endpointId: 'webhook.ids' }
const DELIVERY = { ...WEBHOOK, deliveryId: 'webhook.deliveries' }

/** Pools of paths and bodies of the requests that are to succeed. */
export const WEBHOOK_AIMS = {
  createWebhook: { path: { appId: 'own.apps' }, body: 'webhook.bodies' },
  listWebhooks: { path: { appId: 'own.apps' } },
  readWebhook: { path: WEBHOOK },
  changeWebhook: { path: WEBHOOK, body: 'webhook.patches' },
  deleteWebhook: { path: WEBHOOK },
  rotateWebhookSecret: { path: WEBHOOK },
  testWebhook: { path: WEBHOOK },
  enableWebhook: { path: WEBHOOK },
  disableWebhook: { path: WEBHOOK },
  recoverWebhook: { path: WEBHOOK, body: 'recover.bodies' },
  listWebhookDeliveries: { path: WEBHOOK },
  readWebhookDelivery: { path: DELIVERY },
  replayWebhookDelivery: { path: DELIVERY },
}

/**
 * Webhook endpoints of a developer, enabled, each with a delivery: pools whose n-th entries belong
 * together, and bodies of requests that are to succeed.
 */
export async function webhookPools(
  { deps }: TestMarketplace,
  developer: Author,
): Promise<[string, unknown[]][]> {
  const { db } = deps
  await db.webhookEndpoint.updateMany({ data: { disabledAt: null, disabledReason: null } })
  const missing = ENDPOINTS_MIN - (await db.webhookEndpoint.count())
  for (let count = 0; count < missing; count++) {
    const { id } = draft(newId())
    await developer.create(draft(id))
    await developer.send('POST', `/${id}/Webhooks`, { url: URL })
  }
  const select = { id: true, appId: true, developerId: true }
  const endpoints = await db.webhookEndpoint.findMany({ select, take: 10 })
  for (const { id, appId } of endpoints) {
    await developer.send('POST', `/${appId}/Webhooks/${id}/Test`)
  }
  for (const id of new Set(endpoints.map(({ developerId }) => developerId))) {
    await fanOutAll(deps, id)
  }
  const deliveries = await db.webhookDelivery.findMany({
    where: { endpointId: { in: endpoints.map(({ id }) => id) } },
    distinct: ['endpointId'],
    include: { endpoint: { select } },
  })
  const since = new Date(deps.now().getTime() - 60_000).toISOString()
  return [
    ['webhook.apps', deliveries.map(({ endpoint }) => endpoint.appId)],
    ['webhook.ids', deliveries.map(({ endpointId }) => endpointId)],
    ['webhook.deliveries', deliveries.map(({ id }) => id)],
    ['webhook.bodies', [{ url: URL }, { url: URL, events: ['app.listed'], ordered: true }]],
    ['webhook.patches', [{ ordered: true }, { headers: { 'x-tenant': '7' } }, { events: [] }]],
    ['recover.bodies', [{ since }, { since, all: true }, { since, all: false, after: 1 }]],
  ]
}

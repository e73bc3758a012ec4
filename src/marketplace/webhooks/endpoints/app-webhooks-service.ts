import type { Db } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import { BY_CREATION } from '../../../base/values/keyset.ts'
import type { Deps } from '../../../deps.ts'
import type { EventType } from '../../events/event-types.ts'
import type { AppWebhook } from './app-webhook.ts'
import { haveLongLog, removeDeliveries } from './delivery-batches-service.ts'
import { disableForDeletion } from './disable-endpoint-service.ts'
import { healthOf, stateOfAll, statusOf, type WebhooksState } from './endpoint-health.ts'
import { holdEventLog } from './read-endpoints-service.ts'

const FACTS = {
  disabledAt: true,
  disabledReason: true,
  failingSince: true,
  lastSuccessAt: true,
} as const

/**
 * The endpoints of apps as the records of the apps show them: app id -> endpoints, oldest first.
 */
export async function webhooksOfApps(
  { db }: Pick<Deps, 'db'>,
  appIds: readonly string[],
): Promise<Map<string, AppWebhook[]>> {
  const rows = await db.webhookEndpoint.findMany({
    where: { appId: { in: [...appIds] } },
    select: { id: true, appId: true, url: true, eventTypes: true, ...FACTS },
    orderBy: BY_CREATION,
  })
  const webhooks = rows.map(({ id, appId, url, eventTypes, ...facts }) => ({
    appId,
    webhook: {
      id,
      url,
      events: eventTypes as EventType[],
      status: statusOf(facts),
      health: healthOf(facts),
    },
  }))
  return new Map(
    [...Map.groupBy(webhooks, ({ appId }) => appId)].map(([appId, own]) => [
      appId,
      own.map(({ webhook }) => webhook),
    ]),
  )
}

/** Whether the endpoints of apps work: app id -> state. Apps without endpoints are left out. */
export async function webhookStatesOfApps(
  { db }: Pick<Deps, 'db'>,
  appIds: readonly string[],
): Promise<Map<string, WebhooksState>> {
  const rows = await db.webhookEndpoint.findMany({
    where: { appId: { in: [...new Set(appIds)] } },
    select: { appId: true, ...FACTS },
  })
  const byApp = Map.groupBy(rows, ({ appId }) => appId)
  return new Map([...byApp].map(([appId, endpoints]) => [appId, stateOfAll(endpoints)]))
}

/**
 * Removes the delivery log of an app, in parts, before the app itself is deleted, when it is too long
 * for one transaction. Disables the endpoints before.
 */
export async function removeLongLogOfApp(
  deps: Pick<Deps, 'db' | 'pool' | 'now'>,
  { id: appId, developerId }: { id: string; developerId: string },
  actor: Actor,
): Promise<void> {
  const endpoints = await deps.db.webhookEndpoint.findMany({
    where: { appId, developerId },
    select: { id: true },
  })
  const ids = endpoints.map(({ id }) => id)
  if (!(await haveLongLog(deps.db, ids))) return
  for (const endpointId of ids) {
    await disableForDeletion(deps, { developerId, appId, endpointId }, actor)
  }
  await removeDeliveries(deps, ids)
}

/** Deletes the endpoints of an app, in the transaction in which the app is deleted. */
export async function deleteEndpointsOfApp(
  tx: Db,
  { id, developerId }: { id: string; developerId: string },
): Promise<void> {
  await holdEventLog(tx, developerId)
  // A process that records an attempt holds the delivery before the endpoint.
  await tx.webhookDelivery.deleteMany({ where: { endpoint: { appId: id, developerId } } })
  await tx.webhookEndpoint.deleteMany({ where: { appId: id, developerId } })
}

import { BY_CREATION } from '../../../base/values/keyset.ts'
import type { Deps } from '../../../deps.ts'
import type { EndpointSummary } from './endpoint-summary.ts'
import { countPending } from './read-endpoints-service.ts'

/** The endpoints of any app, oldest first, without their secrets. */
export async function summariseEndpoints(
  { db }: Pick<Deps, 'db'>,
  appId: string,
): Promise<EndpointSummary[]> {
  const rows = await db.webhookEndpoint.findMany({
    where: { appId },
    select: {
      id: true,
      url: true,
      disabledAt: true,
      disabledReason: true,
      failingSince: true,
      lastSuccessAt: true,
    },
    orderBy: BY_CREATION,
  })
  const pending = await countPending(db, rows)
  return rows.map(({ url, ...facts }) => ({
    ...facts,
    origin: new URL(url).origin,
    pendingDeliveries: pending.get(facts.id) ?? 0,
  }))
}

/** The origins of endpoints that exist: id -> origin. */
export async function originsOfEndpoints(
  { db }: Pick<Deps, 'db'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const where = { id: { in: [...ids] } }
  const rows = await db.webhookEndpoint.findMany({ where, select: { id: true, url: true } })
  return new Map(rows.map(({ id, url }) => [id, new URL(url).origin]))
}

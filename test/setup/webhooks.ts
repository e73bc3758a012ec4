import type { SharedMarketplace } from './app.ts'
import { type Author, draft, newId } from './apps.ts'
import { listedApp } from './customer.ts'
import { fanOutAll } from './fan-out.ts'

export const RECEIVER = 'https://hooks.example.com/events'

/** A listed app of a developer, and its webhook endpoints: each request as one short call. */
export async function appWithWebhooks(developer: Author) {
  const { id } = await listedApp(developer, draft(newId()))
  const path = `/${id}/Webhooks`
  return {
    appId: id,
    send: (method: string, rest: string, body?: unknown, headers = {}) =>
      developer.send(method, `${path}${rest}`, body, headers),
    create: (body: object = {}) => developer.send('POST', path, { url: RECEIVER, ...body }),
    read: (endpointId: string) => developer.send('GET', `${path}/${endpointId}`),
    patch: (endpointId: string, body: unknown, headers = {}) =>
      developer.send('PATCH', `${path}/${endpointId}`, body, headers),
  }
}

/** Writes what the sender would have found out about an endpoint. */
export async function setHealth(
  { deps }: SharedMarketplace,
  id: string,
  data: {
    failingSince?: Date
    lastSuccessAt?: Date
    failures?: number
    restingUntil?: Date
    noticedPercent?: number
    slow?: boolean
  },
): Promise<void> {
  await deps.db.webhookEndpoint.update({ where: { id }, data })
}

/** Numbers the events of an app's developer, which lays them out for its endpoints. */
export async function layOut({ deps }: SharedMarketplace, appId: string): Promise<void> {
  const { developerId } = await deps.db.app.findUniqueOrThrow({ where: { id: appId } })
  await fanOutAll(deps, developerId)
}

type Attempted = {
  status?: 'pending' | 'succeeded' | 'failed' | 'cancelled'
  attempts?: { outcome: string; status?: number; reason?: string; response?: string }[]
  dueAt?: Date
}

/** Writes what the sender would have written about a delivery. */
export async function setDelivery(
  { deps }: SharedMarketplace,
  id: string,
  { status = 'failed', attempts = [], dueAt = new Date() }: Attempted,
): Promise<void> {
  const { db } = deps
  await db.webhookAttempt.createMany({
    data: attempts.map((one, index) => ({
      ...{ deliveryId: id, number: index + 1, at: new Date(), durationMs: 12 },
      ...one,
    })),
  })
  const isPending = status === 'pending'
  await db.webhookDelivery.update({
    where: { id },
    data: {
      ...{ status, attempts: attempts.length, tries: attempts.length },
      dueAt: isPending ? dueAt : null,
      finishedAt: isPending ? null : new Date(),
    },
  })
}

/** The deliveries of an endpoint as they are stored, oldest event first. */
export function storedDeliveries({ deps }: SharedMarketplace, endpointId: string) {
  return deps.db.webhookDelivery.findMany({ where: { endpointId }, orderBy: { position: 'asc' } })
}

import type { TestMarketplace } from './app.ts'
import { type Author, draft, newId } from './apps.ts'
import { listedApp } from './customer.ts'

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
  { deps }: TestMarketplace,
  id: string,
  data: { failingSince?: Date; lastSuccessAt?: Date; failures?: number; restingUntil?: Date },
): Promise<void> {
  await deps.db.webhookEndpoint.update({ where: { id }, data })
}

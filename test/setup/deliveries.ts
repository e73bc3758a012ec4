import { inSnapshot, inTransaction } from '../../src/base/database/transaction.ts'
import type { SharedMarketplace } from './app.ts'
import { call, developerToken } from './client.ts'

/** The app of the demo whose endpoints tests make. */
const APP_ID = 'price-sync'

type Wanted = { url: string; events?: string[]; ordered?: boolean }

/** Makes a webhook endpoint of the demo's price-sync. */
export async function addEndpoint(
  market: SharedMarketplace,
  { url, events, ordered }: Wanted,
): Promise<{ id: string; secret: string }> {
  const answer = await call(market, 'POST', `/v1/Developer/Apps/${APP_ID}/Webhooks`, {
    token: await developerToken(market),
    body: { url, ...(events && { events }), ...(ordered && { ordered }) },
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}

/** Removes all endpoints with their deliveries, in the order of locks that the server keeps. */
export async function removeEndpoints({ deps }: Pick<SharedMarketplace, 'deps'>): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM event_logs FOR UPDATE`
    await tx.webhookDelivery.deleteMany()
    await tx.webhookEndpoint.deleteMany()
  })
}

/** The two installations of the app in the demo: a Seller's, and the one in the sandbox. */
export function twoInstallations({ demo }: SharedMarketplace): [string, string] {
  const ids = demo.installations.filter(({ appId }) => appId === APP_ID).map(({ id }) => id)
  return [ids[0] ?? '', ids[1] ?? '']
}

/** Makes events of an installation by what its developer does: it is suspended and resumed in turn. */
export async function switchOften(
  market: SharedMarketplace,
  installationId: string,
  times: number,
): Promise<void> {
  const token = await developerToken(market)
  const { status } = await market.deps.db.installation.findUniqueOrThrow({
    where: { id: installationId },
  })
  for (let n = status === 'active' ? 0 : 1, end = n + times; n < end; n += 1) {
    const verb = n % 2 === 0 ? 'Suspend' : 'Resume'
    const path = `/v1/Developer/Installations/${installationId}/${verb}`
    const body = n % 2 === 0 ? { body: { reason: 'a test' } } : {}
    const answer = await call(market, 'POST', path, { token, ...body })
    if (answer.status !== 200) throw new Error(`${verb}: ${answer.text}`)
  }
}

/** How deliveries of an endpoint stand at one moment, in the order of their events. */
export function deliveriesOf({ deps }: SharedMarketplace, endpointId: string) {
  return inSnapshot(deps.db, (tx) =>
    tx.webhookDelivery.findMany({
      where: { endpointId },
      orderBy: { position: 'asc' },
      include: { log: { orderBy: { number: 'asc' } } },
    }),
  )
}

/** Waits until a state is reached that the background brings about. */
export async function eventually<T>(look: () => Promise<T>, isReached: (seen: T) => boolean) {
  for (;;) {
    const seen = await look()
    if (isReached(seen)) return seen
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

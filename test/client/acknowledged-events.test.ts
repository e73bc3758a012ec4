import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listEventConsumers, replaceEventConsumer } from '../../client/src/generated/index.ts'
import type { EventOptions, Marketplace, MarketplaceOptions } from '../../client/src/index.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { type Gateway, startGateway } from '../setup/gateway.ts'
import { clientOf } from '../setup/marketplace-client.ts'

const CONSUMERS_MAX = 100

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace({ background: {} })
})
afterAll(() => market.close())

/** The client behind a gateway; how it waits is for the test to say. */
async function behindGateway(waitOf: (gateway: Gateway) => MarketplaceOptions['wait']) {
  const gateway = await startGateway(market)
  onTestFinished(() => gateway.close())
  const wait = waitOf(gateway)
  return { gateway, marketplace: clientOf(market, 'price-sync', { baseUrl: gateway.url, wait }) }
}

/** Waits until the gateway has seen an acknowledgement, however long it was to wait. */
const untilAcknowledged = (gateway: Gateway) => () => gateway.until('PUT', 1)
const inEarnest = () => undefined

/** Does the first two events, and stops at the third. */
async function stopAtThird(marketplace: Marketplace, options: EventOptions): Promise<number[]> {
  const positions: number[] = []
  for await (const { position } of marketplace.events({ ...options, follow: false })) {
    positions.push(position)
    if (positions.length === 3) break
  }
  return positions
}

async function firstPosition(consumer: string): Promise<number | undefined> {
  const marketplace = clientOf(market, 'price-sync')
  for await (const { position } of marketplace.events({ consumer, follow: false })) return position
  return undefined
}

test('a reader continues after the marketplace was away while it acknowledged', async () => {
  const pauses: number[] = []
  const { gateway, marketplace } = await behindGateway(
    () => async (milliseconds) => void pauses.push(milliseconds),
  )
  let losses = 5
  gateway.decide(({ method }) => (method === 'PUT' && losses-- > 0 ? 'drop' : 'pass'))
  const events = await Array.fromAsync(marketplace.events({ consumer: 'away', follow: false }))
  expect(events.length).toBeGreaterThan(0)
  expect(pauses).toEqual([250, 500, 1000, 500, 250])
  expect(await firstPosition('away')).toBeUndefined()
})

test.each(['cut', 'miss'] as const)('a reader continues after many responses: %s', async (fate) => {
  const { gateway, marketplace } = await behindGateway(() => async () => undefined)
  let losses = 9
  gateway.decide(({ path }) => (path.endsWith('/Events') && losses-- > 0 ? fate : 'pass'))
  const { length } = await Array.fromAsync(marketplace.events({ follow: false }))
  expect(length).toBeGreaterThan(0)
  expect(losses).toBeLessThan(0)
})

test('a consumer advances past events that its filter leaves out', async () => {
  const marketplace = clientOf(market, 'price-sync')
  const all = await Array.fromAsync(marketplace.events({ follow: false }))
  const reading = { consumer: 'filtered', type: ['app.unlisted' as const], follow: false }
  expect(await Array.fromAsync(marketplace.events(reading))).toEqual([])
  const { data } = await listEventConsumers({ client: marketplace.client })
  const filtered = data.find(({ name }) => name === 'filtered')
  expect(filtered).toMatchObject({ position: all.at(-1)?.position, behind: 0 })
})

test('a loop that is left while the marketplace is away ends well; its events come again', async () => {
  const { gateway, marketplace } = await behindGateway(untilAcknowledged)
  gateway.decide(({ method }) => (method === 'PUT' ? 'drop' : 'pass'))
  expect(await stopAtThird(marketplace, { consumer: 'left' })).toEqual([1, 2, 3])
  expect(await firstPosition('left')).toBe(1)
})

test('a loop that is left does not wait for a marketplace that never responds', async () => {
  const { gateway, marketplace } = await behindGateway(untilAcknowledged)
  gateway.decide(({ method }) => (method === 'PUT' ? 'hold' : 'pass'))
  expect(await stopAtThird(marketplace, { consumer: 'held' })).toEqual([1, 2, 3])
  expect(await firstPosition('held')).toBe(1)
})

test('the error of a loop is what its caller gets, whatever becomes of the acknowledgement', async () => {
  const { gateway, marketplace } = await behindGateway(untilAcknowledged)
  gateway.decide(({ method }) => (method === 'PUT' ? 'drop' : 'pass'))
  const failure = new Error('no disk')
  const events = marketplace.events({ consumer: 'fails', follow: false })
  await events.next()
  await events.next()
  await expect(events.throw(failure)).rejects.toBe(failure)
  expect(gateway.seen.some((one) => one.startsWith('PUT'))).toBe(true)
})

test('a reader that is told to stop while it acknowledges tries once more', async () => {
  const { gateway, marketplace } = await behindGateway(inEarnest)
  const stop = new AbortController()
  gateway.decide(({ method }) => {
    if (method !== 'PUT' || stop.signal.aborted) return 'pass'
    stop.abort()
    return 'hold'
  })
  await Array.fromAsync(marketplace.events({ consumer: 'stopped', signal: stop.signal }))
  expect(await firstPosition('stopped')).toBeUndefined()
})

test('a reader that is told to stop does not wait for its token', async () => {
  const { gateway, marketplace } = await behindGateway(inEarnest)
  const stop = new AbortController()
  gateway.decide(() => {
    stop.abort()
    return 'hold'
  })
  expect(await Array.fromAsync(marketplace.events({ signal: stop.signal }))).toEqual([])
})

test('a loop that is left says when the marketplace refuses to keep its position', async () => {
  const marketplace = clientOf(market, 'catalog-sync')
  const { client } = marketplace
  const names = Array.from({ length: CONSUMERS_MAX }, (_, index) => `consumer-${index}`)
  for (const name of names) {
    await replaceEventConsumer({ client, path: { name }, body: { position: 0 } })
  }
  const reading = stopAtThird(marketplace, { consumer: 'one-too-many' })
  await expect(reading).rejects.toMatchObject({ code: 'unprocessable' })
})

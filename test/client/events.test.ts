import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Event, EventOptions, Marketplace } from '../../client/src/index.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { demoInstallation } from '../setup/client.ts'
import { clientOf } from '../setup/marketplace-client.ts'

let market: TestMarketplace
let marketplace: Marketplace
let installationId: string
beforeAll(async () => {
  market = await startMarketplace({ background: {} })
  marketplace = clientOf(market, 'price-sync')
  installationId = demoInstallation(market, 'price-sync', 'Seller').id
})
afterAll(() => market.close())

/** Changes an admin setting, which is an event. */
async function change(routing: string) {
  await marketplace.client.patch({
    url: '/v1/Developer/Installations/{installationId}/AdminSettings',
    path: { installationId },
    body: { routing },
    headers: { 'content-type': 'application/json' },
  })
}

/** The events until one fits; the loop is left in the middle of that one. */
async function until(options: EventOptions, isLast: (event: Event) => boolean): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of marketplace.events(options)) {
    events.push(event)
    if (isLast(event)) break
  }
  return events
}

const positions = (events: Event[]) => events.map(({ position }) => position)

test('a reader waits for future events', async () => {
  const before = await Array.fromAsync(marketplace.events({ follow: false }))
  const last = before.at(-1)?.position ?? 0
  const next = until({ after: last }, () => true)
  await change('follow/1')
  expect(await next).toMatchObject([
    { type: 'installation.settings_changed', position: last + 1, data: { keys: ['routing'] } },
  ])
})

test('a consumer continues after what it has done, and gets the event where it stopped again', async () => {
  const options = { consumer: 'stops', follow: false }
  const first = await until(options, ({ position }) => position === 3)
  expect(positions(first)).toEqual([1, 2, 3])
  const second = await until(options, () => true)
  expect(positions(second)).toEqual([3])
})

test('a consumer that has done everything gets nothing again', async () => {
  const options = { consumer: 'whole', follow: false }
  expect((await Array.fromAsync(marketplace.events(options))).length).toBeGreaterThan(0)
  expect(await Array.fromAsync(marketplace.events(options))).toEqual([])
})

test('a reader ends with its signal, also while it waits', async () => {
  const stop = new AbortController()
  const events = Array.fromAsync(marketplace.events({ appId: 'price-sync', signal: stop.signal }))
  stop.abort()
  expect(Array.isArray(await events)).toBe(true)
})

test('a reader continues after the marketplace was away', async () => {
  let failures = 2
  const pauses: number[] = []
  const patient = clientOf(market, 'price-sync', {
    wait: async (milliseconds) => void pauses.push(milliseconds),
    fetch: async (request) => {
      if (request.url.includes('/Events') && failures-- > 0) throw new TypeError('fetch failed')
      return fetch(request)
    },
  })
  expect((await Array.fromAsync(patient.events({ follow: false }))).length).toBeGreaterThan(0)
  expect(pauses).toEqual([250, 500])
})

test('a position of another marketplace is an error with its code', async () => {
  const events = Array.fromAsync(marketplace.events({ after: 9_999_999, follow: false }))
  await expect(events).rejects.toMatchObject({ code: 'invalid_cursor' })
})

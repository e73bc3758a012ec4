import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author } from '../../../setup/apps.ts'
import { eventually } from '../../../setup/deliveries.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { appWithWebhooks } from '../../../setup/webhooks.ts'

const ALLOWED = 'receiver.internal:8080'
const PRIVATE = { address: '10.1.2.3', family: 4 }
const PUBLIC = { address: '93.184.216.34', family: 4 }
const REFUSED = {
  pointer: '/url',
  detail: 'must not be an address of a private or special network',
}

let market: TestMarketplace
let app: Awaited<ReturnType<typeof appWithWebhooks>>
const asked: string[] = []
let lookup: TestMarketplace['deps']['receiverLookup']
beforeAll(async () => {
  market = await startMarketplace({
    config: { webhookAllowedPrivateHosts: new Set([ALLOWED]) },
    receiverLookup: (name) => {
      asked.push(name)
      return lookup(name)
    },
  })
  app = await appWithWebhooks(await author(market))
})
afterAll(() => market.close())
beforeEach(() => {
  asked.length = 0
  lookup = async () => [PRIVATE]
})

const urlOf = async (id: string) => (await app.read(id)).body.url

describe('a receiver whose name resolves', () => {
  test.each([
    ['to a private address', [PRIVATE]],
    ['to a private address beside public ones', [PUBLIC, PRIVATE]],
    ['to an address of IPv6 that holds one of IPv4', [{ address: '::ffff:10.1.2.3', family: 6 }]],
  ])('%s is refused when it is saved', async (_how, addresses) => {
    lookup = async () => addresses
    const refused = await app.create({ url: 'https://hooks.corp.example/events' })
    expectProblem(refused, 'unprocessable')
    expect(refused.body.errors).toEqual([REFUSED])
    expect(asked).toEqual(['hooks.corp.example'])
    lookup = async () => [PUBLIC]
    const { id, url } = (await app.create()).body
    lookup = async () => addresses
    const change = await app.patch(id, { url: 'https://hooks.corp.example/events' })
    expectProblem(change, 'unprocessable')
    expect(change.body.errors).toEqual([REFUSED])
    expect(await urlOf(id)).toBe(url)
  })

  test('to public addresses is saved', async () => {
    lookup = async () => [PUBLIC, { address: '2606:4700::1', family: 6 }]
    const created = await app.create()
    expect(created.status).toBe(201)
    const url = 'https://other.example.com/events'
    expect((await app.patch(created.body.id, { url })).status).toBe(200)
    expect(await urlOf(created.body.id)).toBe(url)
  })
})

test.each([
  ['does not exist', () => Promise.reject(new Error('ENOTFOUND'))],
  ['has no address', () => Promise.resolve([])],
  ['has name servers that do not answer', () => new Promise<never>(() => {})],
])('a receiver whose name %s is saved: it may not exist yet', async (_what, find) => {
  lookup = find
  const before = performance.now()
  const created = await app.create()
  expect(created.status, created.text).toBe(201)
  expect(performance.now() - before).toBeLessThan(20_000)
  expect(asked).toHaveLength(1)
})

test('nothing is looked up for an address, a host that the operator allows, or a URL that stays', async () => {
  for (const url of ['https://93.184.216.34/', `http://${ALLOWED}/`]) {
    expect((await app.create({ url })).status).toBe(201)
  }
  const refused = await app.create({ url: 'http://hooks.example.com/' })
  expect(refused.body.errors).toEqual([{ pointer: '/url', detail: 'must use https' }])
  expect(asked).toEqual([])
  lookup = async () => [PUBLIC]
  const { id, url } = (await app.create()).body
  lookup = async () => [PRIVATE]
  expect((await app.patch(id, { url, ordered: true })).status).toBe(200)
  expect((await app.patch(id, { events: ['app.listed'] })).status).toBe(200)
  expect(asked).toHaveLength(1)
})

test('no more than four names of a developer are looked up at once', async () => {
  const { promise, resolve } = Promise.withResolvers<(typeof PUBLIC)[]>()
  lookup = () => promise
  const other = await appWithWebhooks(await author(market))
  const creations = Array.from({ length: 4 }, () => other.create())
  await eventually(
    async () => asked.length,
    (count) => count === 4,
  )
  expect((await other.create()).status).toBe(201)
  expect(asked).toHaveLength(4)
  resolve([PUBLIC])
  for (const { status } of await Promise.all(creations)) expect(status).toBe(201)
})

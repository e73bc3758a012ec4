import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { App } from '../../../src/http/app-type.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import {
  demoInstallation,
  developerToken,
  installationToken,
  userToken,
} from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { ask, serverWith, statuses, times } from '../../setup/limits.ts'

const LIMIT = 2
const DEVELOPER = LIMIT * 5
const USER = LIMIT * 5
const ADDRESS = LIMIT * 10
const PRODUCTS = '/v1/Products?limit=1'
const PREFLIGHT = { origin: 'https://app.example', 'access-control-request-method': 'GET' }

let market: TestMarketplace
let app: App
let token: string
let sibling: string
let other: string
let developer: string
let user: string
beforeAll(async () => {
  market = await startMarketplace()
  const seller = demoInstallation(market, 'price-sync', 'Seller')
  token = await installationToken(market, seller)
  sibling = await installationToken(market, seller)
  other = await installationToken(market, demoInstallation(market, 'price-sync', 'None'))
  developer = await developerToken(market)
  user = await userToken(market)
})
afterAll(() => market.close())

// Each test counts from zero, on a server of its own.
beforeEach(async () => {
  app = (await serverWith(market, { rateLimitPerMinute: LIMIT, trustProxy: PROXIES })).app
})
afterEach(() => app.close())
const PROXIES = '127.0.0.1, 10.0.0.0/8, fd00::/8'

const products = (bearer: string, from?: string) =>
  ask(app, PRODUCTS, { token: bearer, ...(from && { from }) })

describe('an installation', () => {
  test('is told its budget at every answer, and 429 with Retry-After when it is spent', async () => {
    for (const left of [1, 0]) {
      const { status, headers } = await products(token)
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe(`"installation";q=${LIMIT};w=60`)
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"installation";r=${left};t=[1-6]?\\d$`))
      expect(headers.has('retry-after')).toBe(false)
    }
    const answer = await products(token)
    expectProblem(answer, 'too_many_requests')
    expect(answer.headers.get('ratelimit')).toMatch(/^"installation";r=0;t=\d+$/)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(answer.body.detail).toBe(`The limit is ${LIMIT} requests in 60 seconds.`)
  })

  test('has one budget for all its tokens, from wherever they are used', async () => {
    await products(token, '192.0.2.1')
    await products(sibling, '192.0.2.2')
    expect((await products(token, '192.0.2.3')).status).toBe(429)
    expect((await products(sibling, '2001:db8::1')).status).toBe(429)
  })

  test("does not spend another one's budget, nor that of its address", async () => {
    await statuses(LIMIT + 1, () => products(token))
    expect((await products(other)).status).toBe(200)
    expect((await ask(app, '/v1/Permissions')).headers.get('ratelimit')).toMatch(
      `"address";r=${ADDRESS - 1};`,
    )
  })

  test('gets its budget back when the window is over', async () => {
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    try {
      await statuses(LIMIT + 5, () => products(token))
      vi.setSystemTime(now + 59_000)
      expect((await products(token)).status).toBe(429)
      vi.setSystemTime(now + 61_000)
      expect((await products(token)).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  test('spends its own budget also where it may not go', async () => {
    const answers = [
      await ask(app, '/v1/Developer/Installations', { token }),
      await ask(app, '/v1/Operator/Parties', { token }),
      await products(token),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 429])
  })
})

test('a developer has 5 times as many requests, a user too, an address 10 times as many', async () => {
  const cases = [
    ['developer', DEVELOPER, '/v1/Developer/Installations', developer],
    ['user', USER, '/v1/Account', user],
    ['address', ADDRESS, '/v1/Permissions', undefined],
  ] as const
  for (const [kind, limit, url, bearer] of cases) {
    const send = () => ask(app, url, { ...(bearer && { token: bearer }) })
    expect((await send()).headers.get('ratelimit-policy')).toBe(`"${kind}";q=${limit};w=60`)
    expect(await statuses(limit, send)).toEqual([...times(limit - 1, 200), 429])
  }
})

test('a developer spends its budget on token exchanges too, at the endpoint of OAuth', async () => {
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: developer,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience: demoInstallation(market, 'price-sync', 'Seller').id,
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const exchange = () => ask(app, '/oauth/token', { method: 'POST', headers, body: `${form}` })
  expect(await statuses(DEVELOPER + 1, exchange)).toEqual([...times(DEVELOPER, 200), 429])
  expect((await ask(app, '/v1/Developer/Apps', { token: developer })).status).toBe(429)
})

describe('an address without a valid token', () => {
  test('spends its budget with tokens that are none, and those who have one go on', async () => {
    const forged = () => products(`${token.slice(0, -4)}AAAA`)
    const missing = () => ask(app, PRODUCTS)
    expect(await statuses(ADDRESS - 1, forged)).toEqual(times(ADDRESS - 1, 401))
    expect((await missing()).status).toBe(401)
    expectProblem(await forged(), 'too_many_requests')
    expectProblem(await missing(), 'too_many_requests')
    expect((await products(token)).status).toBe(200)
    expect((await products(token, '192.0.2.99')).status).toBe(200)
  })

  test('shares it between public endpoints, pages and refused tokens', async () => {
    const half = ADDRESS / 2
    await statuses(half, () => ask(app, '/.well-known/jwks.json'))
    await statuses(half, () => ask(app, '/login'))
    const page = await ask(app, '/login', { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      429,
      'text/html; charset=utf-8',
    ])
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await products('nonsense')).status).toBe(429)
  })

  test.each([
    ['an address that there is not', 404, () => ask(app, '/v1/Nothing')],
    ['a query that is no text', 400, () => ask(app, '/v1/Permissions?q=%ff')],
    ['an address that cannot be read', 400, () => ask(app, '/%zz')],
    ['a preflight', 204, () => ask(app, PRODUCTS, { method: 'OPTIONS', headers: PREFLIGHT })],
  ])('spends it with %s', async (_what, status, send) => {
    expect(await statuses(ADDRESS + 1, send)).toEqual([...times(ADDRESS, status), 429])
  })

  test('while the database is away is told so, and spends nothing', async () => {
    const away = vi
      .spyOn(market.deps.pool, 'connect')
      .mockImplementation(((done: (error: Error) => void) =>
        done(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))) as never)
    try {
      expect(await statuses(ADDRESS + 5, () => products(token))).toEqual(times(ADDRESS + 5, 503))
    } finally {
      away.mockRestore()
    }
    expect((await ask(app, '/v1/Permissions')).headers.get('ratelimit')).toMatch(
      `"address";r=${ADDRESS - 1};`,
    )
  })
})

test('health checks are never limited', async () => {
  for (const url of ['/livez', '/readyz']) {
    expect(await statuses(ADDRESS * 3, () => ask(app, url))).toEqual(times(ADDRESS * 3, 200))
    expect((await ask(app, url)).headers.has('ratelimit')).toBe(false)
  }
})

test('each replica counts for itself without Redis', async () => {
  const second = (await serverWith(market, { rateLimitPerMinute: LIMIT })).app
  await statuses(LIMIT + 1, () => products(token))
  expect((await ask(second, PRODUCTS, { token })).status).toBe(200)
  await second.close()
})

test('0 turns the limits off, and nothing speaks of them', async () => {
  const unlimited = (await serverWith(market, { rateLimitPerMinute: 0 })).app
  const send = () => ask(unlimited, PRODUCTS, { token })
  expect(await statuses(LIMIT * 20, send)).toEqual(times(LIMIT * 20, 200))
  const { headers } = await send()
  expect([headers.has('ratelimit'), headers.has('ratelimit-policy')]).toEqual([false, false])
  await unlimited.close()
})

describe('the address of a client', () => {
  /** How much of an address's budget is left after this request. */
  async function left(from: string, headers: Record<string, string> = {}): Promise<number> {
    const answer = await ask(app, '/v1/Permissions', { from, headers })
    return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
  }
  const forwarded = (text: string) => ({ 'x-forwarded-for': text })

  test.each([
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'x-client-ip',
    'cf-connecting-ip',
    'true-client-ip',
  ])('is not what a stranger writes into %s', async (name) => {
    for (let index = 1; index <= 5; index++) {
      const value = name === 'forwarded' ? `for=198.51.100.${index}` : `198.51.100.${index}`
      expect(await left('203.0.113.1', { [name]: value })).toBe(ADDRESS - index)
    }
  })

  test('is what a trusted proxy writes, whatever the client wrote before', async () => {
    expect(await left('127.0.0.1', forwarded('198.51.100.1'))).toBe(ADDRESS - 1)
    expect(await left('127.0.0.1', forwarded('198.51.100.2'))).toBe(ADDRESS - 1)
    for (const [index, spoofed] of ['1.1.1.1', '127.0.0.1', '10.0.0.1', 'x', ''].entries()) {
      const header = forwarded(`${spoofed}, 198.51.100.1`)
      expect(await left('127.0.0.1', header)).toBe(ADDRESS - 2 - index)
    }
  })

  test('is looked for behind several trusted hops, and no further', async () => {
    expect(await left('127.0.0.1', forwarded('6.6.6.6, 198.51.100.7, 10.1.2.3, 10.9.9.9'))).toBe(
      ADDRESS - 1,
    )
    expect(await left('10.4.4.4', forwarded('7.7.7.7, 198.51.100.7,10.1.2.3'))).toBe(ADDRESS - 2)
    expect(await left('fd00::1', forwarded('198.51.100.7'))).toBe(ADDRESS - 3)
    // A hop that is not trusted speaks for nobody but itself.
    expect(await left('127.0.0.1', forwarded('198.51.100.7, 203.0.113.50'))).toBe(ADDRESS - 1)
    expect(await left('203.0.113.50', forwarded('198.51.100.7'))).toBe(ADDRESS - 2)
  })

  test('of IPv6 is its /64, however it is written', async () => {
    const same = ['2001:db8::1', '2001:DB8:0:0::ffff', '2001:db8:0:0:1:2:3:4', '[2001:db8::7]:443']
    for (const [index, address] of same.entries()) {
      expect(await left('127.0.0.1', forwarded(address))).toBe(ADDRESS - 1 - index)
    }
    expect(await left('2001:db8::42')).toBe(ADDRESS - 1 - same.length)
    expect(await left('2001:db8:0:1::1')).toBe(ADDRESS - 1)
  })

  test('of IPv4 is the same mapped into IPv6 and with the port that some proxies add', async () => {
    const same = ['198.51.100.3', '::ffff:198.51.100.3', '198.51.100.3:1024', '198.51.100.3:1025']
    for (const [index, address] of same.entries()) {
      expect(await left('127.0.0.1', forwarded(address))).toBe(ADDRESS - 1 - index)
    }
  })

  test('that is none shares one budget with all others of the kind, and breaks nothing', async () => {
    const odd = ['x', 'unknown', '999.1.1.1', randomUUID(), "' OR 1=1 --", 'a'.repeat(5000), '::g']
    for (const [index, address] of odd.entries()) {
      expect(await left('127.0.0.1', forwarded(address))).toBe(ADDRESS - 1 - index)
    }
  })
})

describe('connections to the database, when all are taken', () => {
  test('go to networks and principals in turn, however many requests one of them has sent', async () => {
    const { pool, config } = market.deps
    const [first, ...others] = await Promise.all(
      times(config.databasePoolSize, 0).map(() => pool.connect()),
    )
    const answered: string[] = []
    const send = async (who: string, url: string, request: Parameters<typeof ask>[2]) => {
      const { status } = await ask(app, url, request)
      answered.push(`${who} ${status}`)
    }
    const flood = times(ADDRESS, '192.0.2.1').map((from) => send('flood', '/v1/Apps', { from }))
    await expect.poll(() => pool.waitingCount).toBe(ADDRESS)
    const fromOthers = [
      send('neighbour', '/v1/Apps', { from: '192.0.2.2' }),
      send('user', '/v1/Account', { from: '192.0.2.1', token: user }),
    ]
    // The check of the token has turns of its own.
    await expect.poll(() => pool.waitingCount).toBe(ADDRESS + 2)
    first?.release()
    await Promise.all([...flood, ...fromOthers])
    for (const client of others) client.release()
    expect(answered.slice(0, 2)).toContain('neighbour 200')
    // Each of its few statements may have waited for some of the flood, and not for all of it.
    expect(answered.slice(-5)).toEqual(times(5, 'flood 200'))
  })
})

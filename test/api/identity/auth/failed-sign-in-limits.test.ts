import { randomUUID } from 'node:crypto'
import argon2 from 'argon2'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import type { App } from '../../../../src/http/app-type.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { createPasswordHasher } from '../../../../src/identity/auth/passwords.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { CHEAP_HASHES } from '../../../setup/cheap-hashes.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { ageFailures, ask, serverWith, statuses, times } from '../../../setup/limits.ts'
import { webClient } from '../../../setup/web-client.ts'

const PER_ID = 10
const PER_ADDRESS = 100
const CONCURRENCY = 2

let market: TestMarketplace
let app: App
let clientId: string
let password: string
beforeAll(async () => {
  // RATE_LIMIT_PER_MINUTE is 0 here, which must not turn this limit off.
  market = await startMarketplace({ config: { argon2Concurrency: CONCURRENCY } })
  expect(market.deps.config.rateLimitPerMinute).toBe(0)
  app = market.app
  const chosen = { name: 'A', password: 'a chosen password' }
  ;({ clientId, password } = await createDeveloper(market.deps, chosen))
})
afterAll(() => market.close())

const hashes = vi.spyOn(argon2, 'verify')
beforeEach(() => {
  hashes.mockClear()
})
afterEach(() => market.deps.pool.query('DELETE FROM login_failures'))

const HOME = '192.0.2.1'
const AWAY = '192.0.2.2'
const signIn = (body: object = {}, from = HOME, server = app, headers = {}) =>
  ask(server, '/v1/Auth', {
    method: 'POST',
    from,
    headers,
    body: { clientId, password: 'wrong', ...body },
  })
const right = (from = HOME, server = app) => signIn({ password }, from, server)
const signInUser = (body: object, from = HOME) =>
  ask(app, '/v1/Account/Auth', { method: 'POST', from, body })
const fail = (count: number, body: object = {}, from = HOME) =>
  statuses(count, () => signIn(body, from))
/** A server with a gate of its own on the same database. */
async function anotherReplica() {
  const passwords = await createPasswordHasher(CONCURRENCY, undefined, CHEAP_HASHES)
  const { app: second } = await serverWith({ deps: { ...market.deps, passwords } }, {})
  return { app: second, close: () => second.close() }
}

describe(`after ${PER_ID} wrong passwords for a clientId from an address`, () => {
  test('the next is 429 with Retry-After, and no hash is computed, right or wrong', async () => {
    expect(await fail(PER_ID)).toEqual(times(PER_ID, 401))
    expect(hashes).toHaveBeenCalledTimes(PER_ID)
    for (const answer of [await signIn(), await right()]) {
      expectProblem(answer, 'too_many_requests')
      const retryAfter = Number(answer.headers.get('retry-after'))
      expect(retryAfter).toBeGreaterThan(0)
      expect(retryAfter).toBeLessThanOrEqual(60)
    }
    expect(hashes).toHaveBeenCalledTimes(PER_ID)
  })

  test('the right password from another address works: strangers lock nobody out', async () => {
    await fail(PER_ID + 5)
    expect((await right(AWAY)).status).toBe(200)
    expect((await right(HOME)).status).toBe(429)
  })

  test('another clientId from the same address has its own budget', async () => {
    await fail(PER_ID + 1)
    expect((await signIn({ clientId: 'somebody else' })).status).toBe(401)
  })

  test('it is the same for a clientId that does not exist', async () => {
    const unknown = { clientId: randomUUID() }
    expect(await fail(PER_ID, unknown)).toEqual(times(PER_ID, 401))
    expectProblem(await signIn(unknown), 'too_many_requests')
    expect(hashes).toHaveBeenCalledTimes(PER_ID)
  })

  test('a minute later everything is forgotten, and not before', async () => {
    await fail(PER_ID)
    await ageFailures(market, 40)
    const almost = await right()
    expect(almost.status).toBe(429)
    expect(Number(almost.headers.get('retry-after'))).toBeLessThanOrEqual(20)
    await ageFailures(market, 21)
    expect((await right()).status).toBe(200)
    expect(await fail(PER_ID + 1)).toEqual([...times(PER_ID, 401), 429])
  })

  test('the other server refuses too: they share one budget', async () => {
    const second = (await serverWith(market, {})).app
    for (let index = 0; index < PER_ID; index++) {
      await signIn({}, HOME, index % 2 ? app : second)
    }
    expect((await right(HOME, app)).status).toBe(429)
    expect((await right(HOME, second)).status).toBe(429)
    await second.close()
  })

  test('an address is not another by what a stranger writes into X-Forwarded-For', async () => {
    const spoofed = (index: number) => ({
      'x-forwarded-for': `198.51.100.${index}`,
      forwarded: `for=198.51.100.${index}`,
      'x-real-ip': `198.51.100.${index}`,
    })
    for (let index = 0; index < PER_ID; index++) await signIn({}, HOME, app, spoofed(index))
    expect((await signIn({ password }, HOME, app, spoofed(99))).status).toBe(429)
  })

  test('behind a trusted proxy it is what the proxy writes', async () => {
    const proxied = (await serverWith(market, { trustProxy: '10.0.0.1' })).app
    const from = (text: string) => ({ 'x-forwarded-for': text })
    for (let index = 0; index < PER_ID; index++) {
      await signIn({}, '10.0.0.1', proxied, from(`6.6.6.${index}, ${HOME}`))
    }
    const send = (text: string) => signIn({ password }, '10.0.0.1', proxied, from(text))
    expect((await send(`7.7.7.7, ${HOME}`)).status).toBe(429)
    expect((await send(AWAY)).status).toBe(200)
    await proxied.close()
  })

  test('an IPv6 address is its whole /64', async () => {
    for (let index = 0; index < PER_ID; index++) await signIn({}, `2001:db8::${index + 1}`)
    expect((await right('2001:db8::ffff:1')).status).toBe(429)
    expect((await right('2001:db8:0:1::1')).status).toBe(200)
  })
})

describe('the budget', () => {
  test('is not spent by right passwords, and not given back by them', async () => {
    await fail(PER_ID - 1)
    expect(await statuses(PER_ID * 2, () => right())).toEqual(times(PER_ID * 2, 200))
    expect((await signIn()).status).toBe(401)
    expect((await right()).status).toBe(429)
  })

  test('is not spent by requests that are no attempt', async () => {
    await statuses(PER_ID * 2, () => signIn({ password: 'x'.repeat(1025) }))
    await statuses(PER_ID * 2, () => signIn({ password: 1 }))
    expect(hashes).not.toHaveBeenCalled()
    expect((await right()).status).toBe(200)
  })

  test('is not overshot by wrong passwords that come at once, on two servers neither', async () => {
    const second = await anotherReplica()
    let attempts = 0
    for (let round = 0; round < 6; round++) {
      const answers = await Promise.all(
        times(50, 0).map((_, index) => signIn({}, HOME, index % 2 ? app : second.app)),
      )
      const seen = answers.map(({ status }) => status)
      expect(seen.filter((status) => ![401, 429, 503].includes(status))).toEqual([])
      attempts += seen.filter((status) => status === 401).length
    }
    expect(attempts).toBe(PER_ID)
    expect(hashes).toHaveBeenCalledTimes(PER_ID)
    await second.close()
  })

  test('is spent by those under way, which give it back when the password was right', async () => {
    await fail(PER_ID - 1)
    const checking = Promise.withResolvers<void>()
    const verify = argon2.verify
    hashes.mockImplementationOnce(async (...given) => {
      await checking.promise
      return verify(...given)
    })
    const first = right()
    await vi.waitUntil(() => hashes.mock.calls.length === PER_ID, 30_000)
    const second = await right()
    expectProblem(second, 'too_many_requests')
    expect(second.text).toContain('at once')
    expect(second.headers.get('retry-after')).toBe('2')
    checking.resolve()
    expect((await first).status).toBe(200)
    expect((await right()).status).toBe(200)
    const { rows } = await market.deps.pool.query('SELECT failures, under_way FROM login_failures')
    expect(rows).toEqual(times(2, { failures: PER_ID - 1, under_way: 0 }))
  })

  test('is given back when the check itself fails', async () => {
    hashes.mockRejectedValueOnce(new Error('no thread'))
    expect((await right()).status).toBe(500)
    const { rows } = await market.deps.pool.query('SELECT failures, under_way FROM login_failures')
    expect(rows).toEqual(times(2, { failures: 0, under_way: 0 }))
  })

  test('forgets with its minute what a killed server had under way', async () => {
    await signIn()
    await market.deps.pool.query('UPDATE login_failures SET under_way = $1', [PER_ID])
    expect((await right()).status).toBe(429)
    await ageFailures(market, 61)
    expect((await right()).status).toBe(200)
  })

  test('says with RateLimit and RateLimit-Policy which one is spent', async () => {
    await fail(PER_ID)
    const { headers } = await right()
    expect(headers.get('ratelimit-policy')).toBe(`"sign-in-id";q=${PER_ID};w=60`)
    expect(headers.get('ratelimit')).toBe(`"sign-in-id";r=0;t=${headers.get('retry-after')}`)
    await market.deps.pool.query('UPDATE login_failures SET failures = $1', [PER_ADDRESS])
    const other = await signIn({ clientId: 'somebody else' })
    expect(other.status).toBe(429)
    expect(other.headers.get('ratelimit-policy')).toBe(`"sign-in-address";q=${PER_ADDRESS};w=60`)
  })

  test('is kept without the id, the address or anything that was typed', async () => {
    await signIn({ clientId: 'my-password-by-mistake' })
    const { rows } = await market.deps.pool.query('SELECT * FROM login_failures')
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toMatch(/my-password|192\.0\.2|wrong/)
  })

  test('leaves no rows behind once their minute is over', async () => {
    for (const id of ['a', 'b', 'c']) await signIn({ clientId: id })
    await ageFailures(market, 61)
    const dice = vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => dice.mockRestore())
    await signIn({ clientId: 'd' }, AWAY)
    const { rows } = await market.deps.pool.query('SELECT * FROM login_failures')
    expect(rows).toHaveLength(2)
  })
})

test(`spraying: ${PER_ADDRESS} wrong passwords from an address, whatever the ids, then 429 unhashed`, async () => {
  const spray = (index: number) =>
    index % 2
      ? signIn({ clientId: `id-${index}` })
      : signInUser({ email: `user-${index}@example.com`, password: 'Winter2026!' })
  for (let index = 0; index < PER_ADDRESS; index++) expect((await spray(index)).status).toBe(401)
  hashes.mockClear()
  for (const index of [1000, 1001]) expectProblem(await spray(index), 'too_many_requests')
  expect((await right()).status).toBe(429)
  expect(hashes).not.toHaveBeenCalled()
  expect((await right(AWAY)).status).toBe(200)
})

describe('users', () => {
  const made = async () => {
    const email = `${randomUUID()}@example.com`
    return createUser(market.deps, {
      email,
      name: 'X',
      partyIds: [market.demo.users[0]?.partyId ?? 1],
    })
  }

  test('have a budget per email, in whatever case and with whatever space', async () => {
    const user = await made()
    for (let index = 0; index < PER_ID; index++) {
      const email = index % 2 ? user.email.toUpperCase() : ` ${user.email} `
      expect((await signInUser({ email, password: 'wrong' })).status).toBe(401)
    }
    const { email, password: own } = user
    expectProblem(await signInUser({ email, password: own }), 'too_many_requests')
    expect((await signInUser({ email, password: own }, AWAY)).status).toBe(200)
  })

  test('in the browser: the page says 429, and the API and the page share the budget', async () => {
    const user = await made()
    const client = webClient(market)
    for (let index = 0; index < PER_ID; index++) {
      expect((await client.login({ ...user, password: 'wrong' })).status).toBe(401)
    }
    hashes.mockClear()
    const page = await client.login(user)
    expect(page.status).toBe(429)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(page.headers.get('ratelimit')).toMatch(/^"sign-in-id";r=0;t=\d+$/)
    expect(page.text).toContain('Too many wrong passwords')
    const { email, password: own } = user
    expect((await signInUser({ email, password: own }, '127.0.0.1')).status).toBe(429)
    expect(hashes).not.toHaveBeenCalled()
    expect((await signInUser({ email, password: own }, AWAY)).status).toBe(200)
  })

  test('and developers of the same name do not share', async () => {
    const { email } = await made()
    await statuses(PER_ID, () => signInUser({ email, password: 'wrong' }))
    expect((await signIn({ clientId: email })).status).toBe(401)
  })
})

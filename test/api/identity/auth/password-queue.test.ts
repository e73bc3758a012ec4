import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import argon2 from 'argon2'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '../../../../src/errors.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { createPasswordHasher } from '../../../../src/identity/auth/passwords.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { CHEAP_HASHES } from '../../../setup/cheap-hashes.ts'
import { call, demoInstallation, installationToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { ask, times, untilSignInsEnded } from '../../../setup/limits.ts'
import { waitUntil } from '../../../setup/server-process.ts'
import { noteStatements } from '../../../setup/statements.ts'
import { webClient } from '../../../setup/web-client.ts'

const CONCURRENCY = 2
const QUEUE = CONCURRENCY * 64
const HOUR_MS = 3_600_000
const FLOOD = QUEUE + 90
const OPERATOR = { kind: 'operator', id: 'one' }
const network = (index: number) => ({ kind: 'network', id: `10.1.0.${index}` })

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace({ config: { argon2Concurrency: CONCURRENCY }, hashCost: {} })
})
afterAll(() => market.close())

/** Counts hashes, and how many are computed at once. */
let running = 0
let most = 0
let computed = 0
const { verify, hash } = argon2
beforeEach(() => {
  running = 0
  most = 0
  computed = 0
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    running += 1
    computed += 1
    most = Math.max(most, running)
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
  vi.spyOn(argon2, 'verify').mockImplementation((...given) => counted(() => verify(...given)))
  vi.spyOn(argon2, 'hash').mockImplementation(((...given: Parameters<typeof hash>) =>
    counted(() => hash(...given))) as never)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await market.deps.pool.query('DELETE FROM login_failures')
})

/** From a fresh address each time, so that no budget is spent. */
let host = 0
const signIn = (body: object) => {
  host += 1
  const from = `10.0.${host >> 8}.${host & 255}`
  return ask(market.app, '/v1/Auth', { method: 'POST', from, body })
}

describe('the gate', () => {
  test.each([1, 2, 3])(
    'computes at most %i hashes at once, checks and new ones alike',
    async (concurrency) => {
      const hasher = await createPasswordHasher(concurrency, HOUR_MS, CHEAP_HASHES)
      most = 0
      const stored = await hasher.hash('right', OPERATOR)
      const all = times(concurrency * 8, 0).flatMap((_, index) => [
        hasher.verify('right', async () => stored, network(index)),
        hasher.hash('new', { kind: 'operator', id: String(index) }),
      ])
      await Promise.all(all)
      expect(most).toBe(concurrency)
    },
  )

  test('lets a bounded number wait, in their order; the rest is unavailable with Retry-After', async () => {
    const hasher = await createPasswordHasher(CONCURRENCY, HOUR_MS, CHEAP_HASHES)
    const results = await Promise.allSettled(
      times(CONCURRENCY + QUEUE + 5, 0).map((_, index) =>
        hasher.verify(String(index), async () => undefined, network(index)),
      ),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(5)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(AppError)
      expect(reason).toMatchObject({ code: 'unavailable', options: { retryAfterSeconds: 2 } })
    }
    const order = vi.mocked(argon2.verify).mock.calls.map(([_hash, password]) => password)
    expect(order).toEqual(times(CONCURRENCY + QUEUE, 0).map((_, index) => String(index)))
  })

  test('loses no place to failures', async () => {
    const hasher = await createPasswordHasher(CONCURRENCY, HOUR_MS, CHEAP_HASHES)
    const failing = () => Promise.reject(new Error('no'))
    for (let index = 0; index < 10; index++) {
      await Promise.allSettled(
        times(CONCURRENCY + QUEUE, 0).map((_, one) => hasher.verify('x', failing, network(one))),
      )
    }
    most = 0
    await Promise.all(times(CONCURRENCY * 3, 0).map(() => hasher.hash('x', OPERATOR)))
    expect(most).toBe(CONCURRENCY)
  })

  test('computes one hash for an unknown id as for a wrong password', async () => {
    const [developer] = market.demo.developers
    await signIn({ clientId: developer?.clientId, password: 'wrong' })
    expect(computed).toBe(1)
    await signIn({ clientId: randomUUID(), password: 'wrong' })
    expect(computed).toBe(2)
  })

  test('answers a flood of sign-ins 401 or 503 with Retry-After, and works again afterwards', async () => {
    const { clientId, password } = market.demo.developers[0] ?? {}
    // No hash ends before the flood is there, however slowly it comes.
    const held = Promise.withResolvers<void>()
    const check = vi.mocked(argon2.verify).getMockImplementation() ?? verify
    const late = (...given: Parameters<typeof verify>) => held.promise.then(() => check(...given))
    vi.mocked(argon2.verify).mockImplementation(late)
    const flood = times(FLOOD, 0).map(() => signIn({ clientId, password: 'wrong' }))
    await Promise.race(flood)
    held.resolve()
    const answers = await Promise.all(flood)
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) {
      expectProblem(answer, 'unavailable')
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(FLOOD - refused.length)
    expect(most).toBe(CONCURRENCY)
    expect((await signIn({ clientId, password })).status).toBe(200)
  })

  test('refuses what finds no room before any query', async ({ onTestFinished }) => {
    const chosen = { clientId: 'chosen', password: 'a chosen password' }
    await createDeveloper(market.deps, { ...chosen, name: 'Chosen' })
    await untilSignInsEnded(market)
    const held = Promise.withResolvers<boolean>()
    onTestFinished(() => held.resolve(false))
    const checks = vi.spyOn(argon2, 'verify').mockReturnValue(held.promise)
    const all = times(CONCURRENCY + QUEUE, 0).map((_, index) =>
      market.deps.passwords.verify('x', async () => undefined, network(index)),
    )
    await setImmediate()
    const statements = noteStatements(market.deps.pool)
    expectProblem(await signIn(chosen), 'unavailable')
    const ofSignIns = () => statements.take().filter(({ text }) => /login_f|_creden/.test(text))
    expect(ofSignIns()).toEqual([])
    held.resolve(false)
    await Promise.all(all)
    checks.mockImplementation(verify)
    expect((await signIn(chosen)).status).toBe(200)
    expect(ofSignIns()).not.toEqual([])
  })

  test('leaves the data endpoints their time: they answer before any hash ends', async ({
    onTestFinished,
  }) => {
    await untilSignInsEnded(market)
    const token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
    computed = 0
    const held = Promise.withResolvers<void>()
    onTestFinished(() => held.resolve())
    const check = vi.mocked(argon2.verify).getMockImplementation() ?? verify
    const late = (...given: Parameters<typeof verify>) => held.promise.then(() => check(...given))
    vi.mocked(argon2.verify).mockImplementation(late)
    let ended = 0
    const flood = times(50, 0).map(async () => {
      await signIn({ clientId: randomUUID(), password: 'wrong' })
      ended += 1
    })
    const { gate } = market.deps.passwords
    await waitUntil(() => gate().running === CONCURRENCY && gate().waiting > 0)
    const readPages = async () => {
      const read = () => call(market, 'GET', '/v1/Products?limit=1', { token })
      for (const { status } of await Promise.all(times(30, 0).map(read))) expect(status).toBe(200)
    }
    await readPages()
    expect({ ended, computed }).toEqual({ ended: 0, computed: 0 })
    held.resolve()
    await readPages()
    await Promise.all(flood)
    expect({ ended, most }).toEqual({ ended: 50, most: CONCURRENCY })
  })
})

describe('refused before any hashing:', () => {
  const [clientId, email] = ['northwind', 'kim@example.com']
  const LONG: [name: string, password: string][] = [
    ['1,025 bytes', 'x'.repeat(1025)],
    ['1,026 bytes in 342 characters', '\u20ac'.repeat(342)],
    ['all that a sign-in may hold', 'x'.repeat(16_000)],
  ]
  test.each(LONG)('a password of %s', async (_name, password) => {
    expectProblem(await signIn({ clientId, password }), 'invalid_credentials')
    const answer = await call(market, 'POST', '/v1/Account/Auth', { body: { email, password } })
    expectProblem(answer, 'invalid_credentials')
    if (password.length < 10_000) {
      const page = await webClient(market).login({ email, password })
      expect(page.status).toBe(401)
    }
    expect(computed).toBe(0)
  })

  test.each([[1], [null], [true], [['x']], [{ length: 8 }], [undefined]])(
    'a password or an id that is %j',
    async (value) => {
      expectProblem(await signIn({ clientId, password: value }), 'invalid_request')
      expectProblem(await signIn({ clientId: value, password: 'x' }), 'invalid_request')
      for (const body of [
        { email, password: value },
        { email: value, password: 'x' },
      ]) {
        const answer = await call(market, 'POST', '/v1/Account/Auth', { body })
        expectProblem(answer, 'invalid_request')
      }
      expect(computed).toBe(0)
    },
  )
})

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  beginSignInAttempt,
  endSignInAttempt,
} from '../../src/identity/auth/failed-sign-in-limits-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { call, demoInstallation, developerToken, installationToken } from '../setup/client.ts'
import { expectProblem } from '../setup/expect-problem.ts'
import { encodeText } from '../setup/forge.ts'
import { missing, sabotaged } from '../setup/sabotage.ts'

let market: TestMarketplace
let admin: pg.Client
let database: string
let token: string
let developer: string
beforeAll(async () => {
  market = await startMarketplace()
  admin = new pg.Client({ connectionString: inject('serverUrl') })
  await admin.connect()
  database = String(
    (await market.deps.pool.query('SELECT current_database() AS name')).rows[0].name,
  )
  token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
  developer = await developerToken(market)
})
afterAll(async () => {
  await admin.end()
  await market.close()
})

const products = () => call(market, 'GET', '/v1/Products', { token })
/** Ends all connections, and waits until they are gone. */
const terminateAll = () =>
  admin.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1', [
    database,
  ])
const allowConnections = (allowed: boolean) =>
  admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${allowed}`)
/** Does some work while the database takes no connections, and has none. */
async function whileAway<T>(work: () => Promise<T>): Promise<T> {
  await allowConnections(false)
  try {
    await terminateAll()
    return await work()
  } finally {
    await allowConnections(true)
  }
}

describe('while the database takes no connections', () => {
  test('a running sign-in ends as soon as the database is back, without a refusal for too many', async () => {
    const { deps } = market
    const attempt = { kind: 'user', id: 'away@example.com', address: '192.0.2.7' } as const
    const underWay = async () => {
      const { rows } = await deps.pool.query('SELECT max(under_way) AS most FROM login_failures')
      return rows[0]?.most
    }
    await beginSignInAttempt(deps, attempt)
    expect(await underWay()).toBe(1)
    await whileAway(async () => {
      await expect(endSignInAttempt(deps, attempt, false)).rejects.toThrow()
      await expect(beginSignInAttempt(deps, attempt)).rejects.toThrow()
    })
    await expect.poll(underWay).toBe(0)
  })

  test('every endpoint that needs it is 503 with Retry-After, and recovers without a restart', async () => {
    const [first] = market.demo.developers
    const credentials = { clientId: first?.clientId, password: first?.password }
    const { id: installationId } = demoInstallation(market, 'price-sync', 'Seller')
    const requests = [
      products,
      () => call(market, 'GET', '/v1/User/Profile', { token }),
      () => call(market, 'GET', '/v1/Developer/Installations', { token: developer }),
      () =>
        call(market, 'POST', '/v1/Developer/Token', { token: developer, body: { installationId } }),
      () => call(market, 'POST', '/v1/Auth', { body: credentials }),
    ]
    const away = await whileAway(() => Promise.all(requests.map((request) => request())))
    for (const answer of away) {
      expectProblem(answer, 'unavailable')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const back = await Promise.all(requests.map((request) => request()))
    expect(back.map(({ status }) => status)).toEqual(requests.map(() => 200))
  })

  test('what needs no database goes on', async () => {
    const paths = ['/livez', '/.well-known/jwks.json', '/openapi.json']
    const answers = await whileAway(() =>
      Promise.all(paths.map((path) => call(market, 'GET', path))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('a forged token is 401 rather than 503, and a good token works afterwards', async () => {
    const [head, claims] = token.split('.')
    const forged = [head, claims, encodeText('x'.repeat(64))].join('.')
    expect((await products()).status).toBe(200)
    await whileAway(async () => {
      // Now the keys that are remembered are to be read again.
      market.advance(31)
      const refused = await Promise.all(
        ['nonsense', forged].map((bad) => call(market, 'GET', '/v1/Products', { token: bad })),
      )
      const good = await Promise.all([products(), products()])
      for (const answer of refused) expectProblem(answer, 'invalid_token')
      for (const answer of good) expectProblem(answer, 'unavailable')
    })
    expect((await products()).status).toBe(200)
  })
})

test('connections that break during requests give 200 or 503, never anything else', async () => {
  let breaksLeft = 20
  let onProducts = () => {}
  const worker = async () => {
    while (breaksLeft > 0) {
      const answer = await products()
      if (answer.status !== 200) expectProblem(answer, 'unavailable')
      else {
        expect(answer.body).toHaveLength(33)
        onProducts()
      }
    }
  }
  const breaker = async () => {
    for (; breaksLeft > 0; breaksLeft -= 1) {
      // Each break waits until requests succeed again: the others are under way.
      await new Promise<void>((resolve) => {
        onProducts = resolve
      })
      await terminateAll()
    }
  }
  await Promise.all([breaker(), ...Array.from({ length: 16 }, worker)])
  expect((await products()).status).toBe(200)
})

test('an internal error is 500 and reveals nothing internal', async () => {
  // A page that no other test has left in memory.
  const answer = await sabotaged(market, missing('products', 'body'), () =>
    call(market, 'GET', '/v1/Products?brand=unread', { token }),
  )
  expectProblem(answer, 'internal_error')
  expect(answer.text).not.toMatch(/body|gone|column/)
  expect((await products()).status).toBe(200)
})

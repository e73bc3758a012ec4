import { METHODS } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMeasures } from '../../../src/base/measures/measures.ts'
import type { Config } from '../../../src/config.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import {
  accountToken,
  call,
  demoInstallation,
  developerToken,
  installationToken,
  userToken,
} from '../../setup/client.ts'
import { addEndpoint, eventually, switchOften, twoInstallations } from '../../setup/deliveries.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { ask, serverWith } from '../../setup/limits.ts'
import { namesOf, readMetrics, type Series } from '../../setup/metrics.ts'
import { newProductParty } from '../../setup/product-client.ts'
import { type Receiver, startReceiver } from '../../setup/webhook-receiver.ts'

let market: TestMarketplace
let receiver: Receiver
let operator: string
let seller: string
beforeAll(async () => {
  receiver = await startReceiver()
  market = await startMarketplace({
    config: { webhookAllowedPrivateHosts: new Set([receiver.host]) },
    background: { loopMs: 50 },
    isClockStopped: true,
  })
  operator = await accountToken(market, market.demo.operator)
  seller = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
})
afterAll(async () => {
  await market.close()
  await receiver.close()
})

async function metrics(): Promise<Series> {
  const answer = await call(market, 'GET', '/metrics', { token: operator })
  expect(answer.status).toBe(200)
  return readMetrics(answer.text)
}

/** A further server on the same database, which counts for itself. */
const anotherServer = (config: Partial<Config>) =>
  serverWith({ deps: { ...market.deps, measures: createMeasures() } }, config)

/** What a request adds to a series. */
async function added(name: string, act: () => Promise<unknown>): Promise<number> {
  const before = (await metrics()).get(name) ?? 0
  await act()
  return ((await metrics()).get(name) ?? 0) - before
}

describe('who may read metrics', () => {
  test('an operator, as the text of Prometheus that nobody keeps', async () => {
    const { headers } = await call(market, 'GET', '/metrics', { token: operator })
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('nobody without a token', async () => {
    expectProblem(await call(market, 'GET', '/metrics'), 'missing_token')
  })

  test('no user who is no operator', async () => {
    const answer = await call(market, 'GET', '/metrics', { token: await userToken(market) })
    expectProblem(answer, 'operator_required')
  })

  test('nobody on the main port where there is one for metrics', async () => {
    const { app } = await anotherServer({ metricsPort: 9464 })
    expectProblem(await ask(app, '/metrics', { token: operator }), 'not_found')
    await app.close()
  })
})

describe('requests', () => {
  const PAGE = '/v1/Products?limit=1'

  test('are counted by template, method and class of status', async () => {
    const name = 'http_requests_total{route="/v1/Products/:id",method="GET",status="4xx"}'
    const missing = () => call(market, 'GET', '/v1/Products/999999', { token: seller })
    expect(await added(name, missing)).toBe(1)
  })

  test('are in a histogram of their durations', async () => {
    const labels = 'route="/v1/Products",method="GET"'
    const one = () => call(market, 'GET', PAGE, { token: seller })
    const count = `http_request_duration_seconds_count{${labels}}`
    expect(await added(count, one)).toBe(1)
    const series = await metrics()
    const infinite = series.get(`http_request_duration_seconds_bucket{${labels},le="+Inf"}`)
    expect(infinite).toBe(series.get(count))
  })

  test('that fail are counted by code', async () => {
    const name = 'marketplace_problems_total{code="not_found"}'
    expect(await added(name, () => call(market, 'GET', '/nothing'))).toBe(1)
  })

  test('that fail in the words of OAuth are counted by the same codes', async () => {
    const payload = 'grant_type=client_credentials&client_id=unknown&client_secret=wrong'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const name = 'marketplace_problems_total{code="invalid_credentials"}'
    const ask = () => market.app.inject({ method: 'POST', url: '/oauth/token', headers, payload })
    expect(await added(name, ask)).toBe(1)
  })

  test('make no series by paths, methods, queries or hosts that clients choose', async () => {
    await walk()
    const before = await metrics()
    for (let round = 0; round < 20; round += 1) await walk(`-${round}`)
    const after = await metrics()
    // What Node tells of itself, such as the kinds of garbage collections and of open handles, comes
    // and goes, whoever asks for what.
    const isOurs = (name: string) => !name.startsWith('nodejs_')
    expect([...after.keys()].filter((name) => isOurs(name) && !before.has(name))).toEqual([])

    async function walk(suffix = '') {
      for (const method of METHODS.filter((one) => one !== 'CONNECT')) {
        for (const path of [`/x${suffix}`, `/v1/Products/x${suffix}`, `/%zz${suffix}`]) {
          await market.app.inject({ method: method as 'GET', url: `${path}?q=${suffix}` })
        }
      }
    }
  })
})

describe('what is counted', () => {
  test('tokens that are made', async () => {
    const name = 'marketplace_tokens_made_total{kind="developer"}'
    expect(await added(name, () => developerToken(market))).toBe(1)
  })

  test('tokens that are refused, by reason', async () => {
    const name = 'marketplace_tokens_refused_total{reason="invalid_token"}'
    const forged = () => call(market, 'GET', '/v1/Products', { token: 'forged' })
    expect(await added(name, forged)).toBe(1)
  })

  test('passwords, by how the sign-in ended', async () => {
    const body = { clientId: 'nobody', password: 'wrong-password' }
    const wrong = () => call(market, 'POST', '/v1/Auth', { body })
    const name = (outcome: string) =>
      `marketplace_sign_ins_total{kind="developer",outcome="${outcome}"}`
    expect(await added(name('wrong'), wrong)).toBe(1)
    expect(await added(name('succeeded'), () => developerToken(market))).toBe(1)
    const often = async () => {
      for (let n = 0; n < 10; n += 1) await wrong()
    }
    expect(await added(name('limited'), often)).toBe(1)
  })

  test('requests over a limit', async () => {
    const { app } = await anotherServer({ rateLimitPerMinute: 1 })
    for (let n = 0; n < 3; n += 1) await ask(app, '/v1/Products?limit=1', { token: seller })
    const { text } = await ask(app, '/metrics', { token: operator })
    expect(readMetrics(text).get('marketplace_limits_hit_total{limit="installation"}')).toBe(2)
    await app.close()
  })

  test('product pages from the database and from memory', async () => {
    const read = () => call(market, 'GET', '/v1/Products?limit=7', { token: seller })
    const name = (result: string) => `marketplace_page_cache_reads_total{result="${result}"}`
    const twice = async () => {
      await read()
      await read()
    }
    expect(await added(name('miss'), twice)).toBe(2)
    expect(await added(name('hit'), read)).toBe(1)
    expect((await metrics()).get('marketplace_page_cache_bytes')).toBeGreaterThan(0)
  })

  test('imports and their rows', async () => {
    const body = 'brand,partNumber,inStock\nAcme,metrics-1,5\n'
    const { token } = await newProductParty(market)
    const bring = async () => {
      const headers = { 'content-type': 'text/csv' }
      const { status } = await call(market, 'POST', '/v1/Products/Import', { token, body, headers })
      expect(status).toBe(200)
    }
    expect(await added('marketplace_imports_total{outcome="completed"}', bring)).toBe(1)
    expect((await metrics()).get('marketplace_import_rows_total')).toBe(1)
  })

  test('deliveries of webhooks and how long they took', async () => {
    await addEndpoint(market, { url: receiver.url })
    await switchOften(market, twoInstallations(market)[0], 2)
    const name = 'marketplace_webhook_deliveries_total'
    await eventually(metrics, (series) => series.get(name) === 2)
    expect((await metrics()).get('marketplace_webhook_latency_seconds_count')).toBe(2)
  })

  test('attempts that failed, by reason', async () => {
    receiver.answerWith((response) => response.writeHead(500).end())
    await switchOften(market, twoInstallations(market)[0], 1)
    const name = 'marketplace_webhook_failures_total{reason="status"}'
    await eventually(metrics, (series) => series.get(name) === 1)
  })
})

describe('an answer', () => {
  let series: Series
  beforeEach(async () => {
    series = await metrics()
  })

  test('names the release and the schema', () => {
    const { version } = process
    expect(series.get(`marketplace_build_info{version="test",node="${version}"}`)).toBe(1)
    const schemas = [...series.keys()].filter((name) => name.startsWith('marketplace_schema_info'))
    expect(schemas).toEqual([
      expect.stringMatching(/^marketplace_schema_info\{migration="\d{14}_\w+"\}$/),
    ])
  })

  test('has the state of the process, the pool, the password gate and the queue', () => {
    const names = namesOf(series)
    for (const name of [
      'process_cpu_user_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'marketplace_database_connections',
      'marketplace_database_waiting',
      'marketplace_password_hashes_running',
      'marketplace_password_hashes_waiting',
      'marketplace_password_hashes_refused_total',
      'marketplace_webhooks_in_flight',
      'marketplace_webhooks_due',
      'marketplace_jobs_waiting',
    ]) {
      expect(names, name).toContain(name)
    }
    expect(series.get('marketplace_database_up')).toBe(1)
  })

  test('has no id, address or name of anybody', () => {
    const text = [...series.keys()].join('\n')
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|127\.0\.0\.1|@/)
    for (const { clientId } of market.demo.developers) expect(text).not.toContain(clientId)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMeasures } from '../../../src/base/measures/measures.ts'
import {
  readFigures,
  startHourlyFigures,
} from '../../../src/operation/metrics/hourly-figures-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { signedIn } from '../../setup/web-client.ts'

const HOUR_MS = 3_600_000
const START = new Date('2026-06-15T10:30:00Z')

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(() => market.deps.pool.query('DELETE FROM hourly_figures'))

/** A replica with a clock and counts of its own. */
function replica() {
  let atMs = START.getTime()
  const measures = createMeasures()
  const deps = { ...market.deps, measures, now: () => new Date(atMs) }
  return {
    deps,
    measures,
    figures: startHourlyFigures(deps),
    pass(hours: number) {
      atMs += hours * HOUR_MS
    },
    request: (status = 200, ms = 20) =>
      measures.requests.count(deps, '/v1/Apps', 'GET', status, ms),
  }
}

const stored = () => market.deps.db.hourlyFigures.findMany({ orderBy: { hour: 'asc' } })

describe('the figures of an hour', () => {
  test('are written when it is over, once', async () => {
    const one = replica()
    one.request()
    await one.figures.look()
    expect(await stored()).toEqual([])
    one.pass(1)
    await one.figures.look()
    await one.figures.look()
    expect(await stored()).toMatchObject([
      { hour: new Date('2026-06-15T10:00:00Z'), requests: 1n, errors: 0n },
    ])
    await one.figures.stop()
  })

  test('have nothing of the hour before', async () => {
    const one = replica()
    one.request(500)
    one.pass(1)
    await one.figures.look()
    one.request()
    one.request()
    one.pass(1)
    await one.figures.stop()
    expect(await stored()).toMatchObject([
      { hour: new Date('2026-06-15T10:00:00Z'), requests: 1n, errors: 1n },
      { hour: new Date('2026-06-15T11:00:00Z'), requests: 2n, errors: 0n },
    ])
  })

  test('are written when the process ends', async () => {
    const one = replica()
    one.request(500)
    await one.figures.stop()
    expect(await stored()).toMatchObject([{ requests: 1n, errors: 1n }])
  })

  test('are those of all replicas, which end at once', async () => {
    const replicas = Array.from({ length: 5 }, replica)
    for (const one of replicas) {
      one.request()
      one.measures.tokensMade.account += 2
    }
    await Promise.all(replicas.map(({ figures }) => figures.stop()))
    const [row] = await stored()
    expect(row).toMatchObject({ requests: 5n, tokens: 10n })
    expect(row?.latencies.reduce((all, one) => all + one)).toBe(5n)
  })

  test('without anything make no row', async () => {
    await replica().figures.stop()
    expect(await stored()).toEqual([])
  })

  test('that could not be written are written the next time', async () => {
    const one = replica()
    const { pool } = market.deps
    one.deps.pool = { query: () => Promise.reject(new Error('away')) } as never
    const figures = startHourlyFigures(one.deps)
    one.request()
    one.pass(1)
    await figures.look()
    expect(await stored()).toEqual([])
    one.deps.pool = pool
    await figures.look()
    expect(await stored()).toMatchObject([{ requests: 1n }])
    await figures.stop()
    await one.figures.stop()
  })

  test('are forgotten after 90 days', async () => {
    const old = replica()
    old.request()
    await old.figures.stop()
    const young = replica()
    young.pass(91 * 24)
    const later = startHourlyFigures(young.deps)
    young.request()
    await later.stop()
    expect((await stored()).map(({ hour }) => hour.toISOString())).toEqual([
      '2026-09-14T10:00:00.000Z',
    ])
    await young.figures.stop()
  })
})

describe('the charts', () => {
  test('have the last 24 complete hours, or 30 days, the oldest first', async () => {
    const one = replica()
    one.request()
    one.pass(1)
    await one.figures.stop()
    const hours = await readFigures(one.deps, '24h')
    expect(hours).toHaveLength(24)
    expect(hours[0]?.at.toISOString()).toBe('2026-06-14T11:00:00.000Z')
    expect(hours[23]).toMatchObject({ at: new Date('2026-06-15T10:00:00Z') })
    const days = await readFigures(one.deps, '30d')
    expect(days).toHaveLength(30)
    expect(days[29]).toMatchObject({ at: new Date('2026-06-15'), figures: { requests: 1 } })
  })

  test('are on the operator’s first page, with a text and a table of the same', async () => {
    const { deps } = market
    const hour = new Date(Math.floor(Date.now() / HOUR_MS - 1) * HOUR_MS)
    const latencies = [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 1234n, 0n, 0n, 0n, 0n]
    await deps.db.hourlyFigures.create({
      data: { hour, requests: 1234n, latencies, deliveries: 9n, failures: 3n },
    })
    const operator = await signedIn(market, market.demo.operator)
    const { text } = await operator.get('/Operator')
    const at = hour.toISOString().slice(11, 16)
    expect(text).toContain(`<title id="chart-requests">Requests: Peak 1,234 at ${at}</title>`)
    expect(text).toContain(`p99 response time: Peak 500 ms at ${at}`)
    expect(text).toContain('<td>3 of 12</td>')
    // What has nothing to show is one line without a chart.
    expect(text.match(/<svg class="chart-(good|bad)"/g)).toHaveLength(3)
    expect((await operator.get('/Operator?range=30d')).text).toContain('Last 30 days</h2>')
    expect((await operator.get('/Operator?range=other')).text).toContain('Last 24 hours</h2>')
  })
})

import { randomUUID } from 'node:crypto'
import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../../src/errors.ts'
import { eventOf } from '../../../../src/marketplace/events/event-record.ts'
import { EVENT_SCHEMAS } from '../../../../src/marketplace/events/event-schemas.ts'
import { forgetUsage } from '../../../../src/marketplace/usage/forget-usage-service.ts'
import {
  createUsageCounts,
  type UsageCounts,
} from '../../../../src/marketplace/usage/usage-counts-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, developerToken } from '../../../setup/client.ts'
import { ask } from '../../../setup/limits.ts'
import { newProductParty } from '../../../setup/product-client.ts'

const DAY_SECONDS = 86_400
const LIMIT = 2
const BUDGET = LIMIT * 1_440
const NEAR = Math.ceil(BUDGET * 0.8)

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace({
    isClockStopped: true,
    config: { rateLimitPerMinute: LIMIT },
  })
})
afterAll(() => market.close())

let id: string
beforeEach(async () => {
  id = (await newProductParty(market)).installationId
})

const nowMs = () => market.deps.now().getTime()

/** The counts of one more process on the same database. */
function otherCounts(pool: Pool = market.deps.pool): UsageCounts {
  return createUsageCounts(pool, market.deps.log, LIMIT)
}

function addTimes(
  counts: UsageCounts,
  times: number,
  permission = 'products:read',
  refusal: ErrorCode | null = null,
) {
  for (let n = 0; n < times; n += 1) counts.add(id, permission, 1, refusal, nowMs())
}

async function stored(installationId = id) {
  const { rows } = await market.deps.pool.query(
    `SELECT day::text, permission, requests::int, records::int, refusals, last_used_at
     FROM usage_days WHERE installation_id = $1 ORDER BY usage_days.day, permission`,
    [installationId],
  )
  return rows
}

const nearEvents = () =>
  market.deps.db.event.findMany({
    where: { installationId: id, type: 'budget.near' },
    orderBy: { written: 'asc' },
  })

describe('counts', () => {
  test('are not written by requests', async () => {
    const one = await newProductParty(market)
    await ask(market.app, '/v1/Products', { token: one.token })
    expect(await stored(one.installationId)).toEqual([])
    await market.deps.usageCounts.write()
    expect(await stored(one.installationId)).toMatchObject([{ requests: 1 }])
  })

  test('of several processes add up, however often they write at the same time', async () => {
    const counts = Array.from({ length: 4 }, () => otherCounts())
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => (await newProductParty(market)).installationId),
    )
    for (let round = 0; round < 5; round += 1) {
      for (const one of counts) {
        for (const other of [...others, id]) {
          one.add(other, 'products:read', 10, null, nowMs())
          one.add(other, 'products:write', 0, 'insufficient_scope', nowMs())
        }
      }
      await Promise.all(counts.map((one) => one.write()))
    }
    for (const other of [...others, id]) {
      expect(await stored(other)).toMatchObject([
        { permission: 'products:read', requests: 20, records: 200, refusals: {} },
        {
          permission: 'products:write',
          requests: 20,
          records: 0,
          refusals: { insufficient_scope: 20 },
          last_used_at: null,
        },
      ])
    }
    await Promise.all(counts.map((one) => one.close()))
  })

  test('of more installations than one statement writes are all written', async () => {
    const counts = otherCounts()
    const ids = Array.from({ length: 2_500 }, () => randomUUID())
    for (const other of ids) counts.add(other, null, 0, null, nowMs())
    await counts.close()
    const { rows } = await market.deps.pool.query(
      `DELETE FROM usage_days WHERE installation_id = ANY($1) RETURNING requests`,
      [ids],
    )
    expect(rows).toHaveLength(2_500)
  })

  test('that cannot be written are kept, and written once the database is back', async () => {
    const away = new Pool({ connectionString: 'postgresql://127.0.0.1:1/none' })
    const counts = otherCounts(away)
    addTimes(counts, 3)
    await counts.write()
    addTimes(counts, 2, 'products:read', 'too_many_requests')
    await counts.write()
    expect(await stored()).toEqual([])
    await counts.close(market.deps.pool)
    await away.end()
    expect(await stored()).toMatchObject([
      { requests: 5, records: 5, refusals: { too_many_requests: 2 } },
    ])
  })

  test('of an installation that is not there any more hold up no others', async () => {
    const counts = otherCounts()
    const gone = randomUUID()
    counts.add(gone, 'products:read', 1, null, nowMs())
    addTimes(counts, NEAR)
    for (let n = 0; n < NEAR; n += 1) counts.add(gone, 'products:read', 1, null, nowMs())
    await counts.close()
    expect(await stored()).toMatchObject([{ requests: NEAR }])
    expect(await nearEvents()).toHaveLength(1)
  })

  test('are written when a process ends', async () => {
    const counts = otherCounts()
    addTimes(counts, 1)
    await counts.close()
    expect(await stored()).toMatchObject([{ requests: 1 }])
  })

  test('are kept for 400 days', async () => {
    const { deps } = market
    addTimes(deps.usageCounts, 1)
    await deps.usageCounts.write()
    market.advance(399 * DAY_SECONDS)
    await forgetUsage(deps)
    expect(await stored()).toHaveLength(1)
    market.advance(DAY_SECONDS)
    await forgetUsage(deps)
    expect(await stored()).toEqual([])
  })
})

describe('the limit', () => {
  test('refuses, and the refusals are counted', async () => {
    const { installationId, token } = await newProductParty(market)
    const from = '192.0.2.77'
    const answers = []
    for (let n = 0; n < LIMIT + 2; n += 1)
      answers.push((await ask(market.app, '/v1/Products', { token, from })).status)
    expect(answers).toEqual([200, 200, 429, 429])
    await market.deps.usageCounts.write()
    expect(await stored(installationId)).toMatchObject([
      { permission: 'products:read', requests: 4, refusals: { too_many_requests: 2 } },
    ])
  })

  test('is told', async () => {
    const token = await developerToken(market)
    const { body } = await call(market, 'GET', `/v1/Developer/Installations/${id}/Usage`, { token })
    expect(body.limitPerMinute).toBe(LIMIT)
  })
})

describe('budget.near', () => {
  test('is told at 80 percent of the budget of a day, once', async () => {
    const counts = otherCounts()
    addTimes(counts, NEAR - 1)
    await counts.write()
    expect(await nearEvents()).toEqual([])
    addTimes(counts, 1)
    await counts.write()
    addTimes(counts, 10)
    await counts.close()
    const [event, ...more] = await nearEvents()
    expect(more).toEqual([])
    expect(event?.data).toEqual({
      day: market.deps.now().toISOString().slice(0, 10),
      percent: 80,
      requests: NEAR,
      limitPerMinute: LIMIT,
      dayBudget: BUDGET,
    })
    const numbered = { ...event, position: 1 } as Parameters<typeof eventOf>[0]
    const told = eventOf(numbered, market.url)
    expect(EVENT_SCHEMAS['budget.near'].safeParse(told).success).toBe(true)
  })

  test('is told again on the next day', async () => {
    const counts = otherCounts()
    addTimes(counts, NEAR)
    await counts.write()
    market.advance(DAY_SECONDS)
    addTimes(counts, NEAR - 1)
    await counts.write()
    expect(await nearEvents()).toHaveLength(1)
    addTimes(counts, 1)
    await counts.close()
    expect(await nearEvents()).toHaveLength(2)
  })

  test('counts all permissions, and nothing that was over the limit', async () => {
    const counts = otherCounts()
    addTimes(counts, NEAR - 2, 'products:read')
    addTimes(counts, 100, 'products:read', 'too_many_requests')
    addTimes(counts, 1, 'products:write')
    await counts.write()
    expect(await nearEvents()).toEqual([])
    addTimes(counts, 1, 'profile:read')
    await counts.close()
    expect(await nearEvents()).toHaveLength(1)
  })

  test('of several processes is told once', async () => {
    const counts = Array.from({ length: 4 }, () => otherCounts())
    for (const one of counts) addTimes(one, NEAR)
    await Promise.all(counts.map((one) => one.close()))
    expect(await nearEvents()).toHaveLength(1)
  })

  test('keeps the sequence of the installation without gaps', async () => {
    const counts = otherCounts()
    addTimes(counts, NEAR)
    await counts.close()
    const events = await market.deps.db.event.findMany({ where: { installationId: id } })
    const { eventSequence } = await market.deps.db.installation.findUniqueOrThrow({ where: { id } })
    expect(Math.max(...events.map(({ sequence }) => sequence ?? 0))).toBe(eventSequence)
    expect(events).toHaveLength(eventSequence)
  })

  test('is not told of an installation that is gone: its last event was another', async () => {
    const counts = otherCounts()
    addTimes(counts, NEAR)
    const token = await developerToken(market)
    await call(market, 'DELETE', `/v1/Developer/Installations/${id}`, { token })
    await counts.close()
    expect(await stored()).toMatchObject([{ requests: NEAR }])
    expect(await nearEvents()).toEqual([])
  })

  test('is not told where there is no limit', async () => {
    const counts = createUsageCounts(market.deps.pool, market.deps.log, null)
    addTimes(counts, NEAR)
    await counts.close()
    expect(await nearEvents()).toEqual([])
  })
})

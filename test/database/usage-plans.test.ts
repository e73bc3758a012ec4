import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetUsage } from '../../src/marketplace/usage/forget-usage-service.ts'
import { readUsage } from '../../src/marketplace/usage/read-usage-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { noteStatements, openExplainer, readTooMuch } from '../setup/statements.ts'

/** Of 300,000 counts: those of one installation, and what one statement forgets. */
const BOUNDS = { rows: 2_400, indexRows: 2_400 }
const TABLES = new Set(['usage_days'])
const INSTALLATIONS = 500
const DAYS = 300

let market: TestMarketplace
let explainer: pg.Client
let statements: ReturnType<typeof noteStatements>
let ids: string[]
beforeAll(async () => {
  market = await startMarketplace({ isClockStopped: true, config: { rateLimitPerMinute: 600 } })
  statements = noteStatements(market.deps.pool)
  explainer = await openExplainer(market.databaseUrl)
  ids = market.demo.installations.map(({ id }) => id)
  await explainer.query(
    `INSERT INTO usage_days (installation_id, day, permission, requests, records, last_used_at)
     SELECT i.id, $2::date - d, p, 1, 1, now()
     FROM (SELECT unnest($1::uuid[]) UNION ALL SELECT gen_random_uuid() FROM generate_series(1, $3)) AS i (id),
       generate_series(0, $4) AS d, unnest(ARRAY['products:read', 'products:write']) AS p`,
    [ids, market.deps.now(), INSTALLATIONS, DAYS],
  )
  await explainer.query('ANALYZE usage_days')
})
afterAll(async () => {
  await explainer?.end()
  await market?.close()
})

async function faultsOf(work: () => Promise<unknown>): Promise<string[]> {
  statements.take()
  await work()
  const faults: string[] = []
  let explained = 0
  for (const sent of statements.take()) {
    if (!sent.text.includes('usage_days')) continue
    explained += 1
    await explainer.query('BEGIN')
    faults.push(...(await readTooMuch(explainer, sent, TABLES, BOUNDS)))
    await explainer.query('ROLLBACK')
  }
  expect(explained).toBeGreaterThan(0)
  return faults
}

test('reading one installation reads none of the others', async () => {
  const [id = ''] = ids
  expect(await faultsOf(() => readUsage(market.deps, id, {}))).toEqual([])
})

test('writing and looking at the budget read the days that are written', async () => {
  const { usageCounts } = market.deps
  const write = async () => {
    const atMs = market.deps.now().getTime()
    for (const id of ids) usageCounts.add(id, 'products:read', 1, null, atMs)
    await usageCounts.write()
  }
  expect(await faultsOf(write)).toEqual([])
})

test('forgetting looks at the old days alone', async () => {
  market.advance(102 * 86_400)
  expect(await faultsOf(() => forgetUsage(market.deps))).toEqual([])
})

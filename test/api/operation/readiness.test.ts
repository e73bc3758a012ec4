import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReadiness, type Readiness } from '../../../src/process/start/readiness.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { missing, sabotaged } from '../../setup/sabotage.ts'

let market: TestMarketplace
let readiness: Readiness
beforeAll(async () => {
  market = await startMarketplace()
  const deps = { ...market.deps, log: pino({ level: 'silent' }) }
  readiness = openReadiness({ deps, connectionString: market.databaseUrl })
})
afterAll(async () => {
  await readiness.close()
  await market.close()
})

const problem = () => readiness.problem()
const RESTORED =
  'DELETE FROM schema_release; INSERT INTO schema_release TABLE kept; DROP TABLE kept'

test('a server is ready on the schema of its own release', async () => {
  expect(await problem()).toBeUndefined()
})

test('a server is not ready on a schema that needs a newer release', async () => {
  const newer = {
    sql: `CREATE TABLE kept AS TABLE schema_release;
      UPDATE schema_release SET compatible_from = '29990101000000_contract'`,
    undo: RESTORED,
  }
  expect(await sabotaged(market, newer, problem)).toContain('needs a newer release')
  expect(await problem()).toBeUndefined()
})

test('a server is not ready on a database that is being restored, and does not ask for a newer release', async () => {
  const emptied = {
    sql: 'CREATE TABLE kept AS TABLE schema_release; DELETE FROM schema_release',
    undo: RESTORED,
  }
  expect(await sabotaged(market, emptied, problem)).toBe(
    'The table schema_release is empty: the database is being restored, or was restored in part.',
  )
  expect(await problem()).toBeUndefined()
})

test('a server is not ready on a database without a schema', async () => {
  expect(await sabotaged(market, missing('schema_release'), problem)).toBe(
    'The database has no schema of this marketplace.',
  )
  expect(await problem()).toBeUndefined()
})

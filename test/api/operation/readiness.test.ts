import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReadiness, type Readiness } from '../../../src/process/start/readiness.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'

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

const run = (sql: string) => market.deps.pool.query(sql)

test('a server is ready on the schema of its own release', async () => {
  expect(await readiness.problem()).toBeUndefined()
})

test('a server is not ready on a schema that needs a newer release', async () => {
  const { rows } = await run('SELECT compatible_from AS kept FROM schema_release')
  await run(`UPDATE schema_release SET compatible_from = '29990101000000_contract'`)
  expect(await readiness.problem()).toContain('needs a newer release')
  await run(`UPDATE schema_release SET compatible_from = '${rows[0].kept}'`)
  expect(await readiness.problem()).toBeUndefined()
})

test('a server is not ready on a database that is being restored, and does not ask for a newer release', async () => {
  await run('CREATE TABLE kept AS TABLE schema_release; DELETE FROM schema_release')
  expect(await readiness.problem()).toBe(
    'The table schema_release is empty: the database is being restored, or was restored in part.',
  )
  await run('INSERT INTO schema_release TABLE kept; DROP TABLE kept')
  expect(await readiness.problem()).toBeUndefined()
})

test('a server is not ready on a database without a schema', async () => {
  await run('ALTER TABLE schema_release RENAME TO gone')
  expect(await readiness.problem()).toBe('The database has no schema of this marketplace.')
  await run('ALTER TABLE gone RENAME TO schema_release')
  expect(await readiness.problem()).toBeUndefined()
})

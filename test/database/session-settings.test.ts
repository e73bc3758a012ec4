import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/base/database/client.ts'
import { migrate } from '../../src/base/database/migrate.ts'
import { createLogger } from '../../src/base/log/logger.ts'
import { loadConfig } from '../../src/config.ts'
import { openRuntime } from '../../src/process/start/runtime.ts'
import { query } from '../setup/backups.ts'
import { createTestDatabase, type TestDatabase, withDatabase } from '../setup/database.ts'

/** Defaults of a database that none of our statements expects. */
const DEFAULTS = [
  "timezone = 'Asia/Kathmandu'",
  "datestyle = 'German'",
  'array_nulls = off',
  'standard_conforming_strings = off',
  "search_path = 'elsewhere'",
  "default_transaction_isolation = 'repeatable read'",
  "idle_session_timeout = '1min'",
]

let migrated: TestDatabase
let empty: TestDatabase
let database: Database
beforeAll(async () => {
  migrated = await createTestDatabase()
  empty = await createTestDatabase({ empty: true })
  for (const { url } of [migrated, empty]) await changeDefaults(url)
  database = openDatabase({ connectionString: migrated.url, poolSize: 2, onIdleError: () => {} })
})
afterAll(async () => {
  await database.close()
  await migrated.drop()
  await empty.drop()
})

const nameIn = (url: string) => new URL(url.replace('@/', '@localhost/')).pathname.slice(1)

async function changeDefaults(url: string): Promise<void> {
  const all = DEFAULTS.map((setting) => `ALTER DATABASE ${nameIn(url)} SET ${setting}`)
  await query(url, ['CREATE SCHEMA elsewhere', ...all].join(';'))
}

test('a time is the same for Prisma and for SQL, whatever the time zone of the database', async () => {
  const { db, pool } = database
  const time = new Date('2026-07-01T12:00:00.123Z')
  const { id } = await db.party.create({
    data: { name: 'Times', type: 'Seller', createdAt: time },
    select: { id: true },
  })
  const { rows } = await pool.query('SELECT created_at AS time FROM parties WHERE id = $1', [id])
  expect(rows).toEqual([{ time }])
  await pool.query("UPDATE parties SET created_at = created_at + interval '1 s' WHERE id = $1", [
    id,
  ])
  const { createdAt } = await db.party.findUniqueOrThrow({ where: { id } })
  expect(createdAt).toEqual(new Date('2026-07-01T12:00:01.123Z'))
})

test('a change waits for another one of the same row and goes on, whatever the isolation of the database', async () => {
  const { db, pool } = database
  const data = { name: 'Turns', type: 'Seller' } as const
  const { id } = await db.party.create({ data, select: { id: true } })
  const rename = 'UPDATE parties SET name = name || $2 WHERE id = $1 RETURNING name'
  const client = await pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('BEGIN')
  await client.query('SELECT name FROM parties WHERE id = $1', [id])
  await pool.query(rename, [id, ' one'])
  const { rows } = await client.query(rename, [id, ' two'])
  await client.query('COMMIT')
  expect(rows).toEqual([{ name: 'Turns one two' }])
})

test('Postgres ends no connection that waits for work, whatever the database says', async () => {
  const { rows } = await database.pool.query('SHOW idle_session_timeout')
  expect(rows).toEqual([{ idle_session_timeout: '0' }])
})

test('a random page costs as on flash, unless somebody has set a price', async () => {
  const { url, drop } = await createTestDatabase({ empty: true })
  onTestFinished(drop)
  const priceOn = async () => {
    const { pool, close } = openDatabase({ connectionString: url, poolSize: 1, onIdleError() {} })
    const { rows } = await pool.query('SHOW random_page_cost')
    await close()
    return rows[0].random_page_cost
  }
  expect(await priceOn()).toBe('1.1')
  for (const price of ['4', '2.5']) {
    await query(url, `ALTER DATABASE ${nameIn(url)} SET random_page_cost = ${price}`)
    expect(await priceOn()).toBe(price)
  }
})

test('the tables are made in public, whatever schema comes first in the database', async () => {
  await migrate(empty.url)
  const schemas = await query(
    empty.url,
    "SELECT DISTINCT schemaname FROM pg_catalog.pg_tables WHERE tablename IN ('parties', 'apps')",
  )
  expect(schemas).toEqual([{ schemaname: 'public' }])
})

test('a server does not start on a database that cannot hold any text', async () => {
  const name = `test_latin1_${process.pid}`
  await query(migrated.url, `CREATE DATABASE ${name} ENCODING LATIN1 LOCALE 'C' TEMPLATE template0`)
  onTestFinished(async () => {
    await query(migrated.url, `DROP DATABASE ${name} WITH (FORCE)`)
  })
  const config = loadConfig({ LOG_LEVEL: 'silent' })
  const url = withDatabase(migrated.url, name)
  const start = openRuntime(config, createLogger(config), { url, close: async () => {} })
  await expect(start).rejects.toThrow(
    'DATABASE_URL leads to a database in LATIN1; UTF8 is needed: ' +
      'CREATE DATABASE ... ENCODING UTF8 TEMPLATE template0.',
  )
})

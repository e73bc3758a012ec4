import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/base/database/migrate.ts'
import { nameSearchWarning } from '../../src/base/database/name-search-warning.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'

const NAME_SEARCH = new URL('../../prisma/name-search.sql', import.meta.url)

const role = `plain_${randomBytes(6).toString('hex')}`
let database: TestDatabase
let owner: pg.Client
let plainUrl: string

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'plain'`)
  await owner.query(`GRANT ALL ON SCHEMA public TO ${role}`)
  plainUrl = database.url.replace(/\/\/[^@/]*@/, `//${role}:plain@`)
})
afterAll(async () => {
  await owner?.query(`DROP OWNED BY ${role} CASCADE`)
  await owner?.query(`DROP ROLE ${role}`)
  await owner?.end()
  await database?.drop()
})

const INDEXES = [
  ...['apps_description_search_idx', 'apps_id_search_idx', 'apps_name_search_idx'],
  ...['developers_name_search_idx', 'parties_name_search_idx'],
  ...['users_email_search_idx', 'users_name_search_idx'],
]
const searchIndexes = async (client = owner) =>
  (
    await client.query<{ name: string }>(
      `SELECT indexname AS name FROM pg_indexes WHERE indexdef LIKE '%gin_trgm_ops%' ORDER BY 1`,
    )
  ).rows.map(({ name }) => name)

const MIGRATIONS = readdirSync(new URL('../../prisma/migrations', import.meta.url), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()

describe('a role that may not create extensions', () => {
  test('still migrates, and the server warns', async () => {
    expect((await migrate(plainUrl)).applied).toEqual(MIGRATIONS)
    expect(await searchIndexes()).toEqual([])
    expect(await nameSearchWarning(owner)).toContain('pg_trgm')
  })

  test('has the indexes when the extension was made and the file is run again', async () => {
    await owner.query('CREATE SCHEMA elsewhere')
    await owner.query('CREATE EXTENSION pg_trgm SCHEMA elsewhere')
    await owner.query(`GRANT USAGE ON SCHEMA elsewhere TO ${role}`)
    const plain = new pg.Client({ connectionString: plainUrl })
    await plain.connect()
    for (let times = 0; times < 2; times++) await plain.query(await readFile(NAME_SEARCH, 'utf8'))
    await plain.end()
    expect(await searchIndexes()).toEqual(INDEXES)
    expect(await nameSearchWarning(owner)).toBeUndefined()
  })
})

test('a role that may create the extension has the indexes from the migration', async () => {
  const other = await createTestDatabase({ empty: true })
  const client = new pg.Client({ connectionString: other.url })
  try {
    await migrate(other.url)
    await client.connect()
    expect(await searchIndexes(client)).toEqual(INDEXES)
  } finally {
    await client.end()
    await other.drop()
  }
})

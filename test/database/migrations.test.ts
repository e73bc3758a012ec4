import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MigrationError, migrate } from '../../src/base/database/migrate.ts'
import {
  BOOKKEEPING_SQL,
  MIGRATION_LOCK_ID,
  type Migration,
  readMigrations,
} from '../../src/base/database/migration-files.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { readSchema, schemaDiffSql } from '../setup/schema-sql.ts'

const opened: TestDatabase[] = []
afterAll(async () => {
  for (const database of opened) await database.drop()
})

async function emptyDatabase(): Promise<string> {
  const database = await createTestDatabase({ empty: true })
  opened.push(database)
  return database.url
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function committedMigrations(): Promise<string[]> {
  const directory = new URL('../../prisma/migrations/', import.meta.url)
  return (await readdir(directory)).filter((name) => /^\d{14}_/.test(name)).sort()
}

const appliedMigrations = async (url: string) =>
  (
    await query<{ name: string }>(
      url,
      'SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1',
    )
  ).map(({ name }) => name)

/** What schema.prisma can express, one line per thing, in the words of the catalog. */
const CATALOG = {
  columns: `
    SELECT format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
      coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')) AS line
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
      AND c.relname <> '_prisma_migrations'`,
  // Those for text search are on expressions.
  indexes: `
    SELECT indexdef AS line FROM pg_indexes
    WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
      AND indexname NOT LIKE '%\\_search\\_idx'`,
  keys: `
    SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line
    FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')
      AND conrelid <> coalesce(to_regclass('_prisma_migrations')::oid, 0)`,
  enums: `
    SELECT format('%s: %s', t.typname, string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder)) AS line
    FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid
    WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname`,
  sequences: `
    SELECT format('%s %s', sequencename, data_type) AS line FROM pg_sequences
    WHERE schemaname = 'public'`,
}

describe('a database made by the migrations equals schema.prisma', () => {
  let migrated: string
  let declared: string
  beforeAll(async () => {
    migrated = await emptyDatabase()
    await migrate(migrated)
    declared = await emptyDatabase()
    await query(declared, await schemaDiffSql(declared, null, await readSchema()))
  })

  test.each(Object.entries(CATALOG))('in its %s', async (_name, sql) => {
    const [left, right] = await Promise.all(
      [migrated, declared].map(async (url) =>
        (await query<{ line: string }>(url, sql)).map(({ line }) => line).sort(),
      ),
    )
    expect(left?.length).toBeGreaterThan(1)
    expect(left).toEqual(right)
  })

  test('every table has a primary key', async () => {
    const rows = await query(
      migrated,
      `SELECT relname FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = c.oid AND contype = 'p')`,
    )
    expect(rows).toEqual([])
  })
})

describe('migrating', () => {
  test('an empty database applies every migration once, in order; again applies nothing', async () => {
    const url = await emptyDatabase()
    const names = await committedMigrations()
    expect(await migrate(url)).toEqual({ applied: names, newer: [] })
    expect(await migrate(url)).toEqual({ applied: [], newer: [] })
    expect(await appliedMigrations(url)).toEqual(names)
  })

  test('keeps the bookkeeping of Prisma Migrate', async () => {
    const url = await emptyDatabase()
    await migrate(url)
    const rows = await query(url, 'SELECT * FROM _prisma_migrations')
    for (const row of rows) {
      expect(row).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        migration_name: expect.any(String),
        started_at: expect.any(Date),
        finished_at: expect.any(Date),
        rolled_back_at: null,
        logs: null,
        applied_steps_count: 1,
      })
    }
  })

  test('by several servers at once succeeds in all and records each migration once', async () => {
    const url = await emptyDatabase()
    const names = await committedMigrations()
    const results = await Promise.all([1, 2, 3, 4].map(() => migrate(url)))
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(names)
    expect(await appliedMigrations(url)).toEqual(names)
  })

  test('a failing migration leaves nothing behind and can be repeated', async () => {
    const url = await emptyDatabase()
    await query(url, 'CREATE TABLE developers (id int)')
    await expect(migrate(url)).rejects.toThrow(MigrationError)
    expect(await appliedMigrations(url)).toEqual([])
    expect(await query(url, "SELECT 1 FROM pg_type WHERE typname = 'PartyType'")).toEqual([])
    await query(url, 'DROP TABLE developers')
    expect((await migrate(url)).applied).toEqual(await committedMigrations())
  })

  test('a migration that differs from the one applied is a MigrationError that names it', async () => {
    const url = await emptyDatabase()
    await migrate(url)
    const [first] = await committedMigrations()
    await query(
      url,
      `UPDATE _prisma_migrations SET checksum = repeat('0', 64) WHERE migration_name = '${first}'`,
    )
    const failure = await migrate(url).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MigrationError)
    expect((failure as Error).message).toContain(first)
  })

  test('a database of a newer release is a MigrationError that names its migration', async () => {
    const url = await emptyDatabase()
    await migrate(url)
    await query(
      url,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       VALUES (gen_random_uuid(), repeat('0', 64), '29990101000000_from_the_future', now())`,
    )
    const failure = await migrate(url).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MigrationError)
    expect((failure as Error).message).toContain('29990101000000_from_the_future')
  })

  test('a database of a newer release that lacks a migration of ours is refused, however compatible', async () => {
    const url = await emptyDatabase()
    await migrate(url)
    const newer = '29990101000000_from_the_future'
    await query(
      url,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       VALUES (gen_random_uuid(), repeat('0', 64), '${newer}', now());
       UPDATE schema_release SET version = '${newer}'`,
    )
    expect(await migrate(url)).toEqual({ applied: [], newer: [newer] })
    const last = (await committedMigrations()).at(-1)
    await query(url, `DELETE FROM _prisma_migrations WHERE migration_name = '${last}'`)
    await expect(migrate(url)).rejects.toThrow(`${newer}, which this release does not know`)
    expect(await appliedMigrations(url)).not.toContain(last)
  })

  test('a database from before the first release is refused before anything is written', async () => {
    const url = await emptyDatabase()
    await query(
      url,
      `${BOOKKEEPING_SQL};
       INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       VALUES (gen_random_uuid(), repeat('0', 64), '20261121000000_main_flow', now())`,
    )
    await expect(migrate(url)).rejects.toThrow(
      new MigrationError(
        'This database was made by a version before 0.1.0, which had no release. Export what you ' +
          'need with that version, and begin with an empty database.',
      ),
    )
    expect(await appliedMigrations(url)).toEqual(['20261121000000_main_flow'])
    const tables = await query(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    expect(tables).toEqual([{ tablename: '_prisma_migrations' }])
  })

  test('waits for a server that is migrating, and names its connection', async () => {
    const url = await emptyDatabase()
    const other = new pg.Client({ connectionString: url, application_name: 'another server' })
    await other.connect()
    await other.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK_ID])
    const told: string[][] = []
    const migrated = migrate(url, (holder, what) => told.push([holder, what]))
    await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 30_000 })
    const { processID } = other as unknown as { processID: number }
    expect(told).toEqual([[`pid ${processID}, another server`, 'migrations']])
    await other.end()
    expect((await migrated).applied).toEqual(await committedMigrations())
  })

  test('a refused database is left as it was', async () => {
    const url = await emptyDatabase()
    await migrate(url)
    const before = await query(url, `SELECT count(*) FROM (${CATALOG.columns}) AS lines`)
    await query(url, "UPDATE _prisma_migrations SET checksum = repeat('0', 64)")
    await expect(migrate(url)).rejects.toThrow(MigrationError)
    expect(await query(url, `SELECT count(*) FROM (${CATALOG.columns}) AS lines`)).toEqual(before)
  })
})

describe('a migration beside servers that work', () => {
  const NEXT: Migration = {
    name: '29990101000000_of_the_next_release',
    sql: `ALTER TABLE developers ADD COLUMN nickname TEXT;
      ALTER TABLE parties ADD COLUMN nickname TEXT`,
    checksum: '0'.repeat(64),
  }
  const toNext = async (url: string, onWait?: (holder: string) => void) =>
    migrate(
      url,
      onWait,
      readMigrations().then((migrations) => [...migrations, NEXT]),
    )

  /** A transaction that has read a table, such as that of a backup, while a migration needs it. */
  async function migratingBeside(table: string) {
    const url = await emptyDatabase()
    await migrate(url)
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    await reader.query(`BEGIN; SET LOCAL lock_timeout = '4s'; SELECT 1 FROM ${table}`)
    const holders: string[] = []
    const migrated = toNext(url, (holder) => holders.push(holder))
    return { url, reader, holders, migrated }
  }

  async function untilItWaits(url: string): Promise<void> {
    await vi.waitFor(
      async () =>
        expect(
          await query(
            url,
            `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
             AND datname = current_database() AND application_name = 'app-marketplace migrate'`,
          ),
        ).toHaveLength(1),
      { timeout: 20_000, interval: 5 },
    )
  }

  async function untilItGaveWay(url: string): Promise<void> {
    await vi.waitFor(
      async () =>
        expect(
          await query(
            url,
            `SELECT 1 FROM pg_stat_activity WHERE state = 'idle'
             AND datname = current_database() AND application_name = 'app-marketplace migrate'`,
          ),
        ).toHaveLength(1),
      { timeout: 20_000, interval: 5 },
    )
  }

  test('gives way to a transaction that holds what it needs and needs what it holds', async () => {
    const { url, reader, migrated } = await migratingBeside('parties')
    await untilItWaits(url)
    await reader.query('SELECT 1 FROM developers')
    await reader.query('COMMIT')
    await reader.end()
    expect((await migrated).applied).toEqual([NEXT.name])
  })

  test('lets others read a table that a long transaction has read, and names that one', async () => {
    const { url, reader, holders, migrated } = await migratingBeside('developers')
    await untilItWaits(url)
    await query(url, `BEGIN; SET LOCAL lock_timeout = '4s'; SELECT 1 FROM developers; COMMIT`)
    await vi.waitFor(() => expect(holders).toHaveLength(1), { timeout: 20_000 })
    expect(holders[0]).toContain(`pid ${(reader as unknown as { processID: number }).processID}`)
    // It is said once, however often the migration begins again meanwhile.
    for (let attempts = 0; attempts < 2; attempts++) {
      await untilItWaits(url)
      await untilItGaveWay(url)
    }
    expect(holders).toHaveLength(1)
    await reader.query('COMMIT')
    await reader.end()
    expect((await migrated).applied).toEqual([NEXT.name])
  })

  test('whose connection ends while it gives way fails, and the process goes on', async () => {
    const { url, reader, migrated } = await migratingBeside('developers')
    const failure = migrated.catch((error: unknown) => error)
    await vi.waitFor(
      async () =>
        expect(
          await query(
            url,
            `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
             WHERE state = 'idle' AND query NOT LIKE '%_prisma_migrations%'
               AND datname = current_database() AND application_name = 'app-marketplace migrate'`,
          ),
        ).toHaveLength(1),
      { timeout: 20_000, interval: 5 },
    )
    expect(await failure).toBeInstanceOf(Error)
    await reader.end()
    expect((await toNext(url)).applied).toEqual([NEXT.name])
  })
})

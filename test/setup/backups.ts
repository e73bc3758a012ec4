import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startMarketplace, type TestMarketplace } from './app.ts'
import { type CliResult, runCli } from './cli.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export const NO_DIRECTORY = join('/', 'nowhere', 'at-all')

/** A marketplace, and a backup of it. */
export type Backups = {
  market: TestMarketplace
  directory: string
  file: string
  /** What a command needs to work on the marketplace's database. */
  env: Record<string, string>
  /** What the command answered that made the backup. */
  made: CliResult
  /** The address of a database with nothing in it. */
  emptyDatabase(): Promise<string>
  restoreInto(url: string, from?: string, more?: Record<string, string>): Promise<CliResult>
  close(): Promise<void>
}

/** @param prepare changes the marketplace before it is backed up */
export async function startBackups(
  prepare: (market: TestMarketplace) => Promise<unknown> = async () => {},
): Promise<Backups> {
  const market = await startMarketplace()
  const directory = await mkdtemp(join(tmpdir(), 'backup-test-'))
  const databases: TestDatabase[] = []
  const file = join(directory, 'marketplace.backup')
  const env = { DATABASE_URL: market.databaseUrl, SECRET_KEY: market.deps.secretKey }
  await prepare(market)
  return {
    market,
    directory,
    file,
    env,
    made: await runCli(NO_DIRECTORY, ['backup', file], { env }),
    async emptyDatabase() {
      const database = await createTestDatabase({ empty: true })
      databases.push(database)
      return database.url
    },
    restoreInto: (url, from = file, more = {}) =>
      runCli(NO_DIRECTORY, ['restore', from], { env: { ...env, DATABASE_URL: url, ...more } }),
    async close() {
      await market.close()
      for (const database of databases) await database.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** The tables of the marketplace that are in a database. */
export async function tableNames(url: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

/** What a restore raises: a test of its own looks at it. */
const RAISED: Record<string, string> = {
  parties: "- 'catalogue_revision' - 'feed_from_revision'",
  apps: "- 'revision'",
  installations: "- 'revision' - 'token_generation'",
  users: "- 'token_generation'",
  webhook_endpoints: "- 'revision'",
}

/** Every row of every table, constraint, index, trigger and sequence, as texts. */
export async function everything(url: string): Promise<Record<string, string[]>> {
  const lines = async (sql: string) =>
    (await query<{ line: string }>(url, sql)).map(({ line }) => line).sort()
  const found: Record<string, string[]> = {}
  for (const table of await tableNames(url)) {
    found[table] = await lines(
      `SELECT (to_jsonb(t) ${RAISED[table] ?? ''})::text AS line FROM "${table}" t`,
    )
  }
  found.indexes = await lines("SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public'")
  found.constraints = await lines(
    `SELECT conrelid::regclass || conname || pg_get_constraintdef(oid) || convalidated::text AS line
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'`,
  )
  found.triggers = await lines(
    `SELECT pg_get_triggerdef(oid) || tgenabled::text AS line
     FROM pg_trigger WHERE NOT tgisinternal`,
  )
  found.sequences = await lines(
    "SELECT sequencename AS line FROM pg_sequences WHERE schemaname = 'public'",
  )
  return found
}

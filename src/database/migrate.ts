import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { OperatorError } from '../errors.ts'

/**
 * The advisory lock that Prisma's own migration engine takes, so that the two exclude each other.
 */
const PRISMA_LOCK_ID = 72_707_369
const LOCK_NOT_AVAILABLE = '55P03'
const NOT_ALLOWED = '42501'
/** How long to wait for the lock before saying so, and how long between two such messages. */
const FIRST_PATIENCE_MS = 5_000
const PATIENCE_MS = 60_000
const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url)
/** Name of a migration's directory: a timestamp and what it is about. */
const MIGRATION_NAME = /^\d{14}_\w+$/

/** The database does not fit this release; the message is for the operator. */
export class MigrationError extends OperatorError {}

/**
 * Brings the database to the schema of this release, each migration in its own transaction.
 * Replicas that start together wait for each other. The bookkeeping is that of Prisma Migrate,
 * so `prisma migrate status` reads it.
 *
 * @param onWait is called with the holder of the lock, after 5 seconds and then every minute
 * @returns the names of the migrations that were applied now
 * @throws MigrationError when the database was migrated by another history, or the role may not
 *   migrate it
 */
export async function migrate(
  connectionString: string,
  onWait: (holder: string) => void = () => {},
): Promise<string[]> {
  const migrations = await readMigrations()
  const client = new pg.Client({ connectionString, application_name: 'app-marketplace migrate' })
  await client.connect()
  try {
    await takeLock(client, onWait)
    await createBookkeeping(client)
    const pending = pendingOf(migrations, await appliedOf(client))
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } catch (error) {
    throw sqlStateOf(error) === NOT_ALLOWED ? notAllowed(error) : error
  } finally {
    await client.end()
  }
}

/** Waits without a limit: another server may be migrating a large table. */
async function takeLock(client: pg.Client, onWait: (holder: string) => void): Promise<void> {
  await client.query('SET statement_timeout = 0')
  for (let patienceMs = FIRST_PATIENCE_MS; ; patienceMs = PATIENCE_MS) {
    await client.query(`SET lock_timeout = ${patienceMs}`)
    try {
      await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK_ID])
      break
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error
      onWait(await holderOf(client))
    }
  }
  await client.query('SET lock_timeout = 0')
}

/** The connection that has the lock, as an operator finds it in `pg_stat_activity`. */
async function holderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string }>(
    `SELECT a.pid, a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [PRISMA_LOCK_ID],
  )
  return rows
    .map(({ pid, name }) => (name === '' ? `pid ${pid}` : `pid ${pid}, ${name}`))
    .join('; ')
}

function sqlStateOf(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code
}

function notAllowed(cause: unknown): MigrationError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new MigrationError(
    `The role of DATABASE_URL may not make the tables of this release: ${reason}. ` +
      'Make it the owner of the database, or give it the right to create in the schema public.',
    { cause },
  )
}

type Migration = { name: string; sql: string; checksum: string }

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => MIGRATION_NAME.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

type Applied = { migration_name: string; checksum: string }

async function appliedOf(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    `SELECT migration_name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return rows
}

function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { migration_name: name, checksum } of applied) {
    const migration = known.get(name)
    if (migration === undefined) {
      throw new MigrationError(
        `The database has the migration ${name}, which this release does not know. ` +
          'Start the release that made it, or a newer one.',
      )
    }
    if (migration.checksum !== checksum) {
      throw new MigrationError(`The migration ${name} differs from the one the database was given.`)
    }
  }
  const done = new Set(applied.map((row) => row.migration_name))
  return migrations.filter(({ name }) => !done.has(name))
}

async function createBookkeeping(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id                  VARCHAR(36) PRIMARY KEY NOT NULL,
      checksum            VARCHAR(64) NOT NULL,
      finished_at         TIMESTAMPTZ,
      migration_name      VARCHAR(255) NOT NULL,
      logs                TEXT,
      rolled_back_at      TIMESTAMPTZ,
      started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
      applied_steps_count INTEGER NOT NULL DEFAULT 0
    )`)
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('COMMIT')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MigrationError(`The migration ${name} failed and was undone: ${reason}`, {
      cause: error,
    })
  }
}

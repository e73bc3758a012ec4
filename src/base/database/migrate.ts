import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { OperatorError } from '../../errors.ts'
import {
  BOOKKEEPING_SQL,
  isFromBefore,
  MIGRATION_LOCK_ID,
  type Migration,
  NO_RELEASE,
  readMigrations,
} from './migration-files.ts'
import { SESSION_SETTINGS } from './session-settings.ts'
import { openConnection } from './single-connection.ts'

const LOCK_NOT_AVAILABLE = '55P03'
const NOT_ALLOWED = '42501'
/** How long to wait for the lock before the first message, and between two messages. */
const FIRST_PATIENCE_MS = 5_000
const PATIENCE_MS = 60_000
/**
 * How long a migration waits for a table, while all who ask for that table wait behind it. Postgres
 * looks for a deadlock after a second: until then the migration has given way, so no request has to.
 */
const TABLE_PATIENCE_MS = 500
/** How long it then leaves the tables to the others. */
const PAUSE_MS = 1_000

/** The database does not fit this release; the message is for the operator. */
export class MigrationError extends OperatorError {}

/** The names of the migrations that were applied. */
export type Migrated = {
  applied: string[]
  /** Migrations of a newer release that this release can work with. */
  newer: string[]
}

/**
 * Brings the database to the schema of this release, each migration in its own transaction.
 * Replicas that start together wait for each other, and a migration gives way to the servers that
 * work: it begins again until nobody holds what it needs. The bookkeeping is Prisma Migrate's, so `prisma
 * migrate status` reads it. The schema of a newer release stays as it is when `schema_release` says
 * that this release can work with it.
 *
 * @param onWait called with who is waited for, and again every minute
 * @param release the migrations of another release than this one
 * @throws MigrationError when the schema is too new for this release, has another history or comes
 *   from before the first release, or when the role may not migrate the database
 */
export async function migrate(
  connectionString: string,
  onWait: (holder: string, what: 'migrations' | 'tables') => void = () => {},
  release: Promise<readonly Migration[]> = readMigrations(),
): Promise<Migrated> {
  const migrations = await release
  const client = await openConnection(connectionString, 'app-marketplace migrate')
  try {
    await client.query(SESSION_SETTINGS)
    await takeLock(client, (holder) => onWait(holder, 'migrations'))
    await requireNoPast(client, migrations)
    await client.query(BOOKKEEPING_SQL)
    const applied = await appliedOf(client)
    const pending = pendingOf(migrations, applied)
    const newer = unknownOf(migrations, applied)
    if (newer.length > 0) requireCompatible(migrations, pending, newer, await releaseOf(client))
    for (const migration of pending) {
      await applyPatiently(client, migration, (holder) => onWait(holder, 'tables'))
    }
    return { applied: pending.map(({ name }) => name), newer }
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
      await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK_ID])
      break
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error
      onWait(await holderOf(client))
    }
  }
  await client.query('SET lock_timeout = 0')
}

type Session = { pid: number; name: string }

/** The connection that holds the lock. */
async function holderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Session>(
    `SELECT a.pid, a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [MIGRATION_LOCK_ID],
  )
  return describeSessions(rows)
}

/** The connections whose transactions have held a lock on a table for long, the oldest first. */
async function longTransactions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Session>(
    `SELECT pid, application_name AS name FROM pg_stat_activity a
     WHERE coalesce(xact_start, '-infinity') < clock_timestamp() - interval '${TABLE_PATIENCE_MS} ms'
       AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND l.granted AND l.relation IN (
         SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace))
     ORDER BY xact_start LIMIT 5`,
  )
  return describeSessions(rows)
}

/** As an operator finds them in `pg_stat_activity`. */
function describeSessions(sessions: readonly Session[]): string {
  return sessions
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

/**
 * Refuses a database with a migration from before the first one that there is.
 *
 * @throws MigrationError before anything is written
 */
async function requireNoPast(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  if (!(await hasTable(client, '_prisma_migrations'))) return
  const applied = (await appliedOf(client)).map(({ migration_name }) => migration_name)
  if (applied.some((name) => isFromBefore(migrations, name))) throw new MigrationError(NO_RELEASE)
}

async function hasTable(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS found',
    [table],
  )
  return rows[0]?.found === true
}

type Applied = { migration_name: string; checksum: string }

async function appliedOf(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    `SELECT migration_name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return rows
}

/** @throws MigrationError when a migration differs from the one that was applied */
function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const done = new Map(applied.map((row) => [row.migration_name, row.checksum]))
  const changed = migrations.find(({ name, checksum }) => (done.get(name) ?? checksum) !== checksum)
  if (changed !== undefined) {
    throw new MigrationError(
      `The migration ${changed.name} differs from the one the database was given.`,
    )
  }
  return migrations.filter(({ name }) => !done.has(name))
}

function unknownOf(migrations: readonly Migration[], applied: readonly Applied[]): string[] {
  const known = new Set(migrations.map(({ name }) => name))
  return applied.map((row) => row.migration_name).filter((name) => !known.has(name))
}

type SchemaRelease = { version: string; compatibleFrom: string }

/** What the database records about its schema; undefined when it is no marketplace's. */
async function releaseOf(client: pg.Client): Promise<SchemaRelease | undefined> {
  if (!(await hasTable(client, 'schema_release'))) return undefined
  const { rows } = await client.query<SchemaRelease>(
    'SELECT version, compatible_from AS "compatibleFrom" FROM schema_release',
  )
  return rows[0]
}

/**
 * Refuses a schema that this release cannot work with. It can work with a newer one when it has the
 * migration that `compatible_from` names, and when the newer release keeps that value up to date.
 */
function requireCompatible(
  migrations: readonly Migration[],
  pending: readonly Migration[],
  newer: readonly string[],
  release: SchemaRelease | undefined,
): void {
  const isKept = release !== undefined && newer.every((name) => name <= release.version)
  const isOldEnough = migrations.some(({ name }) => name === release?.compatibleFrom)
  if (isKept && isOldEnough && pending.length === 0) return
  throw new MigrationError(
    `The database has the migration ${newer.at(-1)}, which this release does not know` +
      (isKept && !isOldEnough
        ? `, and its schema needs a release that has ${release.compatibleFrom}. `
        : '. ') +
      'Start the release that made it, or a newer one.',
  )
}

/** Applies a migration as soon as nobody holds the tables that it needs. */
async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  onWait: (holder: string) => void,
): Promise<void> {
  for (let nextWordAt = 0; ; await sleep(PAUSE_MS)) {
    try {
      return await apply(client, migration)
    } catch (error) {
      if (sqlStateOf((error as Error).cause) !== LOCK_NOT_AVAILABLE) throw error
      await client.query('ROLLBACK')
    }
    const holder = await longTransactions(client)
    if (holder === '' || performance.now() < nextWordAt) continue
    nextWordAt = performance.now() + PATIENCE_MS
    onWait(holder)
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${TABLE_PATIENCE_MS}`)
    await client.query(sql)
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query(`
      UPDATE schema_release SET version = (
        SELECT max(migration_name COLLATE "C") FROM _prisma_migrations
        WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL)`)
    await client.query('COMMIT')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MigrationError(`The migration ${name} failed and was undone: ${reason}`, {
      cause: error,
    })
  }
}

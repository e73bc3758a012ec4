import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import pg from 'pg'
import type { Logger } from 'pino'
import { openDatabase, openPool } from '../../base/database/client.ts'
import { reasonOf } from '../../base/database/failures.ts'
import { migrate } from '../../base/database/migrate.ts'
import { nameSearchWarning } from '../../base/database/name-search-warning.ts'
import { sharesSessions } from '../../base/database/pooler-check.ts'
import { createReadReplica, type ReadReplica } from '../../base/database/read-replica.ts'
import type { Db } from '../../base/database/transaction.ts'
import { type JobQueue, openJobQueue } from '../../base/jobs/queue-service.ts'
import { createOutageLog } from '../../base/log/outage-log.ts'
import { createMeasures } from '../../base/measures/measures.ts'
import { createSecretBox, deriveKey } from '../../base/secrets/secret-box.ts'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { OperatorError } from '../../errors.ts'
import { type AuditCounts, createAuditCounts } from '../../identity/audit/audit-counts-service.ts'
import { createPasswordHasher, type HashCost } from '../../identity/auth/passwords.ts'
import { createIdentityProvider } from '../../identity/single-sign-on/provider-service.ts'
import { openKeyRing } from '../../identity/tokens/keys-service.ts'
import { createPrincipalCheck } from '../../identity/tokens/principals-service.ts'
import {
  createPictureConverter,
  type PictureConverter,
} from '../../marketplace/apps/media/picture-converter.ts'
import { createEventWaits } from '../../marketplace/events/event-waits-service.ts'
import { addSampleProducts } from '../../marketplace/products/sample-service.ts'
import { limitOfInstallation } from '../../marketplace/usage/budget.ts'
import {
  createUsageCounts,
  type UsageCounts,
} from '../../marketplace/usage/usage-counts-service.ts'
import { type Lookup, lookupForSaving } from '../../marketplace/webhooks/sending/lookup.ts'
import { DataDirInUseError } from '../../operation/embedded-postgres/data-directory.ts'
import {
  forgetDatabaseUrl,
  generatedSecretKey,
  runningDatabaseUrl,
  saveDatabaseUrl,
} from './data-dir.ts'
import { JOB_KINDS } from './job-kinds.ts'

const OTHERS_PAUSE_MS = 200

/** Oldest Postgres that the migrations were tried with. */
const POSTGRES_MIN_MAJOR = 15
const WAITS = {
  migrations: 'waiting for the lock of the migrations',
  tables: 'waiting for a table that a migration changes',
} as const

/** What the log says of connections that break while nobody uses them. */
export const CONNECTION_WORDS = {
  away: 'database connection lost',
  back: 'connected to the database again',
}

/** The database cannot be used; the message is for the operator. */
class DatabaseError extends OperatorError {}

/** Everything a process needs to do its work, and how to let go of it. */
export type Runtime = {
  deps: Deps
  connectionString: string
  /** Cancels what the database does for us and refuses more; for the end of the process. */
  interrupt(): void
  close(): Promise<void>
}

/** How messages for the operator begin that are about the database. */
export function nameOfDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  return databaseUrl === undefined ? 'The embedded database' : 'The database of DATABASE_URL'
}

/** Opens the database that the configuration names; the embedded one is started. */
export async function openDatabaseUrl(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  told: { onRestart?: (detail: string) => void; onExit?: (detail: string) => void } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, close: async () => {} }
  const { dataDir } = config
  // Code that a server with a database elsewhere does not need.
  const { startEmbeddedPostgres } = await import(
    '../../operation/embedded-postgres/embedded-postgres.ts'
  )
  const postgres = await startEmbeddedPostgres({ dataDir, ...told })
  let closing: Promise<void> | undefined
  // Once: afterwards the directory may be another server's.
  const close = () => {
    closing ??= forgetDatabaseUrl(dataDir).finally(postgres.stop)
    return closing
  }
  try {
    await saveDatabaseUrl(dataDir, postgres.connectionString)
  } catch (error) {
    await close()
    throw error
  }
  return { url: postgres.connectionString, close }
}

/**
 * As `openDatabaseUrl`; joins the embedded database of a server that runs already. An embedded
 * database that a command started ends when no other command uses it any more.
 */
export async function joinDatabaseUrl(config: Pick<Config, 'databaseUrl' | 'dataDir'>) {
  try {
    const database = await openDatabaseUrl(config)
    if (config.databaseUrl !== undefined) return database
    const close = async () => {
      await nobodyElseUses(database.url)
      await database.close()
    }
    return { url: database.url, close }
  } catch (error) {
    // Whatever else is wrong, no server runs there: a saved address is that of a killed one.
    if (!(error instanceof DataDirInUseError)) throw error
    const url = await runningDatabaseUrl(config.dataDir)
    if (url === undefined) throw error
    return { url, close: async () => {} }
  }
}

/** What tests set: their clock, cheap password hashes, and names of receivers. */
type RuntimeOptions = { now?: () => Date; hashCost?: HashCost; receiverLookup?: Lookup }

/**
 * Migrates the database and builds what services work with. When that fails, the database is
 * closed.
 *
 * @throws DatabaseError, MigrationError, SecretKeyError, SecretBoxError when database or key are
 *   not those of this server
 */
export async function openRuntime(
  config: Config,
  log: Logger,
  database: { url: string; close(): Promise<void> },
  { now = () => new Date(), hashCost, receiverLookup = lookupForSaving }: RuntimeOptions = {},
): Promise<Runtime> {
  const outage = createOutageLog(log, CONNECTION_WORDS)
  const { db, pool, interrupt, close } = openDatabase({
    connectionString: database.url,
    poolSize: config.databasePoolSize,
    onIdleError: outage.failed,
    onConnect: outage.succeeded,
  })
  const replica = openReplica(config, pool, log)
  let jobs: JobQueue | undefined
  let auditCounts: AuditCounts | undefined
  let usageCounts: UsageCounts | undefined
  let pictures: PictureConverter | undefined
  const closeAll = async () => {
    pictures?.close()
    await auditCounts?.close()
    await usageCounts?.close()
    await jobs?.close()
    await replica?.close()
    await close()
    await database.close()
  }
  try {
    await checkDatabase(pool, nameOfDatabase(config))
    const { applied, newer } = await migrate(database.url, (holder, what) =>
      log.warn({ holder }, WAITS[what]),
    )
    if (applied.length > 0) log.info({ migrations: applied }, 'database migrated')
    if (newer.length > 0) {
      log.warn({ migrations: newer }, 'the schema is of a newer release that this one works with')
    }
    jobs = await openJobQueue(pool, log, JOB_KINDS)
    const slowSearch = await nameSearchWarning(pool)
    if (slowSearch !== undefined) log.warn(slowSearch)
    const secretKey =
      config.secretKey ?? (await generatedSecretKey(config.dataDir, () => holdsSecrets(db)))
    const secrets = createSecretBox(secretKey, config.secretKeyPrevious)
    const formerKeys = config.secretKeyPrevious === undefined ? [] : [config.secretKeyPrevious]
    auditCounts = createAuditCounts(pool, log, now)
    usageCounts = createUsageCounts(pool, log, limitOfInstallation(config))
    pictures = createPictureConverter({ log })
    const measures = createMeasures()
    measures.pools.set('requests', pool)
    const deps: Deps = {
      db,
      pool,
      replica,
      config,
      secrets,
      secretKey,
      cursorKeys: [cursorKeyOf(secretKey), ...formerKeys.map(cursorKeyOf)],
      passwords: await createPasswordHasher(config.argon2Concurrency, undefined, hashCost),
      pictures,
      identityProvider: createIdentityProvider({ config, log, now }),
      keys: await openKeyRing({ db, secrets, now }),
      principals: createPrincipalCheck(pool, now),
      jobs,
      receiverLookup,
      fillSandbox: addSampleProducts,
      auditCounts,
      usageCounts,
      eventWaits: createEventWaits(pool),
      measures,
      now,
      log,
    }
    return { deps, connectionString: database.url, interrupt, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

function cursorKeyOf(secretKey: string): string {
  return deriveKey(secretKey, 'cursors').toString('base64url')
}

function openReplica(
  { databaseReadUrl, databasePoolSize }: Config,
  primary: Pool,
  log: Logger,
): ReadReplica | undefined {
  if (databaseReadUrl === undefined) return undefined
  const outage = createOutageLog(log, {
    away: 'connection to the read replica lost',
    back: 'connected to the read replica again',
  })
  const pool = openPool({
    connectionString: databaseReadUrl,
    poolSize: databasePoolSize,
    onIdleError: outage.failed,
    onConnect: outage.succeeded,
  })
  return createReadReplica({ pool, primary, log })
}

/** A server makes its first signing key before anything else that is encrypted. */
async function holdsSecrets(db: Db): Promise<boolean> {
  return (await db.signingKey.count()) > 0
}

/** Encodings in which a database holds any text. SQL_ASCII takes the bytes as they come. */
const ENCODINGS = new Set(['UTF8', 'SQL_ASCII'])

/** The first use of the database: whether it can be reached, and is one that we can work with. */
async function checkDatabase(pool: Pool, name: string): Promise<void> {
  const { version, encoding, isShared } = await lookAt(pool, name)
  if (version < POSTGRES_MIN_MAJOR * 10_000) {
    throw new DatabaseError(
      `DATABASE_URL leads to Postgres ${Math.floor(version / 10_000)}; ${POSTGRES_MIN_MAJOR} or newer is needed.`,
    )
  }
  if (!ENCODINGS.has(encoding)) {
    throw new DatabaseError(
      `DATABASE_URL leads to a database in ${encoding}; UTF8 is needed: ` +
        'CREATE DATABASE ... ENCODING UTF8 TEMPLATE template0.',
    )
  }
  if (isShared) {
    throw new DatabaseError(
      'DATABASE_URL leads to a pooler in transaction mode. The server needs session mode.',
    )
  }
}

type Seen = { version: number; encoding: string; isShared: boolean }

async function lookAt(pool: Pool, name: string): Promise<Seen> {
  try {
    const { rows } = await pool.query<{ version: string; encoding: string }>(
      "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
    )
    const { version, encoding } = rows[0] as (typeof rows)[number]
    return { version: Number(version), encoding, isShared: await sharesSessions(pool) }
  } catch (error) {
    throw new DatabaseError(`${name} cannot be used: ${reasonOf(error)}.`, { cause: error })
  }
}

/**
 * Resolves when no other process is connected to the embedded database at an address, or when that
 * database ended.
 */
async function nobodyElseUses(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  // A database that ended has no users.
  client.on('error', () => {})
  try {
    await client.connect()
    while (await isUsedByOthers(client)) await sleep(OTHERS_PAUSE_MS)
    await client.end()
  } catch {
    // The caller ends it all the same.
  }
}

async function isUsedByOthers(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend'
       AND pid <> pg_backend_pid() LIMIT 1`,
  )
  return rows.length > 0
}

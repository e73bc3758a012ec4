import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool } from '../../src/base/database/client.ts'
import { sharesSessions } from '../../src/base/database/pooler-check.ts'
import { createReadReplica } from '../../src/base/database/read-replica.ts'
import { bridgeTo } from '../setup/bridge.ts'
import { call } from '../setup/client.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { freePort } from '../setup/free-port.ts'
import { mintedToken } from '../setup/probes.ts'
import { readDemoFile, serverProcesses, waitUntil } from '../setup/server-process.ts'

/** Debian's package pgbouncer; `.ci/run` installs it where it may. */
const HAS_PGBOUNCER = spawnSync('pgbouncer', ['--version']).status === 0
const NAME = HAS_PGBOUNCER
  ? 'behind PgBouncer'
  : 'behind PgBouncer (skipped: there is no pgbouncer here)'
/** PgBouncer refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? ({ uid: 65_534, gid: 65_534 } as const) : {}
/** How the pooler gives connections to Postgres to its clients, each as a database of its own. */
const MODES = {
  session: 'pool_mode=session',
  transaction: 'pool_mode=transaction',
  statement: 'pool_mode=statement',
  single: 'pool_mode=transaction pool_size=1',
}

describe.skipIf(!HAS_PGBOUNCER)(NAME, () => {
  const processes = serverProcesses()
  let database: TestDatabase
  let bridge: Server
  let directory: string
  let inTurns: Pooler
  let pooler: Pooler
  beforeAll(async () => {
    database = await createTestDatabase()
    directory = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
    await chmod(directory, 0o755)
    bridge = await bridgeTo(database.url)
    pooler = await startPooler('server_round_robin = 0')
    inTurns = await startPooler('server_round_robin = 1')
  })
  afterAll(async () => {
    await processes.cleanUp()
    await Promise.all([pooler, inTurns].map(kill))
    bridge.close()
    await rm(directory, { recursive: true })
    await database.drop()
  })

  type Mode = keyof typeof MODES
  type Pooler = {
    child: ChildProcess
    urlOf(name: Mode): string
    /** Changes the mode of one of its databases while clients are connected. */
    setMode(name: Mode, mode: Mode): Promise<void>
  }

  async function kill({ child }: Pooler): Promise<void> {
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }

  async function startPooler(setting: string): Promise<Pooler> {
    const port = await freePort()
    const { username, password, pathname } = new URL(database.url.replace('@/', '@localhost/'))
    const postgres = `host=127.0.0.1 port=${(bridge.address() as AddressInfo).port} dbname=${pathname.slice(1)} user=${username} password=${password}`
    const file = join(directory, `${port}.ini`)
    const linesOf = (modes: Record<string, string>) => [
      '[databases]',
      ...Object.entries(modes).map(([name, mode]) => `${name} = ${postgres} ${mode}`),
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'default_pool_size = 30',
      'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
      setting,
    ]
    const write = (modes: Record<string, string>) =>
      writeFile(file, `${linesOf(modes).join('\n')}\n`)
    await write(MODES)
    if (NOBODY.uid !== undefined) await chown(file, NOBODY.uid, NOBODY.gid)
    const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'], ...NOBODY })
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
    await waitUntil(() => log.includes('process up') || child.exitCode !== null)
    if (child.exitCode !== null) throw new Error(log)
    return {
      child,
      urlOf: (name) => `postgresql://market@127.0.0.1:${port}/${name}`,
      async setMode(name, mode) {
        log = ''
        await write({ ...MODES, [name]: MODES[mode] })
        child.kill('SIGHUP')
        await waitUntil(() => log.includes('re-reading config'))
      },
    }
  }

  const SECRET_KEY = randomBytes(32).toString('base64')
  const start = (mode: Mode) =>
    processes.start({ env: { DATABASE_URL: pooler.urlOf(mode), SECRET_KEY } })

  test('in transaction mode the server does not start, and leaves no lock', async () => {
    const server = await start('transaction')
    expect(await server.exited).toEqual({ code: 1, signal: null })
    expect(server.stderr()).toBe(
      'DATABASE_URL leads to a pooler in transaction mode. The server needs session mode.\n',
    )
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    await client.end()
    expect(rows).toEqual([])
  })

  test('in session mode the server starts and answers', async () => {
    const server = await start('session')
    await server.ready()
    expect((await call(server, 'GET', '/readyz')).status).toBe(200)
    expect((await call(server, 'GET', '/v1/Apps')).status).toBe(200)
    expect(await server.end()).toEqual({ code: 0, signal: null })
  })

  const poolOf = (connectionString: string) =>
    openPool({ connectionString, poolSize: 2, onIdleError: () => {} })

  const shared = async (url: string) => {
    const pool = poolOf(url)
    try {
      return await sharesSessions(pool)
    } finally {
      await pool.end()
    }
  }

  test('a pooler that changes to transaction mode and back is an outage of the database', async () => {
    const changing = await startPooler('server_round_robin = 1')
    const server = await processes.start({
      env: { DATABASE_URL: changing.urlOf('session'), SECRET_KEY, DEMO: 'true' },
    })
    await server.ready()
    const { developers } = readDemoFile(server.dataDir)
    const token = await mintedToken(server, '/v1/Auth', developers[0])
    const statusOf = async (path: string) => (await call(server, 'GET', path, { token })).status
    const statuses = () => Promise.all(Array.from({ length: 30 }, () => statusOf('/v1/Developer')))
    try {
      expect(new Set(await statuses())).toEqual(new Set([200]))
      await changing.setMode('session', 'transaction')
      // One connection prepares a statement in one session and uses it in the next one.
      let status = 200
      await waitUntil(async () => {
        status = await statusOf('/v1/Developer/Installations?limit=5')
        return status !== 200
      })
      expect(status).toBe(503)
      await changing.setMode('session', 'session')
      await waitUntil(async () => (await statuses()).every((status) => status === 200))
      expect(await server.end()).toEqual({ code: 0, signal: null })
    } finally {
      await kill(changing)
    }
  })

  test('shared sessions are found however the pooler chooses them', async () => {
    expect(await shared(database.url)).toBe(false)
    for (const { urlOf } of [pooler, inTurns]) {
      expect(await shared(urlOf('session'))).toBe(false)
      for (const mode of ['transaction', 'statement', 'single'] as const) {
        expect(await shared(urlOf(mode)), mode).toBe(true)
      }
    }
  })

  test('a role that may not see when its process began finds shared sessions, too', async () => {
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    const name = `limited_${randomBytes(4).toString('hex')}`
    const { rows } = await admin.query('SELECT current_database() AS database')
    await admin.query('REVOKE EXECUTE ON FUNCTION pg_stat_get_activity FROM PUBLIC')
    await admin.query(`CREATE ROLE ${name}`)
    await admin.query(`ALTER DATABASE ${rows[0].database} SET role = ${name}`)
    // Its sessions are all new, and so the role's.
    const limited = await startPooler('server_round_robin = 0')
    try {
      expect(await shared(database.url)).toBe(false)
      expect(await shared(limited.urlOf('session'))).toBe(false)
      expect(await shared(limited.urlOf('transaction'))).toBe(true)
    } finally {
      await kill(limited)
      await admin.query(`ALTER DATABASE ${rows[0].database} RESET role`)
      await admin.query(`DROP ROLE ${name}`)
      await admin.end()
    }
  })

  test('a read replica in transaction mode is not used', async () => {
    const told: unknown[] = []
    const primary = poolOf(database.url)
    const replica = createReadReplica({
      pool: poolOf(pooler.urlOf('transaction')),
      primary,
      log: { warn: ({ err }: { err: Error }) => told.push(err.message), info: () => {} } as never,
    })
    expect(await replica.read(async () => 'read')).toBeUndefined()
    await waitUntil(() => told.length > 0)
    expect(await replica.read(async () => 'read')).toBeUndefined()
    expect(told).toEqual(['DATABASE_READ_URL leads to a pooler in transaction mode'])
    await replica.close()
    await primary.end()
  })
})

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts'
import { mintedToken, type Probe, probe, seen } from '../setup/probes.ts'
import {
  isAlive,
  readDemoFile,
  type ServerProcess,
  serverProcesses,
} from '../setup/server-process.ts'
import type { Finding, Trial } from './trial.ts'

const LONGEST_MS = 10_000
const LOCK_MS = 30_000
/** After so long the server reads its keys again. */
const KEYS_OLD_MS = 35_000
const FORGED_MS = 1_000

type Postgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>
type Target = { server: ServerProcess; postgres: Postgres; probes: Record<string, Probe> }

/** The database is locked, exhausted, frozen and away, each for 30 s or more. */
export const trial: Trial = {
  title: 'database',
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), 'database-trial-'))
    const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') })
    const processes = serverProcesses()
    try {
      const server = await processes.start({
        env: {
          DATABASE_URL: postgres.connectionString,
          SECRET_KEY: randomBytes(32).toString('base64'),
          DEMO: 'true',
          RATE_LIMIT_PER_MINUTE: '0',
        },
      })
      await server.ready()
      const target = { server, postgres, probes: await probesOf(server) }
      return [
        await locked(target, 'installations'),
        await locked(target, 'products'),
        await exhausted(target),
        ...(await frozenAndAway(target)),
      ]
    } finally {
      await processes.cleanUp()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** Requests of each kind: read, listed, minted, written, signed in, asked for readiness. */
async function probesOf(server: ServerProcess): Promise<Record<string, Probe>> {
  const demo = readDemoFile(server.dataDir)
  // The app that may write: of another developer than the first.
  const credentials = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const developer = await mintedToken(server, '/v1/Auth', credentials)
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const body = { installationId: installation?.id }
  const token = await mintedToken(server, '/v1/Developer/Token', body, developer)
  return {
    read: { path: '/v1/Products?limit=1', token },
    list: { path: '/v1/Developer/Installations', token: developer },
    mint: { path: '/v1/Developer/Token', token: developer, body },
    profile: { path: '/v1/User/Profile', token },
    write: { path: '/v1/Products', token, body: { brand: 'Trial', partNumber: '1', inStock: 1 } },
    login: { path: '/v1/Auth', body: credentials },
    ready: { path: '/readyz' },
  }
}

/** What is asked of every fault: answers within 10 s, 503 with Retry-After, and the server goes on. */
async function during(
  { server, probes }: Target,
  what: string,
  ms: number,
  fault: () => Promise<() => Promise<unknown>>,
): Promise<Finding> {
  const mend = await fault()
  const asking = seen(server, Object.values(probes), ms)
  await sleep(ms)
  await mend()
  const { count, statuses, longestMs, wrong } = await asking
  const after = await seen(server, Object.values(probes), 2_000)
  const recovered = after.statuses.some((status) => status === 200)
  const isUp = server.child.exitCode === null && isAlive(server.child.pid ?? 0)
  return {
    what,
    seen: `${count} answers (${statuses.join(', ')}), longest ${(longestMs / 1000).toFixed(1)} s, ${wrong} neither 2xx nor 503 with Retry-After; ${isUp ? 'alive' : 'died'}, ${recovered ? 'recovered' : 'not recovered'}`,
    target: `none over ${LONGEST_MS / 1000} s, none wrong, alive and recovered`,
    held: longestMs < LONGEST_MS && wrong === 0 && isUp && recovered,
  }
}

function locked(target: Target, table: string): Promise<Finding> {
  return during(target, `LOCK TABLE ${table} for ${LOCK_MS / 1000} s`, LOCK_MS, async () => {
    const holder = await connect(target.postgres)
    await holder.query(`BEGIN; LOCK TABLE ${table}`)
    return () => holder.end()
  })
}

/** The server loses those that it has, and gets no others. */
function exhausted(target: Target): Promise<Finding> {
  return during(target, 'no connection to be had for 20 s', 20_000, async () => {
    const superuser = await connect(target.postgres)
    await superuser.query('ALTER ROLE marketplace CONNECTION LIMIT 0')
    await superuser.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'marketplace'`,
    )
    return async () => {
      await superuser.query('ALTER ROLE marketplace CONNECTION LIMIT -1')
      await superuser.end()
    }
  })
}

/** With keys that are to be read again, and a forged token beside. */
async function frozenAndAway(target: Target): Promise<Finding[]> {
  const { server, postgres, probes } = target
  const backends = await during(target, 'all backends frozen for 40 s', 40_000, async () => {
    const frozen = childrenOf(postgres.pid)
    for (const pid of frozen) kill(pid, 'SIGSTOP')
    return async () => {
      for (const pid of frozen) kill(pid, 'SIGCONT')
    }
  })
  await sleep(KEYS_OLD_MS)
  const forgeries: number[] = []
  const whole = await during(
    target,
    'all of Postgres frozen for 40 s, keys old',
    40_000,
    async () => {
      const frozen = [postgres.pid, ...childrenOf(postgres.pid)]
      for (const pid of frozen) kill(pid, 'SIGSTOP')
      const [head, claims] = (probes.read?.token ?? '').split('.')
      const token = `${head}.${claims}.${Buffer.alloc(64, 1).toString('base64url')}`
      for (let n = 0; n < 20; n++) {
        const { status, ms } = await probe(server, { path: '/v1/Products', token })
        forgeries.push(status === 401 ? ms : Number.POSITIVE_INFINITY)
      }
      return async () => {
        for (const pid of frozen) kill(pid, 'SIGCONT')
      }
    },
  )
  const longest = Math.max(...forgeries)
  const forged = {
    what: '20 forged tokens while all of Postgres is frozen',
    seen: `401 after at most ${longest.toFixed()} ms`,
    target: `401 within ${FORGED_MS / 1000} s`,
    held: longest < FORGED_MS,
  }
  await sleep(KEYS_OLD_MS)
  const away = await during(
    target,
    'Postgres takes no connections for 20 s, keys old',
    20_000,
    async () => {
      const superuser = await connect(postgres, 'postgres')
      await superuser.query('ALTER DATABASE marketplace ALLOW_CONNECTIONS false')
      await superuser.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'marketplace'`,
      )
      return async () => {
        await superuser.query('ALTER DATABASE marketplace ALLOW_CONNECTIONS true')
        await superuser.end()
      }
    },
  )
  return [backends, whole, forged, away]
}

async function connect(postgres: Postgres, database = 'marketplace'): Promise<pg.Client> {
  const url = postgres.superuserConnectionString.replace('/marketplace?', `/${database}?`)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The processes that Postgres has started; only of this Postgres, and only by their ids. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

/** A backend may have ended meanwhile. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

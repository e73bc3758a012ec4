import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import { mintedToken, type Probe, probe, seen } from '../../test/setup/probes.ts'
import {
  isAlive,
  readDemoFile,
  type ServerProcess,
  serverProcesses,
} from '../../test/setup/server-process.ts'
import type { Finding } from './trial.ts'

const LONGEST_MS = 10_000
const RECOVERED_MS = 3_000
/** A token that no key has signed, and the question whether the process lives, need no database. */
const AT_ONCE_MS = 1_000
const PAUSE_MS = 100

export type Postgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>

/** A server on a Postgres that the trial may break. */
export type FaultyDatabase = {
  server: ServerProcess
  postgres: Postgres
  /** Requests of each kind: read, listed, minted, written, signed in, asked for readiness. */
  probes: Record<string, Probe>
}

/** @param directory where Postgres keeps its data; the system's for temporary files otherwise */
export async function withFaultyDatabase(
  work: (target: FaultyDatabase) => Promise<Finding[]>,
  directory?: string,
): Promise<Finding[]> {
  const dataDir = await mkdtemp(join(directory ?? tmpdir(), 'database-trial-'))
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
    return await work({ server, postgres, probes: await probesOf(server) })
  } finally {
    await processes.cleanUp()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

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

/**
 * What is asked of every fault: answers within 10 s, 503 with Retry-After, forged tokens refused and
 * `/livez` answered at once, and all as before within 3 s of its end.
 *
 * @param fault begins it; what it returns mends it
 */
export async function during(
  { server, probes }: FaultyDatabase,
  what: string,
  ms: number,
  fault: () => Promise<() => Promise<unknown>>,
): Promise<Finding> {
  const mend = await fault()
  const until = performance.now() + ms
  const asking = seen(server, Object.values(probes), ms)
  const refusing = repeatedly(server, { path: '/v1/Products', token: forged(probes) }, until)
  const living = repeatedly(server, { path: '/livez' }, until)
  await sleep(ms)
  await mend()
  const recovered = await recoveryMs(server, Object.values(probes))
  const { count, statuses, longestMs, wrong } = await asking
  const [refused, lived] = await Promise.all([refusing, living])
  const isUp = server.child.exitCode === null && isAlive(server.child.pid ?? 0)
  const slowest = Math.max(refused.longestMs, lived.longestMs)
  const others = [...refused.statuses].join(', ')
  return {
    what,
    seen: `${count} answers (${statuses.join(', ')}), longest ${(longestMs / 1000).toFixed(1)} s, ${wrong} neither 2xx nor 503 with Retry-After; forged tokens ${others}, /livez ${[...lived.statuses].join(', ')}, longest ${slowest.toFixed()} ms; ${isUp ? 'alive' : 'died'}, as before after ${(recovered / 1000).toFixed(1)} s`,
    target: `none over ${LONGEST_MS / 1000} s, none wrong; 401 and 200 within ${AT_ONCE_MS / 1000} s; alive, as before within ${RECOVERED_MS / 1000} s`,
    held:
      longestMs < LONGEST_MS &&
      wrong === 0 &&
      others === '401' &&
      [...lived.statuses].join() === '200' &&
      slowest < AT_ONCE_MS &&
      isUp &&
      recovered < RECOVERED_MS,
  }
}

/** The token of a probe with another signature. */
function forged(probes: Record<string, Probe>): string {
  const [head, claims] = (probes.read?.token ?? '').split('.')
  return `${head}.${claims}.${Buffer.alloc(64, 1).toString('base64url')}`
}

async function repeatedly(server: ServerProcess, one: Probe, untilMs: number) {
  const statuses = new Set<number>()
  let longestMs = 0
  while (performance.now() < untilMs) {
    const { status, ms } = await probe(server, one)
    statuses.add(status)
    longestMs = Math.max(longestMs, ms)
    await sleep(PAUSE_MS)
  }
  return { statuses, longestMs }
}

/** How long it takes until each kind of request succeeds again. */
async function recoveryMs(server: ServerProcess, probes: readonly Probe[]): Promise<number> {
  const startedAtMs = performance.now()
  await Promise.all(
    probes.map(async (one) => {
      const goodStatus = (status: number) => status >= 200 && status < 300
      while (!goodStatus((await probe(server, one)).status)) {
        if (performance.now() - startedAtMs > 60_000) return
        await sleep(PAUSE_MS)
      }
    }),
  )
  return performance.now() - startedAtMs
}

/** Connects as the superuser. */
export async function connect(postgres: Postgres, database = 'marketplace'): Promise<pg.Client> {
  const url = postgres.superuserConnectionString.replace('/marketplace?', `/${database}?`)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

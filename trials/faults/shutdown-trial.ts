import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import { mintedToken, probe } from '../../test/setup/probes.ts'
import {
  readDemoFile,
  type ServerProcess,
  serverProcesses,
  waitUntil,
} from '../../test/setup/server-process.ts'
import type { Finding, Trial } from './trial.ts'

const IN_FLIGHT = 50
/** Postgres waits longer for a lock: the end of the grace comes first. */
const GRACE_SECONDS = 4
const AT_ONCE_MS = 2_000

type Postgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>

/** SIGTERM while 50 requests wait for a lock of the database. */
export const trial: Trial = {
  title: 'shutdown',
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), 'shutdown-trial-'))
    const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') })
    const processes = serverProcesses()
    const SECRET_KEY = randomBytes(32).toString('base64')
    let demoDir: string | undefined
    const start = async () => {
      const server = await processes.start({
        ...(demoDir !== undefined && { dataDir: demoDir }),
        env: {
          DATABASE_URL: postgres.connectionString,
          SECRET_KEY,
          DEMO: 'true',
          RATE_LIMIT_PER_MINUTE: '0',
          DATABASE_POOL_SIZE: '60',
          SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS),
        },
      })
      await server.ready()
      demoDir = server.dataDir
      return server
    }
    try {
      return [
        await lockEnds(postgres, await start()),
        await lockStays(postgres, await start()),
        await secondSignal(postgres, await start()),
      ]
    } finally {
      await processes.cleanUp()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** Requests that wait for a lock, which is let go of with `unlock`. */
async function waitingRequests(postgres: Postgres, server: ServerProcess) {
  const [credentials] = readDemoFile(server.dataDir).developers
  const token = await mintedToken(server, '/v1/Auth', credentials)
  const holder = new pg.Client({ connectionString: postgres.superuserConnectionString })
  await holder.connect()
  await holder.query('BEGIN; LOCK TABLE apps')
  const requests = Array.from({ length: IN_FLIGHT }, () =>
    probe(server, { path: '/v1/Developer/Apps', token }),
  )
  // On a connection of its own: what a transaction sees of the others does not change.
  const watcher = new pg.Client({ connectionString: postgres.superuserConnectionString })
  await watcher.connect()
  const waiting = async () => {
    const { rows } = await watcher.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
    )
    return rows[0]?.count ?? 0
  }
  await waitUntil(async () => (await waiting()) > 0)
  const unlock = () => Promise.all([holder.end(), watcher.end()])
  return { requests, waiting, unlock }
}

async function outcome(server: ServerProcess, requests: Promise<{ status: number }>[]) {
  const signalledAtMs = performance.now()
  const { code } = await server.exited
  const ms = performance.now() - signalledAtMs
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  const counts = [...new Set(statuses)].map(
    (status) => `${statuses.filter((one) => one === status).length} x ${status || 'reset'}`,
  )
  return {
    code,
    ms,
    statuses,
    told: `${counts.join(', ')}; exit ${code} after ${(ms / 1000).toFixed(1)} s`,
  }
}

async function lockEnds(postgres: Postgres, server: ServerProcess): Promise<Finding> {
  const { requests, unlock } = await waitingRequests(postgres, server)
  server.child.kill('SIGTERM')
  const ended = outcome(server, requests)
  await sleep(1_500)
  await unlock()
  const { code, ms, statuses, told } = await ended
  return {
    what: `SIGTERM with ${IN_FLIGHT} requests behind a lock that is held 1.5 s longer`,
    seen: told,
    target: 'all 200, exit 0 within the grace',
    held: code === 0 && ms < GRACE_SECONDS * 1000 && statuses.every((status) => status === 200),
  }
}

async function lockStays(postgres: Postgres, server: ServerProcess): Promise<Finding> {
  const { requests, waiting, unlock } = await waitingRequests(postgres, server)
  server.child.kill('SIGTERM')
  const { code, ms, statuses, told } = await outcome(server, requests)
  const left = await waiting()
  await unlock()
  return {
    what: `SIGTERM with ${IN_FLIGHT} requests behind a lock that is not let go of`,
    seen: `${told}, ${left} statements left`,
    target: 'all 503, exit 0 within the grace, 0 statements left',
    held:
      code === 0 &&
      ms < GRACE_SECONDS * 1000 &&
      left === 0 &&
      statuses.every((status) => status === 503),
  }
}

async function secondSignal(postgres: Postgres, server: ServerProcess): Promise<Finding> {
  const { requests, unlock } = await waitingRequests(postgres, server)
  server.child.kill('SIGTERM')
  await sleep(1_000)
  server.child.kill('SIGTERM')
  const { code, ms, told } = await outcome(server, requests)
  await unlock()
  return {
    what: 'a second SIGTERM after 1 s, with requests behind a lock',
    seen: told,
    target: `exit 1 within ${AT_ONCE_MS / 1000} s`,
    held: code === 1 && ms < AT_ONCE_MS,
  }
}

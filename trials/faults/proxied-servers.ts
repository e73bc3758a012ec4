import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import type { Demo } from '../../src/process/demo/demo-file.ts'
import { freePort } from '../../test/setup/free-port.ts'
import { hasHaproxy, startHaproxy } from '../../test/setup/haproxy.ts'
import { mintedToken, type Probe } from '../../test/setup/probes.ts'
import {
  readDemoFile,
  type ServerProcess,
  serverProcesses,
} from '../../test/setup/server-process.ts'
import { requestsAt } from './steady-load.ts'
import type { Finding } from './trial.ts'

const PER_SECOND = 100
/** Several rounds of HAProxy's checks. */
const SETTLED_MS = 2_000

/** Servers on one Postgres, behind HAProxy. */
export type ProxiedServers = {
  servers: ServerProcess[]
  proxy: { url: string }
  demo: Demo
  databaseUrl: string
  env: Record<string, string>
  /** Ends each server in turn, and starts another one in its place: of this release unless told. */
  replaceEach(program?: string): Promise<(number | null)[]>
}

/** Starts servers at once on an empty database, and HAProxy before them. */
export async function withProxiedServers(
  { count }: { count: number },
  work: (target: ProxiedServers) => Promise<Finding[]>,
): Promise<Finding[]> {
  if (!hasHaproxy()) throw new Error('HAProxy is not installed: apt-get install haproxy')
  const directory = await mkdtemp(join(tmpdir(), 'haproxy-trial-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(directory, 'postgres') })
  const processes = serverProcesses()
  const env = {
    DATABASE_URL: postgres.connectionString,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: 'http://marketplace.example',
    DEMO: 'true',
    RATE_LIMIT_PER_MINUTE: '0',
    TRUST_PROXY: '127.0.0.1',
    DRAIN_SECONDS: '3',
  }
  type Place = { port: number; dataDir?: string }
  const start = (place: Place, release?: string) =>
    processes.start({ ...place, env, ...(release === undefined ? {} : { program: release }) })
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  let proxy: Awaited<ReturnType<typeof startHaproxy>> | undefined
  try {
    const servers = await Promise.all(ports.map((port) => start({ port })))
    await Promise.all(servers.map((server) => server.ready()))
    proxy = await startHaproxy(servers)
    return await work({
      servers,
      proxy,
      demo: demoOf(servers),
      databaseUrl: postgres.connectionString,
      env,
      async replaceEach(release) {
        const exits: (number | null)[] = []
        for (const [index, server] of servers.entries()) {
          exits.push((await server.end()).code)
          const { dataDir, url } = server
          const next = await start({ port: Number(new URL(url).port), dataDir }, release)
          await next.ready()
          servers[index] = next
          await sleep(SETTLED_MS)
        }
        return exits
      },
    })
  } finally {
    await proxy?.close()
    await processes.cleanUp()
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** One server made the demo marketplace, and wrote its credentials down. */
function demoOf(servers: readonly ServerProcess[]): Demo {
  const maker = servers.find(({ dataDir }) => existsSync(join(dataDir, 'demo.json')))
  if (maker === undefined) throw new Error('no server made the demo marketplace')
  return readDemoFile(maker.dataDir)
}

/** What tokens of the demo's app that may write are minted with. */
export async function signedInAtProxy({ proxy, demo }: ProxiedServers) {
  const credentials = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const developer = await mintedToken(proxy, '/v1/Auth', credentials)
  const body = { installationId: installation?.id }
  const mint = () => mintedToken(proxy, '/v1/Developer/Token', body, developer)
  return { developer, body, mint }
}

/** Replaces the servers one after the other, while requests come all the time. */
export async function replacedUnderLoad(
  target: ProxiedServers,
  what: string,
  program?: string,
): Promise<Finding> {
  const { developer, body, mint } = await signedInAtProxy(target)
  const token = await mint()
  const probes: Probe[] = [
    { path: '/v1/Products?limit=20', token },
    { path: '/v1/Developer/Installations', token: developer },
    { path: '/v1/Developer/Token', token: developer, body },
    { path: '/v1/Products', token, body: { brand: 'Trial', partNumber: '1', inStock: 1 } },
    { path: '/v1/User/Profile', token },
    { path: '/v1/Apps' },
  ]
  const load = requestsAt(target.proxy, probes, PER_SECOND)
  const exits = await target.replaceEach(program)
  const { count, failed, p99Ms, longestMs } = await load.stop()
  const statuses = [...new Set(failed)].join(', ')
  return {
    what: `${target.servers.length} servers replaced one after the other ${what} under ${PER_SECOND} requests a second`,
    seen: `${count} requests, ${failed.length} failed${failed.length > 0 ? ` (${statuses})` : ''}, p99 ${p99Ms.toFixed()} ms, longest ${longestMs.toFixed()} ms; exit codes ${exits.join(', ')}`,
    target: 'none failed, exit code 0',
    held: failed.length === 0 && exits.every((code) => code === 0),
  }
}

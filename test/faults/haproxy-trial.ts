import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Demo } from '../../src/demo/demo-file.ts'
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts'
import { query } from '../setup/backups.ts'
import { freePort } from '../setup/free-port.ts'
import { hasHaproxy, startHaproxy } from '../setup/haproxy.ts'
import { mintedToken, type Probe, probe } from '../setup/probes.ts'
import { readDemoFile, type ServerProcess, serverProcesses } from '../setup/server-process.ts'
import { requestsAt } from './steady-load.ts'
import type { Finding, Trial } from './trial.ts'

const SERVERS = 3
const PER_SECOND = 100
const TOKENS = 50
const WRONG_PASSWORDS = 15
/** Of one client id and address, a minute. */
const WRONG_ALLOWED = 10
/** Several rounds of HAProxy's checks. */
const SETTLED_MS = 2_000

type Place = { port: number; dataDir?: string }
type Setting = {
  servers: ServerProcess[]
  proxy: { url: string }
  demo: Demo
  /** The server at a place, anew. */
  start(place: Place): Promise<ServerProcess>
}

/** Three servers on one Postgres, behind HAProxy. */
export const trial: Trial = {
  title: 'haproxy',
  async run() {
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
    const start = (place: Place) => processes.start({ ...place, env })
    const places = await Promise.all(Array.from({ length: SERVERS }, freePort))
    let proxy: Awaited<ReturnType<typeof startHaproxy>> | undefined
    try {
      const servers = await Promise.all(places.map((port) => start({ port })))
      await Promise.all(servers.map((server) => server.ready()))
      const first = await firstStart(postgres.connectionString)
      proxy = await startHaproxy(servers)
      const demo = demoOf(servers)
      const setting = { servers, proxy, demo, start }
      return [
        first,
        await revocations(setting),
        await wrongPasswords(setting),
        await rollingReplacement(setting),
      ]
    } finally {
      await proxy?.close()
      await processes.cleanUp()
      await postgres.stop()
      await rm(directory, { recursive: true, force: true })
    }
  },
}

/** One server made the demo marketplace, and wrote its credentials down. */
function demoOf(servers: readonly ServerProcess[]): Demo {
  const maker = servers.find(({ dataDir }) => existsSync(join(dataDir, 'demo.json')))
  if (maker === undefined) throw new Error('no server made the demo marketplace')
  return readDemoFile(maker.dataDir)
}

async function firstStart(url: string): Promise<Finding> {
  const [applied] = await query<{ rows: number; names: number; developers: number }>(
    url,
    `SELECT count(*)::int AS rows, count(DISTINCT migration_name)::int AS names,
       (SELECT count(*)::int FROM developers) AS developers FROM _prisma_migrations`,
  )
  const { rows = 0, names = 0, developers = 0 } = applied ?? {}
  return {
    what: `${SERVERS} servers start at once on an empty database`,
    seen: `${rows} migrations applied, ${names} different; ${developers} developers of the demo`,
    target: 'each migration once, one demo of 2 developers',
    held: rows === names && rows > 0 && developers === 2,
  }
}

/** What tokens of the demo's app that may write are minted with. */
async function signedIn({ proxy, demo }: Setting) {
  const credentials = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const developer = await mintedToken(proxy, '/v1/Auth', credentials)
  const body = { installationId: installation?.id }
  const mint = () => mintedToken(proxy, '/v1/Developer/Token', body, developer)
  return { developer, credentials, body, mint }
}

/** Revoked through the proxy, asked for at every server at once. */
async function revocations(setting: Setting): Promise<Finding> {
  const { developer, mint } = await signedIn(setting)
  let before = 0
  let after = 0
  for (let n = 0; n < TOKENS; n++) {
    const token = await mint()
    const statuses = () =>
      Promise.all(
        setting.servers.map(
          async (server) => (await probe(server, { path: '/v1/User/Profile', token })).status,
        ),
      )
    before += (await statuses()).filter((status) => status === 200).length
    await probe(setting.proxy, {
      path: '/v1/Developer/Token/Revoke',
      token: developer,
      body: { token },
    })
    after += (await statuses()).filter((status) => status !== 401).length
  }
  return {
    what: `${TOKENS} tokens revoked through HAProxy, then shown to each server`,
    seen: `${before} accepted before, ${after} afterwards`,
    target: `${TOKENS * SERVERS} before, none afterwards`,
    held: before === TOKENS * SERVERS && after === 0,
  }
}

async function wrongPasswords({ proxy, demo }: Setting): Promise<Finding> {
  const body = { clientId: demo.developers[0]?.clientId, password: 'not the password' }
  const statuses: number[] = []
  for (let n = 0; n < WRONG_PASSWORDS; n++) {
    statuses.push((await probe(proxy, { path: '/v1/Auth', body })).status)
  }
  const refused = statuses.filter((status) => status === 401).length
  const limited = statuses.filter((status) => status === 429).length
  return {
    what: `${WRONG_PASSWORDS} wrong passwords through HAProxy`,
    seen: `${refused} times 401, ${limited} times 429`,
    target: `${WRONG_ALLOWED} times 401, then 429`,
    held: refused === WRONG_ALLOWED && limited === WRONG_PASSWORDS - WRONG_ALLOWED,
  }
}

/** Each server in turn gets SIGTERM and is started again, while requests come all the time. */
async function rollingReplacement(setting: Setting): Promise<Finding> {
  const { developer, body, mint } = await signedIn(setting)
  const token = await mint()
  const probes: Probe[] = [
    { path: '/v1/Products?limit=20', token },
    { path: '/v1/Developer/Installations', token: developer },
    { path: '/v1/Developer/Token', token: developer, body },
    { path: '/v1/Products', token, body: { brand: 'Trial', partNumber: '1', inStock: 1 } },
    { path: '/v1/User/Profile', token },
    { path: '/v1/Apps' },
  ]
  const load = requestsAt(setting.proxy, probes, PER_SECOND)
  const exits: (number | null)[] = []
  for (const server of setting.servers) {
    exits.push((await server.end()).code)
    const { port } = new URL(server.url)
    const next = await setting.start({ port: Number(port), dataDir: server.dataDir })
    await next.ready()
    await sleep(SETTLED_MS)
  }
  const { count, failed, p99Ms, longestMs } = await load.stop()
  return {
    what: `${SERVERS} servers replaced one after the other under ${PER_SECOND} requests a second`,
    seen: `${count} requests, ${failed.length} failed${failed.length > 0 ? ` (${[...new Set(failed)].join(', ')})` : ''}, p99 ${p99Ms.toFixed()} ms, longest ${longestMs.toFixed()} ms; exit codes ${exits.join(', ')}`,
    target: 'none failed, exit code 0',
    held: failed.length === 0 && exits.every((code) => code === 0),
  }
}

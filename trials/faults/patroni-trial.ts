import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { missingForPatroni, type PatroniCluster, startPatroni } from '../../test/setup/patroni.ts'
import { mintedToken, probe } from '../../test/setup/probes.ts'
import {
  isAlive,
  readDemoFile,
  type ServerProcess,
  serverProcesses,
} from '../../test/setup/server-process.ts'
import type { Finding, Trial } from './trial.ts'

const NODES = 3
const CLIENTS = 20
/** Before the fault, and after the new primary is there. */
const AROUND_MS = 5_000
const LONGEST_MS = 10_000
const RECOVERED_MS = 3_000
const PAUSE_MS = 50

/** The primary of a cluster under Patroni is killed, and replaced as planned, under load. */
export const trial: Trial = {
  title: 'patroni',
  async run() {
    const missing = missingForPatroni()
    if (missing.length > 0) {
      throw new Error(
        `${missing.join(', ')} missing: apt-get install patroni etcd-server haproxy postgresql`,
      )
    }
    const cluster = await startPatroni(NODES)
    const processes = serverProcesses()
    try {
      const server = await processes.start({
        env: {
          DATABASE_URL: cluster.connectionString,
          SECRET_KEY: randomBytes(32).toString('base64'),
          DEMO: 'true',
          RATE_LIMIT_PER_MINUTE: '0',
        },
      })
      await server.ready()
      return [
        await under(cluster, server, 'a planned switch-over', (from) => cluster.switchOver(from)),
        await under(cluster, server, 'kill -9 of the primary', async (from) => cluster.kill(from)),
      ]
    } finally {
      await processes.cleanUp()
      await cluster.close()
    }
  },
}

type Writes = {
  acknowledged: string[]
  statuses: Map<number, number>
  longestMs: number
  wrong: number
  /** When requests first succeeded after a moment. */
  succeededAfter(ms: number): number
  stop(): Promise<void>
}

async function under(
  cluster: PatroniCluster,
  server: ServerProcess,
  what: string,
  fault: (primary: string) => Promise<void>,
): Promise<Finding> {
  await cluster.inSync()
  const former = (await cluster.primary()) ?? 'node0'
  const { token, writes } = await writing(server)
  await sleep(AROUND_MS)
  const beganAtMs = performance.now()
  await fault(former)
  await cluster.primaryAfter(former)
  const primaryAtMs = performance.now()
  await sleep(AROUND_MS)
  await writes.stop()
  const backMs = writes.succeededAfter(primaryAtMs) - primaryAtMs
  const stored = await partNumbers(server, token)
  const lost = writes.acknowledged.filter((partNumber) => !stored.has(partNumber)).length
  const isUp = server.child.exitCode === null && isAlive(server.child.pid ?? 0)
  const statuses = [...writes.statuses].sort(([a], [b]) => a - b)
  return {
    what: `${what}, under writes and reads of ${CLIENTS} clients`,
    seen: `${statuses.map(([status, count]) => `${count} x ${status || 'reset'}`).join(', ')}, longest ${(writes.longestMs / 1000).toFixed(1)} s, ${writes.wrong} neither 2xx nor 503 with Retry-After; another primary after ${((primaryAtMs - beganAtMs) / 1000).toFixed(1)} s, requests succeed ${(backMs / 1000).toFixed(1)} s later; ${lost} of ${writes.acknowledged.length} acknowledged writes lost; ${isUp ? 'alive' : 'died'}`,
    target: `none over ${LONGEST_MS / 1000} s, none wrong, back ${RECOVERED_MS / 1000} s after the primary, none lost, alive`,
    held:
      writes.longestMs < LONGEST_MS &&
      writes.wrong === 0 &&
      backMs < RECOVERED_MS &&
      lost === 0 &&
      writes.acknowledged.length > 0 &&
      isUp,
  }
}

/** Clients that write a product of their own, read the list, and begin again. */
async function writing(server: ServerProcess): Promise<{ token: string; writes: Writes }> {
  const demo = readDemoFile(server.dataDir)
  const credentials = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const developer = await mintedToken(server, '/v1/Auth', credentials)
  const body = { installationId: installation?.id }
  const token = await mintedToken(server, '/v1/Developer/Token', body, developer)
  const succeeded: number[] = []
  let isOver = false
  let next = 0
  const writes: Omit<Writes, 'succeededAfter' | 'stop'> = {
    acknowledged: [],
    statuses: new Map(),
    longestMs: 0,
    wrong: 0,
  }
  const prefix = randomBytes(4).toString('hex')
  const ask = async (request: Parameters<typeof probe>[1]) => {
    const { status, ms, retryAfter } = await probe(server, request)
    writes.statuses.set(status, (writes.statuses.get(status) ?? 0) + 1)
    writes.longestMs = Math.max(writes.longestMs, ms)
    const isGood = status >= 200 && status < 300
    if (isGood) succeeded.push(performance.now())
    else if (status !== 503 || !(Number(retryAfter) > 0)) writes.wrong++
    return isGood
  }
  const client = async () => {
    while (!isOver) {
      const partNumber = `${prefix}-${next++}`
      const product = { brand: 'Trial', partNumber, inStock: 1 }
      if (await ask({ path: '/v1/Products', token, body: product })) {
        writes.acknowledged.push(partNumber)
      }
      await ask({ path: '/v1/Products?limit=5', token })
      await sleep(PAUSE_MS)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  return {
    token,
    writes: Object.assign(writes, {
      succeededAfter: (ms: number) => succeeded.find((at) => at > ms) ?? Number.POSITIVE_INFINITY,
      async stop() {
        isOver = true
        await clients
      },
    }),
  }
}

/** Of all products that the token sees. */
async function partNumbers({ url }: ServerProcess, token: string): Promise<Set<string>> {
  const found = new Set<string>()
  const headers = { authorization: `Bearer ${token}` }
  let next: string | undefined = `${url}/v1/Products?limit=1000`
  while (next !== undefined) {
    const answer: Response = await fetch(next, { headers })
    const page = (await answer.json()) as { partNumber: string }[]
    for (const { partNumber } of page) found.add(partNumber)
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return found
}

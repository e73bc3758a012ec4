import { availableParallelism } from 'node:os'
import { mintedToken } from '../../test/setup/probes.ts'
import {
  cpuSeconds,
  cpuSecondsOfEnded,
  machineSeconds,
  processTree,
} from '../../test/setup/process-figures.ts'
import { readDemoFile, type ServerProcess } from '../../test/setup/server-process.ts'
import { drive, isWrkThere } from '../bench/driver.ts'
import { median } from '../bench/table.ts'
import type { Finding, Trial } from './trial.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

const ROUNDS = 7
const SECONDS = 4
const CONNECTIONS = 64
const TIMES_MIN = 1.4
const PER_CPU_SECOND_MIN = 0.9

/** One round of one server. */
type Round = {
  perSecond: number
  /** Processor seconds for 1,000 requests. */
  server: number
  postgres: number
  wrk: number
  /** Cores that did other work meanwhile. */
  othersCores: number
}

/** One worker, two on as many connections, and two on as many for each. */
type Rounds = Record<'one' | 'two' | 'twice', Round>

/** One worker and two of them, on the page of products from memory. */
export const trial: Trial = {
  title: 'workers',
  async run() {
    if (!(await isWrkThere())) throw new Error('wrk is missing: apt-get install wrk')
    const market = await startWebhookMarket([])
    try {
      const one = await market.startServer({ WORKERS: '1' })
      const two = await market.startServer({ WORKERS: '2' })
      const token = await productsToken(market)
      const rounds: Rounds[] = []
      for (const server of [one, two, one, two]) {
        await measure(market, server, { token, connections: CONNECTIONS })
      }
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push({
          one: await measure(market, one, { token, connections: CONNECTIONS }),
          two: await measure(market, two, { token, connections: CONNECTIONS }),
          twice: await measure(market, two, { token, connections: 2 * CONNECTIONS }),
        })
      }
      return found(rounds)
    } finally {
      await market.close()
    }
  },
}

async function productsToken({ server }: WebhookMarket): Promise<string> {
  const demo = readDemoFile(server.dataDir)
  const developer = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const token = await mintedToken(server, '/v1/Auth', developer)
  return mintedToken(server, '/v1/Developer/Token', { installationId: installation?.id }, token)
}

async function measure(
  { postgres }: WebhookMarket,
  server: ServerProcess,
  { token, connections }: { token: string; connections: number },
): Promise<Round> {
  const serverPids = processTree(server.child.pid ?? 0)
  const postgresPids = processTree(postgres.pid)
  const used = () => ({
    server: cpuSeconds(serverPids),
    postgres: cpuSeconds(postgresPids),
    wrk: cpuSecondsOfEnded(),
    machine: machineSeconds(),
  })
  const before = used()
  const beganAtMs = performance.now()
  const url = `${server.url}/v1/Products?limit=100`
  const load = { url, connections, seconds: SECONDS, tokens: [token] }
  const { requestsPerSecond, errors } = await drive(load)
  if (errors > 0) throw new Error(`${errors} requests failed`)
  const after = used()
  const seconds = (performance.now() - beganAtMs) / 1000
  const thousands = (requestsPerSecond * SECONDS) / 1000
  const spent = (what: 'server' | 'postgres' | 'wrk') => after[what] - before[what]
  const busy = after.machine.all - before.machine.all - (after.machine.idle - before.machine.idle)
  const ours = spent('server') + spent('postgres') + spent('wrk')
  return {
    perSecond: requestsPerSecond,
    server: spent('server') / thousands,
    postgres: spent('postgres') / thousands,
    wrk: spent('wrk') / thousands,
    othersCores: Math.max(0, busy - ours) / seconds,
  }
}

function found(rounds: readonly Rounds[]): Finding[] {
  const of = (which: keyof Rounds, what: keyof Round) =>
    median(rounds.map((round) => round[which][what]))
  const ratio = median(rounds.map(({ one, two }) => two.perSecond / one.perSecond))
  const perCpu = median(rounds.map(({ one, twice }) => one.server / twice.server))
  const cores = availableParallelism()
  const free = cores - of('two', 'othersCores')
  // All that a request takes, with two workers: so many can the free cores carry.
  const whole = of('two', 'server') + of('two', 'postgres') + of('two', 'wrk')
  const possible = Math.min(2, ((free / whole) * 1000) / of('one', 'perSecond'))
  const told = (which: keyof Rounds) =>
    `${Math.round(of(which, 'perSecond'))}/s at ${of(which, 'server').toFixed(3)} + ${of(which, 'postgres').toFixed(3)} + ${of(which, 'wrk').toFixed(3)} s a thousand (server, Postgres, wrk)`
  return [
    {
      what: `the page of products from memory, ${CONNECTIONS} connections for each worker, WORKERS=1 and 2 in turns`,
      seen: `1: ${told('one')}; 2: ${told('twice')}; requests for a processor second of the servers ${perCpu.toFixed(2)} times`,
      target: `at least ${PER_CPU_SECOND_MIN} times for a processor second`,
      held: perCpu >= PER_CPU_SECOND_MIN,
    },
    {
      what: `requests a second of two workers by one, ${CONNECTIONS} connections in all, on ${cores} cores of which other work took ${(cores - free).toFixed(1)}`,
      seen: `${ratio.toFixed(2)} times (2: ${told('two')}); the cores that were free allow ${possible.toFixed(2)} times`,
      target: `at least ${TIMES_MIN} times, or nine tenths of what the free cores allow`,
      held: ratio >= Math.min(TIMES_MIN, 0.9 * possible),
    },
  ]
}

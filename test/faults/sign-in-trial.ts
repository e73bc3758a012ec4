import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { readDemoFile, serverProcesses } from '../setup/server-process.ts'
import type { Finding, Trial } from './trial.ts'

const NETWORKS = 12
const CONNECTIONS_EACH = 20
const SIGN_INS = 50
const TARGET_MS = 2_000
/** What is not done by then is a miss, and the flood ends. */
const LONGEST_MS = 180_000
const CUSTOMER = '198.51.100.1'

/** A flood of wrong passwords from a few addresses, and a customer who signs in beside it. */
export const trial: Trial = {
  title: 'sign-ins',
  async run() {
    const servers = serverProcesses()
    try {
      // The addresses of the flood are written by the proxy that this script is.
      const server = await servers.start({ env: { TRUST_PROXY: '127.0.0.1' } })
      await server.ready()
      return await floodAndSignIn(server.url, server.dataDir)
    } finally {
      await servers.cleanUp()
    }
  },
}

async function floodAndSignIn(url: string, dataDir: string): Promise<Finding[]> {
  const [user] = readDemoFile(dataDir).users
  const { email = '', password = '' } = user ?? {}
  const seen = new Map<number, number>()
  const ends = performance.now() + LONGEST_MS
  let isOver = false
  const agents = Array.from({ length: NETWORKS }, () => new Agent({ keepAlive: true }))
  const attacker = async (agent: Agent, network: number, connection: number) => {
    for (let attempt = 0; !isOver && performance.now() < ends; attempt++) {
      const body = { email: `${network}-${connection}-${attempt % 97}@example.com`, password: 'x' }
      const status = await signIn(url, `203.0.113.${network}`, body, agent)
      seen.set(status, (seen.get(status) ?? 0) + 1)
    }
  }
  const flood = agents.flatMap((agent, network) =>
    Array.from({ length: CONNECTIONS_EACH }, (_, connection) =>
      attacker(agent, network, connection),
    ),
  )
  const times: number[] = []
  let retries = 0
  await sleep(1_000)
  while (times.length < SIGN_INS && performance.now() < ends) {
    const begun = performance.now()
    while ((await signIn(url, CUSTOMER, { email, password })) !== 200) {
      retries += 1
      if (performance.now() > ends) break
      await sleep(100)
    }
    times.push(performance.now() - begun)
  }
  isOver = true
  await Promise.all(flood)
  for (const agent of agents) agent.destroy()
  times.sort((a, b) => a - b)
  const quantile = (share: number) => Math.round(times[Math.ceil(share * times.length) - 1] ?? 0)
  const counts = [...seen].sort().map(([status, count]) => `${count} x ${status}`)
  const inTime = times.filter((ms) => ms <= TARGET_MS).length
  return [
    {
      what: `${NETWORKS} addresses x ${CONNECTIONS_EACH} connections try passwords; somebody else signs in ${SIGN_INS} times`,
      seen: `${inTime} of ${SIGN_INS} in time, p50 ${quantile(0.5)} ms, longest ${quantile(1)} ms, ${retries} retries; the flood got ${counts.join(', ')}`,
      target: `each within ${TARGET_MS / 1000} s`,
      held: times.length === SIGN_INS && inTime === SIGN_INS,
    },
  ]
}

/** @returns the status of the answer; 0 when there is none */
function signIn(url: string, from: string, body: object, agent?: Agent): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(`${url}/v1/Account/Auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      ...(agent && { agent }),
    })
    sent.on('error', () => resolve(0))
    sent.on('response', (answer) => {
      answer.resume().on('close', () => resolve(answer.statusCode ?? 0))
    })
    sent.end(JSON.stringify(body))
  })
}

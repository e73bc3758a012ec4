import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../test/setup/client.ts'
import { readDemoFile, serverProcesses } from '../../test/setup/server-process.ts'
import type { Finding, Trial } from './trial.ts'

const NETWORKS = 12
const CONNECTIONS_EACH = 20
const SIGN_INS = 50
const TARGET_MS = 2_000
/** What is not done by then is a miss, and the flood ends. */
const LONGEST_MS = 180_000
const CUSTOMER = '198.51.100.1'

/** A flood from networks of which none has failed yet, as just after a start. */
const FRESH_NETWORKS = 60
const FRESH_CONNECTIONS_EACH = 4
const FROM_KNOWN_MS = 2_000
const FROM_NEW_MS = 6_000

type SignIn = { path: '/v1/Account/Auth' | '/v1/Auth'; body: object; from: string }

/** Floods of wrong passwords, and customers who sign in beside them. */
export const trial: Trial = {
  title: 'sign-ins',
  async run() {
    const servers = serverProcesses()
    try {
      // The addresses of the flood are written by the proxy that this script is.
      const server = await servers.start({ env: { TRUST_PROXY: '127.0.0.1' } })
      await server.ready()
      const findings = await floodAndSignIn(server.url, server.dataDir)
      const env = { TRUST_PROXY: '127.0.0.1', ARGON2_CONCURRENCY: '1' }
      const fresh = await servers.start({ env })
      await fresh.ready()
      return [...findings, ...(await signInAfterStart(fresh.url, fresh.dataDir))]
    } finally {
      await servers.cleanUp()
    }
  },
}

async function floodAndSignIn(url: string, dataDir: string): Promise<Finding[]> {
  const [user] = readDemoFile(dataDir).users
  const { email = '', password = '' } = user ?? {}
  const flood = startFlood(url, NETWORKS, CONNECTIONS_EACH)
  const times: number[] = []
  let retries = 0
  await sleep(1_000)
  while (times.length < SIGN_INS && !flood.isOver()) {
    const body = { email, password }
    const seen = await signInAtLast(url, { path: '/v1/Account/Auth', body, from: CUSTOMER }, flood)
    times.push(seen.ms)
    retries += seen.retries
  }
  const counts = await flood.end()
  times.sort((a, b) => a - b)
  const quantile = (share: number) => Math.round(times[Math.ceil(share * times.length) - 1] ?? 0)
  const inTime = times.filter((ms) => ms <= TARGET_MS).length
  return [
    {
      what: `${NETWORKS} addresses x ${CONNECTIONS_EACH} connections try passwords; somebody else signs in ${SIGN_INS} times`,
      seen: `${inTime} of ${SIGN_INS} in time, p50 ${quantile(0.5)} ms, longest ${quantile(1)} ms, ${retries} retries; the flood got ${counts}`,
      target: `each within ${TARGET_MS / 1000} s`,
      held: times.length === SIGN_INS && inTime === SIGN_INS,
    },
  ]
}

/** A user and a developer with a password of their own, each from a network of before and a new one. */
async function signInAfterStart(url: string, dataDir: string): Promise<Finding[]> {
  const demo = readDemoFile(dataDir)
  const user = { email: demo.users[0]?.email, password: demo.users[0]?.password }
  const operator = await call({ url }, 'POST', '/v1/Account/Auth', { body: demo.operator })
  const developer = { clientId: 'chosen-by-hand', password: 'a password of the trial' }
  const options = { token: operator.body.token, body: { name: 'Trial House', ...developer } }
  await call({ url }, 'POST', '/v1/Operator/Developers', options)
  const known: SignIn[] = [
    { path: '/v1/Account/Auth', body: user, from: '198.51.100.1' },
    { path: '/v1/Auth', body: developer, from: '198.51.100.2' },
  ]
  for (const one of known) await signIn(url, one)
  const flood = startFlood(url, FRESH_NETWORKS, FRESH_CONNECTIONS_EACH)
  await sleep(500)
  const findings = await Promise.all(
    known.map(async (one, index) => {
      const fromNew = { ...one, from: `198.51.100.${101 + index}` }
      const [old, fresh] = await Promise.all([
        signInAtLast(url, one, flood),
        signInAtLast(url, fromNew, flood),
      ])
      return {
        what: `just after a start, ${FRESH_NETWORKS} addresses x ${FRESH_CONNECTIONS_EACH} connections try passwords; ${one.path} from a network of before and from a new one`,
        seen: `${Math.round(old.ms)} ms (${old.retries} retries) and ${Math.round(fresh.ms)} ms (${fresh.retries} retries)`,
        target: `within ${FROM_KNOWN_MS / 1000} s and ${FROM_NEW_MS / 1000} s`,
        held: old.ms <= FROM_KNOWN_MS && fresh.ms <= FROM_NEW_MS,
      }
    }),
  )
  await flood.end()
  return findings
}

/** Tries wrong passwords on all connections at once until it is ended. */
function startFlood(url: string, networks: number, connectionsEach: number) {
  const seen = new Map<number, number>()
  const ends = performance.now() + LONGEST_MS
  let ended = false
  const isOver = () => ended || performance.now() > ends
  const agents = Array.from({ length: networks }, () => new Agent({ keepAlive: true }))
  const attacker = async (agent: Agent, network: number, connection: number) => {
    for (let attempt = 0; !isOver(); attempt++) {
      const body = { email: `${network}-${connection}-${attempt % 97}@example.com`, password: 'x' }
      const from = `203.0.113.${network}`
      const status = await signIn(url, { path: '/v1/Account/Auth', body, from }, agent)
      seen.set(status, (seen.get(status) ?? 0) + 1)
    }
  }
  const all = agents.flatMap((agent, network) =>
    Array.from({ length: connectionsEach }, (_, connection) =>
      attacker(agent, network, connection),
    ),
  )
  return {
    isOver,
    /** @returns what it was answered, such as "12 x 401, 3 x 503" */
    async end(): Promise<string> {
      ended = true
      await Promise.all(all)
      for (const agent of agents) agent.destroy()
      return [...seen]
        .sort()
        .map(([status, count]) => `${count} x ${status}`)
        .join(', ')
    },
  }
}

/** Signs in again and again until it works, or the flood is over. */
async function signInAtLast(url: string, one: SignIn, flood: { isOver: () => boolean }) {
  const begun = performance.now()
  let retries = 0
  while ((await signIn(url, one)) !== 200) {
    retries += 1
    if (flood.isOver()) return { ms: Number.POSITIVE_INFINITY, retries }
    await sleep(100)
  }
  return { ms: performance.now() - begun, retries }
}

/** @returns the status of the answer; 0 when there is none */
function signIn(url: string, { path, body, from }: SignIn, agent?: Agent): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, {
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

import { setTimeout as sleep } from 'node:timers/promises'
import { ALLOCATOR_VARIABLES, NODE_FLAGS } from '../../scripts/server-node.js'
import { buildApp } from '../../src/app.ts'
import { LARGEST, LARGEST_TERMS, type LargestMarket, startLargestMarket } from './largest-market.ts'
import { milliseconds, probeLivez } from './probe.ts'
import type { Finding, Trial } from './trial.ts'

const STALL_MAX_MS = 50
/** Each is asked so often; the first requests are those of a cold process. */
const ROUNDS = 4
const WARM_ROUNDS = 1
/** The slowest are told, and all that are too slow. */
const TOLD = 10
const METER = new URL('./turn-meter.ts', import.meta.url).pathname
/** Waits for what happens, or is one of the server's own files. */
const LEFT_OUT = /^\/assets|^\/livez|callback$|^\/signin/i

type Aim = { name: string; ask: () => Promise<{ status: number; bytes: number }> }
type Seen = { name: string; livezMs: number; turnMs: number; status: number; kib: number }

/** Every page and every route that reads, on records as large as they may be. */
export const trial: Trial = {
  title: 'page-cost',
  async run() {
    let errors = () => ''
    let pid = 0
    const market = await startLargestMarket(async (at) => {
      const options = [...NODE_FLAGS, '--import', METER]
      const server = await at.startServer(ALLOCATOR_VARIABLES, undefined, options)
      errors = server.stderr
      pid = server.child.pid ?? 0
      return server
    })
    const longestTurn = async () => {
      const before = errors().length
      process.kill(pid, 'SIGUSR2')
      while (!errors().slice(before).includes(' ms\n')) await sleep(1)
      return Number(/longest turn ([\d.]+) ms/.exec(errors().slice(before))?.[1])
    }
    try {
      return await walk(await aims(market), market, longestTurn)
    } finally {
      await market.close()
    }
  },
}

async function walk(
  all: readonly Aim[],
  market: { url: string },
  longestTurn: () => Promise<number>,
) {
  const probe = probeLivez(market, 1)
  try {
    await sleep(1000)
    const quietMs = Math.max(...(await probe.times()))
    const seen: Seen[] = []
    for (const { name, ask } of all) {
      const waits: number[] = []
      const turns: number[] = []
      let last = { status: 0, bytes: 0 }
      for (let round = 0; round < ROUNDS; round++) {
        await probe.times()
        await longestTurn()
        last = await ask()
        const wait = Math.max(...(await probe.times()))
        const turn = await longestTurn()
        if (round < WARM_ROUNDS) continue
        waits.push(wait)
        turns.push(turn)
      }
      const kib = Math.round(last.bytes / 1024)
      seen.push({ name, livezMs: median(waits), turnMs: median(turns), status: last.status, kib })
    }
    seen.sort((a, b) => b.turnMs - a.turnMs)
    return seen
      .filter(({ turnMs }, index) => index < TOLD || turnMs >= STALL_MAX_MS)
      .map(findingOf(quietMs))
  } finally {
    await probe.close()
  }
}

const findingOf =
  (quietMs: number) =>
  ({ name, livezMs, turnMs, status, kib }: Seen): Finding => ({
    what: `${name} (${status}, ${kib} KiB)`,
    seen: `/livez waits ${milliseconds(livezMs)} (without it at most ${milliseconds(quietMs)}), longest turn ${milliseconds(turnMs)} of processor time`,
    target: `under ${STALL_MAX_MS} ms`,
    held: turnMs < STALL_MAX_MS,
  })

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

async function aims(largest: LargestMarket & { url: string }): Promise<Aim[]> {
  const app = await buildApp({
    deps: largest.market.deps,
    version: 'trial',
    readiness: async () => undefined,
  })
  await app.ready()
  const reads = app.routes
    .all()
    .filter(({ method, url }) => method === 'GET' && url !== '*' && !LEFT_OUT.test(url))
  await app.close()
  const found = new Map<string, Aim>()
  for (const { url, audience = '' } of reads) {
    for (const path of paths(url, largest)) {
      found.set(path, { name: `GET ${path}`, ask: () => ask(largest, audience, path) })
    }
  }
  return [...found.values(), ...writes(largest)]
}

/** What takes the largest bodies. */
function writes({ url, tokens }: LargestMarket & { url: string }): Aim[] {
  const send = async (path: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${tokens.developer}`, 'content-type': type }
    const answer = await fetch(url + path, { method: 'PUT', headers, body })
    return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength }
  }
  const apps = '/v1/Developer/Apps'
  let version = 3
  return [
    {
      name: `PUT ${apps}/{appId}/TermsDocument`,
      ask: () => {
        version += 1
        const path = `${apps}/largest-values/TermsDocument?version=${version}`
        return send(path, 'text/markdown', `${LARGEST_TERMS.slice(4)}${version}`)
      },
    },
    ...Object.entries(LARGEST).map(([id, of]) => ({
      name: `PUT ${apps}/${id}?dryRun=true`,
      ask: () => send(`${apps}/${id}?dryRun=true`, 'application/json', JSON.stringify(of('2'))),
    })),
  ]
}

/** The addresses of a route, for each of the largest apps where it is about one. */
function paths(route: string, largest: LargestMarket): string[] {
  const { ids, endpointId, deliveryId } = largest
  return Object.entries(largest.apps).flatMap(([appId, of]) => {
    const isDevelopers = /^\/(v1\/)?Developer/.test(route)
    const area = /^\/(?:v1\/)?\w+\/(\w+)/.exec(route)?.[1] ?? ''
    const own: Record<string, string | number> = {
      Apps: appId,
      Developers: ids.developerId,
      Parties: route.includes('InstallRequests') ? ids.askingId : ids.partyId,
      Users: ids.userId,
      Installations: of.installationId,
    }
    const values: Record<string, string | number> = {
      ':endpointId': endpointId,
      ':deliveryId': deliveryId,
      ':appId': route.includes('ndpoint') ? 'largest-values' : appId,
      ':installationId': of.installationId,
      ':requestId': String(of.requestId),
      ':purchaseOptionId': 'o0',
      ':version': '2',
      ':userId': ids.userId,
      ':id': own[area] ?? ids.partyId,
    }
    const one = route.replace(/:\w+/g, (name) => String(values[name] ?? ids.partyId))
    const sandbox = isDevelopers ? [one.replace(of.installationId, of.sandboxId)] : []
    const option = 'purchaseOptionId=o0'
    const queries = /\/(Install|Option|PurchaseOption|Sandbox|Upgrade|Authenticate\/.*)$/.test(one)
      ? [option, `partyId=${ids.askingId}&${option}`]
      : /Versions$/.test(one)
        ? ['from=1&to=3']
        : /Changes$/.test(one)
          ? ['from=1']
          : /Authenticate|InstallRequests|Members|Requests/.test(one)
            ? [`partyId=${ids.askingId}`]
            : []
    return [one, ...sandbox, ...queries.map((query) => `${one}?${query}`)]
  })
}

async function ask(
  { url, tokens, browsers }: LargestMarket & { url: string },
  audience: string,
  path: string,
) {
  if (audience === 'browser') {
    const browser = path.startsWith('/Operator')
      ? browsers.operator
      : browsers[path.startsWith('/Developer') ? 'developer' : 'user']
    const { status, text } = await browser.get(path)
    return { status, bytes: text.length }
  }
  const token = tokens[audience]
  const headers = { ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(url + path, { headers, redirect: 'manual' })
  return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength }
}

import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Client,
  openCount,
  stoppedReader,
  tricklingClient,
} from '../../test/setup/clients-that-stop.ts'
import { probe } from '../../test/setup/probes.ts'
import { rssMib } from '../../test/setup/process-figures.ts'
import { readDemoFile, type ServerProcess } from '../../test/setup/server-process.ts'
import { type SellerMarket, startSellers } from './sellers.ts'
import { requestsAt } from './steady-load.ts'
import type { Finding, Trial } from './trial.ts'

const ROWS = 1_000_000
const CLIENTS = 20
const OTHERS_PER_SECOND = 20
const CLOSED_SECONDS_MAX = 60
const EXPORT_MIB_MAX = 20
const READER_SECONDS = 45
const FLOOD_CONNECTIONS = 300
const FLOOD_SECONDS = 10
const RECOVERED_SECONDS_MAX = 5

/** Clients that send and read as slowly as they can, and clients that ask for too much. */
export const trial: Trial = {
  title: 'slow-clients',
  async run() {
    const market = await startSellers(2)
    try {
      return [
        await slowClients(market),
        await slowExport(market),
        await flood(market, {
          what: 'sign-ins with a wrong password',
          path: '/v1/Auth',
          body: { clientId: 'nobody', password: 'wrong' },
        }),
        await flood(market, {
          what: 'searches of the audit trail',
          path: '/v1/Operator/Audit?q=party',
          token: await operatorToken(market),
        }),
      ]
    } finally {
      await market.close()
    }
  },
}

async function slowClients({ server, tokens: [token] }: SellerMarket): Promise<Finding> {
  const trickling = (text: string, drip: string) =>
    tricklingClient(server.url, { text, drip, everyMs: 500 })
  const page = `GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n`
  const kinds = [
    () => trickling('GET /livez HTTP/1.1\r\nhost: x\r\n', 'x-a: b\r\n'),
    () =>
      trickling(
        'POST /v1/Auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{',
        ' ',
      ),
    // More than what the kernel takes in for somebody who does not read.
    () => stoppedReader(server.url, page.repeat(30)),
  ]
  const others = requestsAt(
    server,
    [{ path: '/v1/Products?limit=10', token: token ?? '' }],
    OTHERS_PER_SECOND,
  )
  const beganAtMs = performance.now()
  const all = kinds.flatMap((kind) => Array.from({ length: CLIENTS }, kind))
  const clients: Client[] = await Promise.all(all)
  const seconds = () => (performance.now() - beganAtMs) / 1000
  while (openCount(clients) > 0 && seconds() < 90) await sleep(250)
  const closedAfter = seconds()
  const open = openCount(clients)
  for (const { socket } of clients) socket.destroy()
  const { count, failed, p99Ms } = await others.stop()
  return {
    what: `${CLIENTS} clients each that trickle headers, trickle a body, and stop reading large answers`,
    seen: `${clients.length - open} of ${clients.length} closed after ${closedAfter.toFixed(0)} s; of ${count} requests of others ${failed.length} failed, p99 ${Math.round(p99Ms)} ms`,
    target: `all closed within ${CLOSED_SECONDS_MAX} s, none of the others failed`,
    held: open === 0 && closedAfter <= CLOSED_SECONDS_MAX && failed.length === 0,
  }
}

/** A client that reads an export of a million rows, but slowly. */
async function slowExport({ server, tokens, query }: SellerMarket): Promise<Finding> {
  await query(
    `INSERT INTO products (party_id, brand, part_number, in_stock, body, revision, updated_at)
     SELECT (SELECT max(id) FROM parties), 'B', n, 1, '"shortDescription":"Comfort grip design number ' || n || '; adjustable taper control"}', 1, now()
     FROM generate_series(1, ${ROWS}) AS n`,
  )
  const [, token = ''] = tokens
  const answer = async () =>
    fetch(`${server.url}/v1/Products`, {
      headers: { accept: 'application/x-ndjson', authorization: `Bearer ${token}` },
    })
  // What the first export compiles and allocates stays.
  const rows = String(await (await answer()).text()).split('\n').length - 1
  const before = rssMib([server.child.pid ?? 0])
  const reader = ((await answer()).body as ReadableStream<Uint8Array>).getReader()
  let most = before
  let read = 0
  const beganAtMs = performance.now()
  while (performance.now() - beganAtMs < READER_SECONDS * 1000) {
    read += (await reader.read()).value?.length ?? 0
    most = Math.max(most, rssMib([server.child.pid ?? 0]))
    await sleep(250)
  }
  await reader.cancel()
  return {
    what: `a slow reader of an export of ${rows} rows`,
    seen: `${Math.round(most - before)} MiB more in ${READER_SECONDS} s, in which it read ${Math.round(read / 1024)} KiB`,
    target: `under ${EXPORT_MIB_MAX} MiB`,
    held: rows >= ROWS && most - before < EXPORT_MIB_MAX,
  }
}

async function operatorToken({ server }: SellerMarket): Promise<string> {
  const { email, password } = readDemoFile(server.dataDir).operator
  const answer = await fetch(`${server.url}/v1/Account/Auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return ((await answer.json()) as { token: string }).token
}

type Flood = { what: string; path: string; token?: string; body?: unknown }

/** More at once than the server can do: it refuses what it cannot do, and is as before afterwards. */
async function flood({ server, tokens: [token] }: SellerMarket, { what, ...asked }: Flood) {
  const own = { path: '/v1/Products?limit=10', token: token ?? '' }
  const before = await quickest(server, own)
  const statuses = new Map<number, number>()
  const untilMs = performance.now() + FLOOD_SECONDS * 1000
  let longestMs = 0
  const client = async () => {
    while (performance.now() < untilMs) {
      const { status, ms } = await probe(server, asked)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      longestMs = Math.max(longestMs, ms)
    }
  }
  await Promise.all(Array.from({ length: FLOOD_CONNECTIONS }, client))
  const endedAtMs = performance.now()
  const isAsBefore = async () => {
    const { status, ms } = await probe(server, own)
    return status === 200 && ms < before * 5 + 50
  }
  while (!(await isAsBefore()) && performance.now() - endedAtMs < 60_000) await sleep(50)
  const recovered = (performance.now() - endedAtMs) / 1000
  const told = [...statuses].map(([status, count]) => `${count} x ${status || 'reset'}`)
  const isWrong = [...statuses.keys()].some((status) => ![200, 401, 429, 503].includes(status))
  return {
    what: `${FLOOD_CONNECTIONS} connections with ${what} for ${FLOOD_SECONDS} s`,
    seen: `${told.join(', ')}; longest ${(longestMs / 1000).toFixed(1)} s; others as before ${recovered.toFixed(1)} s after the end`,
    target: `nothing but answers, 429 and 503; as before within ${RECOVERED_SECONDS_MAX} s`,
    held: !isWrong && recovered <= RECOVERED_SECONDS_MAX,
  }
}

/** The shortest of some times, in milliseconds. */
async function quickest(server: ServerProcess, own: { path: string; token: string }) {
  const times: number[] = []
  for (let n = 0; n < 20; n++) times.push((await probe(server, own)).ms)
  return Math.min(...times)
}

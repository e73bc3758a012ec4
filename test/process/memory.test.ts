import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALLOCATOR_VARIABLES, NODE_FLAGS } from '../../scripts/server-node.js'
import { query } from '../setup/backups.ts'
import { call } from '../setup/client.ts'
import { createDemoDatabase } from '../setup/database.ts'
import { INSPECTED, type LiveHeap, openLiveHeap } from '../setup/live-heap.ts'
import { mintedToken, probe } from '../setup/probes.ts'
import { descriptorCount, rssMib } from '../setup/process-figures.ts'
import { type ServerProcess, serverProcesses } from '../setup/server-process.ts'
import { startUpload } from '../setup/upload.ts'
import { signedIn, type WebClient } from '../setup/web-client.ts'

const CLIENTS = 4
/** Of each client, of each kind of request, in one part of the test. */
const TIMES = 3
const RSS_MIB_MAX = 400
/** What a part may leave behind. */
const HEAP_BYTES_MORE = 3_000_000
const RSS_MIB_MORE = 80
const DESCRIPTORS_MORE = 20
const CSV = `brand,partNumber,inStock\n${'Memory,P,1\n'.repeat(50)}`

let database: Awaited<ReturnType<typeof createDemoDatabase>>
let server: ServerProcess
let heap: LiveHeap
let browser: WebClient
let developer: string
let token: string
const processes = serverProcesses()
beforeAll(async () => {
  database = await createDemoDatabase()
  // As `npm start` does, but with little room for pages that are kept on purpose.
  server = await processes.start({
    nodeOptions: [...NODE_FLAGS, ...INSPECTED],
    env: {
      ...ALLOCATOR_VARIABLES,
      DATABASE_URL: database.url,
      SECRET_KEY: database.secretKey,
      RATE_LIMIT_PER_MINUTE: '0',
      PAGE_CACHE_BYTES: '1000000',
    },
  })
  await server.ready()
  heap = await openLiveHeap(server)
  browser = await signedIn(server, database.demo.operator)
  developer = await mintedToken(server, '/v1/Auth', credentials())
  token = await mintedToken(server, '/v1/Developer/Token', installation(), developer)
})
afterAll(async () => {
  heap?.close()
  await processes.cleanUp()
  await database.drop()
})

const APP_ID = 'catalog-sync'
const credentials = () => database.demo.developers.find(({ apps }) => apps.includes(APP_ID))
const installation = () => ({
  installationId: database.demo.installations.find(({ appId }) => appId === APP_ID)?.id,
})
const get = (path: string, bearer?: string) =>
  probe(server, { path, ...(bearer === undefined ? {} : { token: bearer }) })
const post = (path: string, body: unknown, bearer?: string) =>
  probe(server, { path, body, ...(bearer === undefined ? {} : { token: bearer }) })

/** Each kind of request, and those that clients break off; `n` is another one each time. */
const KINDS: readonly ((n: number) => Promise<unknown>)[] = [
  () => get('/v1/Products?limit=100', token),
  (n) => get(`/v1/Products?limit=${1 + (n % 1000)}`, token),
  () => get('/v1/Developer/Installations', developer),
  () => get('/v1/Developer/Events?after=0', developer),
  () => get('/v1/Apps'),
  () => get('/openapi.json'),
  (n) => get(`/v1/Apps/none-${n}`),
  (n) => get('/v1/User/Profile', `no.such.token-${n}`),
  () => browser.get('/Operator'),
  (n) => browser.get(`/Operator/Audit?q=word${n}`),
  () => post('/v1/Auth', credentials()),
  (n) => post('/v1/Auth', { clientId: `nobody-${n}`, password: 'wrong' }),
  () => post('/v1/Developer/Token', installation(), developer),
  (n) => post('/v1/Products', { brand: 'Memory', partNumber: `${n % 20}`, inStock: n }, token),
  () => call(server, 'POST', '/v1/Products/Import', { token, body: CSV, headers: CSV_HEADERS }),
  brokenUpload,
  () => brokenOff('/v1/Products', token, 'application/x-ndjson'),
  () => brokenOff('/v1/Developer/Events?wait=20&type=webhook.test', developer, '*/*'),
]
const CSV_HEADERS = { 'content-type': 'text/csv' }

/** Reads nothing of a response, which comes at once or after a while. */
async function brokenOff(path: string, bearer: string, accept: string): Promise<void> {
  const headers = { authorization: `Bearer ${bearer}`, accept }
  const { signal, abort } = brokenAfter(20)
  await fetch(server.url + path, { headers, signal }).catch(() => {})
  abort()
}

function brokenAfter(ms: number) {
  const given = new AbortController()
  const timer = setTimeout(() => given.abort(), ms)
  return {
    signal: given.signal,
    abort() {
      clearTimeout(timer)
      given.abort()
    },
  }
}

async function brokenUpload(): Promise<void> {
  const upload = startUpload(server, { token }, randomUUID())
  await new Promise<void>((resolve) => upload.write(CSV, () => resolve()))
  upload.destroy()
}

let made = 0
/** So many of each kind, from clients that work at the same time. */
async function part(): Promise<void> {
  const client = async () => {
    for (let time = 0; time < TIMES; time++) for (const kind of KINDS) await kind(made++)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

/** What the process has, when everything has ended that goes on. */
async function held() {
  const connections = async () => {
    const rows = await query<{ state: string }>(
      database.url,
      `SELECT state FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'app-marketplace'`,
    )
    return rows.map(({ state }) => state)
  }
  await expect.poll(connections).not.toContain('idle in transaction')
  return {
    heapBytes: await heap.bytes(),
    rssMib: rssMib([server.child.pid ?? 0]),
    connections: (await connections()).length,
  }
}
const descriptors = () => descriptorCount(server.child.pid ?? 0)

test('memory, descriptors and connections are level under requests of every kind', async () => {
  await part()
  const before = await held()
  const descriptorsBefore = descriptors()
  await part()
  await part()
  await expect.poll(descriptors).toBeLessThanOrEqual(descriptorsBefore + DESCRIPTORS_MORE)
  const after = await held()
  expect(after.heapBytes - before.heapBytes).toBeLessThan(HEAP_BYTES_MORE)
  expect(after.rssMib - before.rssMib).toBeLessThan(RSS_MIB_MORE)
  expect(after.rssMib).toBeLessThan(RSS_MIB_MAX)
  expect(after.connections).toBeLessThanOrEqual(before.connections + 4)
})

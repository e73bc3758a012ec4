import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../setup/client.ts'
import { mintedToken } from '../setup/probes.ts'
import { readDemoFile, type ServerProcess, serverProcesses } from '../setup/server-process.ts'
import { type Replication, startReplication } from '../setup/streaming-replica.ts'

const ROUNDS = 100
const LONGEST_MS = 10_000
const processes = serverProcesses()
let replication: Replication
let server: ServerProcess
let token: string

beforeAll(async () => {
  replication = await startReplication()
  server = await processes.start({
    env: {
      DATABASE_URL: replication.primary.connectionString,
      DATABASE_READ_URL: replication.replicaUrl,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DEMO: 'true',
      RATE_LIMIT_PER_MINUTE: '0',
      PAGE_CACHE_BYTES: '0',
    },
  })
  await server.ready()
  const demo = readDemoFile(server.dataDir)
  const credentials = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const developer = await mintedToken(server, '/v1/Auth', credentials)
  const body = { installationId: installation?.id }
  token = await mintedToken(server, '/v1/Developer/Token', body, developer)
})
afterAll(async () => {
  await processes.cleanUp()
  await replication?.close()
})

const PART = { brand: 'Replica', partNumber: 'R-1' }
async function write(inStock: number): Promise<void> {
  const { status } = await call(server, 'POST', '/v1/Products', {
    token,
    body: { ...PART, inStock },
  })
  expect([200, 201]).toContain(status)
}
const page = () => call(server, 'GET', `/v1/Products?partNumber=${PART.partNumber}`, { token })
async function stockShown(): Promise<number | undefined> {
  const { status, body } = await page()
  expect(status).toBe(200)
  return body[0]?.inStock
}
/** What an export says of the product. */
async function stockExported(): Promise<number | undefined> {
  const answer = await fetch(`${server.url}/v1/Products?partNumber=${PART.partNumber}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' },
  })
  expect(answer.status).toBe(200)
  const lines = (await answer.text()).trim().split('\n').filter(Boolean)
  return lines.length === 0 ? undefined : JSON.parse(lines[0] ?? '').inStock
}

test('a replica that has caught up is asked for pages, which equal those of the primary', async () => {
  await write(1)
  await replication.caughtUp()
  const before = replication.pagesAsked()
  for (let round = 0; round < 10; round++) expect(await stockShown()).toBe(1)
  expect(replication.pagesAsked()).toBeGreaterThanOrEqual(before + 10)
  expect(await stockExported()).toBe(1)
})

describe('a page and an export after a write are never stale, with a replica behind by', () => {
  test.each([0, 200, 5_000])('%i ms', async (delayMs) => {
    await replication.delay(delayMs)
    let stale = 0
    for (let round = 1; round <= ROUNDS; round++) {
      const inStock = delayMs + round
      await write(inStock)
      if ((await stockShown()) !== inStock) stale += 1
      if (round % 5 === 0 && (await stockExported()) !== inStock) stale += 1
    }
    expect(stale).toBe(0)
    await replication.delay(0)
    await replication.caughtUp()
  })
})

async function answersInTime(count: number, inStock: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    const startedAt = performance.now()
    expect(await stockShown()).toBe(inStock)
    expect(await stockExported()).toBe(inStock)
    expect(performance.now() - startedAt).toBeLessThan(LONGEST_MS)
  }
}

test('without the replica the primary is asked, and the replica again when it is back', async () => {
  await write(7)
  await replication.stopReplica()
  await answersInTime(20, 7)
  await replication.startReplica()
  await replication.caughtUp()
  const before = replication.pagesAsked()
  await expect
    .poll(async () => {
      expect(await stockShown()).toBe(7)
      return replication.pagesAsked()
    })
    .toBeGreaterThan(before)
})

test('a frozen replica delays no request for long', async () => {
  await write(8)
  await replication.caughtUp()
  replication.freeze('SIGSTOP')
  try {
    await Promise.all(Array.from({ length: 4 }, () => answersInTime(5, 8)))
  } finally {
    replication.freeze('SIGCONT')
  }
})

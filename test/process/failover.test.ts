import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../setup/backups.ts'
import { missingForPatroni, type PatroniCluster, startPatroni } from '../setup/patroni.ts'
import { mintedToken, probe } from '../setup/probes.ts'
import {
  readDemoFile,
  type ServerProcess,
  serverProcesses,
  waitUntil,
} from '../setup/server-process.ts'

const NODES = 2
const CLIENTS = 4
/** Acknowledged before the primary is killed, and again by the next one. */
const WRITES = 40

const missing = missingForPatroni()
const NAME = 'a primary that is killed costs 503s with Retry-After and no acknowledged write'
const WHY_SKIPPED = ` (missing: ${missing.join(', ')}; .ci/run installs them)`

let cluster: PatroniCluster | undefined
let server: ServerProcess
const processes = serverProcesses()
beforeAll(async () => {
  if (missing.length > 0) return
  cluster = await startPatroni(NODES)
  server = await processes.start({
    env: {
      DATABASE_URL: cluster.connectionString,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DEMO: 'true',
      RATE_LIMIT_PER_MINUTE: '0',
    },
  })
  await server.ready()
})
afterAll(async () => {
  await processes.cleanUp()
  await cluster?.close()
})

/** Clients that write a product each, again and again. */
function writing(token: string) {
  const acknowledged: string[] = []
  const wrong: string[] = []
  let next = 0
  let isOver = false
  const client = async () => {
    while (!isOver) {
      const partNumber = String(next++)
      const body = { brand: 'Failover', partNumber, inStock: 1 }
      const { status, retryAfter } = await probe(server, { path: '/v1/Products', token, body })
      if (status === 201) acknowledged.push(partNumber)
      else if (status !== 503 || !(Number(retryAfter) > 0)) wrong.push(`${status} ${retryAfter}`)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  return {
    acknowledged,
    wrong,
    async stop() {
      isOver = true
      await clients
    },
  }
}

test.skipIf(missing.length > 0)(missing.length > 0 ? NAME + WHY_SKIPPED : NAME, async () => {
  if (cluster === undefined) throw new Error('the cluster did not start')
  const { developers, installations } = readDemoFile(server.dataDir)
  const credentials = developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = installations.find(({ appId }) => appId === 'catalog-sync')
  const developer = await mintedToken(server, '/v1/Auth', credentials)
  const body = { installationId: installation?.id }
  const token = await mintedToken(server, '/v1/Developer/Token', body, developer)
  await cluster.inSync()
  const former = (await cluster.primary()) ?? ''

  const { acknowledged, wrong, stop } = writing(token)
  await waitUntil(() => acknowledged.length >= WRITES)
  cluster.killPostgres(former)
  expect(await cluster.primaryAfter(former)).not.toBe(former)
  const before = acknowledged.length
  await waitUntil(() => acknowledged.length >= before + WRITES)
  await stop()

  expect(wrong).toEqual([])
  const stored = await query<{ part_number: string }>(
    cluster.connectionString,
    "SELECT part_number FROM products WHERE brand = 'Failover'",
  )
  const names = new Set(stored.map(({ part_number }) => part_number))
  expect(acknowledged.filter((partNumber) => !names.has(partNumber))).toEqual([])
  expect(server.child.exitCode).toBeNull()
})

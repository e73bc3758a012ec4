import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../src/database/client.ts'
import type { PatientPool } from '../../src/database/patient-pool.ts'
import { createReadReplica } from '../../src/database/read-replica.ts'
import { bridgeTo } from '../setup/bridge.ts'
import { createTestDatabase, type TestDatabase, withDatabase } from '../setup/database.ts'
import { waitUntil } from '../setup/server-process.ts'

let databases: TestDatabase[]
const pools: PatientPool[] = []
const poolOf = (connectionString: string) => {
  const pool = openPool({ connectionString, poolSize: 4, onIdleError: () => {} })
  pools.push(pool)
  return pool
}
beforeAll(async () => {
  databases = [await createTestDatabase(), await createTestDatabase()]
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  for (const database of databases) await database.drop()
})

/** A replica at an address, with a clock that is set by hand, and the lines of its log. */
function replicaAt(url: string) {
  const clock = { ms: 0 }
  const told: string[] = []
  const log = {
    warn: (_: object, text: string) => told.push(text),
    info: (text: string) => told.push(text),
  }
  const primary = poolOf(databases[0]?.url ?? '')
  const replica = createReadReplica({
    pool: poolOf(url),
    primary,
    log: log as never,
    nowMs: () => clock.ms,
  })
  let reads = 0
  const read = () =>
    replica.read(async (pool) => {
      reads += 1
      return (await pool.query('SELECT 1 AS one')).rows[0]
    })
  return { clock, told, read, reads: () => reads }
}

test('a copy of the primary is read', async () => {
  const { read, told } = replicaAt(databases[0]?.url ?? '')
  expect(await read()).toEqual({ one: 1 })
  expect(told).toEqual([])
})

test('a copy that is far away is checked for longer than a read waits, and then read', async () => {
  const url = databases[0]?.url ?? ''
  const bridge = await bridgeTo(url, 120)
  const far = new URL(url.replace('@/', '@localhost/'))
  far.host = `127.0.0.1:${(bridge.address() as AddressInfo).port}`
  far.search = ''
  const { read, reads, told } = replicaAt(far.href)
  const startedAt = performance.now()
  expect(await read()).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  await waitUntil(async () => (await read()) !== undefined)
  expect(reads()).toBe(1)
  expect(told).toEqual([])
  await pools.splice(-1)[0]?.end()
  bridge.close()
})

test('another database of the same server is never read', async () => {
  const { read, reads, clock, told } = replicaAt(databases[1]?.url ?? '')
  for (let attempt = 0; attempt < 5; attempt++) {
    expect(await read()).toBeUndefined()
    clock.ms += 60_000
  }
  expect(reads()).toBe(0)
  expect(told).toEqual(['the read replica is away; the primary answers'])
})

test('a replica that is away is tried again after longer and longer waits, by one read at a time', async () => {
  const name = `gone_${crypto.randomUUID().replaceAll('-', '')}`
  const url = withDatabase(databases[0]?.url ?? '', name)
  const { read, clock } = replicaAt(url)
  const pool = pools.at(-1)
  let connects = 0
  const connect = pool?.connect.bind(pool)
  if (pool === undefined || connect === undefined) throw new Error('there is no pool')
  pool.connect = ((...given: Parameters<typeof connect>) => {
    connects += 1
    return connect(...given)
  }) as typeof pool.connect
  await Promise.all(Array.from({ length: 10 }, read))
  const triedBy: number[] = []
  for (let second = 0; second < 60; second++) {
    const before = connects
    await Promise.all(Array.from({ length: 10 }, read))
    if (connects > before) triedBy.push(connects - before)
    clock.ms += 1_000
  }
  expect(new Set(triedBy)).toEqual(new Set([1]))
  expect(triedBy.length).toBeGreaterThan(3)
  expect(triedBy.length).toBeLessThan(10)
})

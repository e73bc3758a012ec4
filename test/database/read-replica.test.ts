import { setImmediate as nextTick } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../src/base/database/client.ts'
import type { PatientPool } from '../../src/base/database/patient-pool.ts'
import { createReadReplica } from '../../src/base/database/read-replica.ts'
import { deadlineIn, withDeadline } from '../../src/base/fair-share/deadline.ts'
import { bridgeTo, throughBridge } from '../setup/bridge.ts'
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
  await Promise.all(pools.filter(({ ended }) => !ended).map((pool) => pool.end()))
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
  const used = { primary: poolOf(databases[0]?.url ?? ''), pool: poolOf(url) }
  const replica = createReadReplica({
    ...used,
    log: log as never,
    nowMs: () => clock.ms,
  })
  let reads = 0
  const read = () =>
    replica.read(async (pool) => {
      reads += 1
      return (await pool.query('SELECT 1 AS one')).rows[0]
    })
  /** Takes longer than the replica may. */
  const slowRead = () => replica.read((pool) => pool.query('SELECT pg_sleep(5)'))
  /** Ends as a statement that conflicts with the replay of the primary's changes. */
  const conflictingRead = () =>
    replica.read((pool) => pool.query("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$"))
  /** No check is under way, nor anything else. */
  const atRest = async () => {
    const isIdle = ({ totalCount, idleCount, waitingCount }: PatientPool) =>
      totalCount === idleCount && waitingCount === 0
    await waitUntil(() => Object.values(used).every(isIdle))
    await nextTick()
  }
  const ways = { read, slowRead, conflictingRead }
  return { clock, told, ...ways, reads: () => reads, atRest, pool: used.pool }
}

test('a copy of the primary is read', async () => {
  const { read, told, atRest } = replicaAt(databases[0]?.url ?? '')
  expect(await read()).toBeUndefined()
  await atRest()
  expect(await read()).toEqual({ one: 1 })
  expect(told).toEqual([])
})

test('no read waits for the check of a copy that is far away, which is read after it', async () => {
  const url = databases[0]?.url ?? ''
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const bridge = await bridgeTo(url, arrived)
  const { read, reads, told, atRest, pool } = replicaAt(throughBridge(bridge, url))
  for (let count = 0; count < 2; count++) {
    expect(await Promise.race([read(), nextTick('waits')])).toBeUndefined()
  }
  arrive()
  await atRest()
  expect(await read()).toEqual({ one: 1 })
  expect([reads(), told]).toEqual([1, []])
  await pool.end()
  bridge.close()
})

test('a slow statement, or a caller without time, leaves the replica to others that it answers', async () => {
  const { read, told, atRest, slowRead } = replicaAt(databases[0]?.url ?? '')
  await read()
  await atRest()
  const slow = slowRead()
  expect(await read()).toEqual({ one: 1 })
  expect(await slow).toBeUndefined()
  expect(await read()).toEqual({ one: 1 })
  expect(await withDeadline(deadlineIn(0), read)).toBeUndefined()
  expect(await read()).toEqual({ one: 1 })
  expect(told).toEqual([])
})

test('a replica that answers nobody in time is away', async () => {
  const { read, told, atRest, slowRead } = replicaAt(databases[0]?.url ?? '')
  await read()
  await atRest()
  expect(await Promise.all([slowRead(), slowRead()])).toEqual([undefined, undefined])
  expect(await read()).toBeUndefined()
  expect(told).toEqual(['the read replica is away; the primary answers'])
})

test('a statement that the replay cancels leaves the replica to others', async () => {
  const { read, told, atRest, conflictingRead } = replicaAt(databases[0]?.url ?? '')
  await read()
  await atRest()
  expect(await conflictingRead()).toBeUndefined()
  expect(await read()).toEqual({ one: 1 })
  expect(told).toEqual([])
})

test('a replica that was away is checked again, and then tried by one read', async () => {
  const { read, reads, told, clock, atRest, slowRead } = replicaAt(databases[0]?.url ?? '')
  await read()
  await atRest()
  await Promise.all([slowRead(), slowRead()])
  clock.ms += 1_000
  expect(await read()).toBeUndefined()
  await atRest()
  expect(reads()).toBe(0)
  expect(await Promise.all([read(), read()])).toEqual([{ one: 1 }, undefined])
  expect(await read()).toEqual({ one: 1 })
  expect(told).toEqual([
    'the read replica is away; the primary answers',
    'the read replica is back',
  ])
})

test('another database of the same server is never read', async () => {
  const { read, reads, clock, told, atRest } = replicaAt(databases[1]?.url ?? '')
  for (let attempt = 0; attempt < 5; attempt++) {
    expect(await read()).toBeUndefined()
    await atRest()
    clock.ms += 60_000
  }
  expect(reads()).toBe(0)
  expect(told).toEqual(['the read replica is away; the primary answers'])
})

test('a replica that is away is tried again after longer and longer waits, by one read at a time', async () => {
  const name = `gone_${crypto.randomUUID().replaceAll('-', '')}`
  const url = withDatabase(databases[0]?.url ?? '', name)
  const { read, clock, pool, atRest } = replicaAt(url)
  let connects = 0
  const connect = pool.connect.bind(pool)
  pool.connect = ((...given: Parameters<typeof connect>) => {
    connects += 1
    return connect(...given)
  }) as typeof pool.connect
  await Promise.all(Array.from({ length: 10 }, read))
  await atRest()
  const triedBy: number[] = []
  for (let second = 0; second < 60; second++) {
    const before = connects
    await Promise.all(Array.from({ length: 10 }, read))
    await atRest()
    if (connects > before) triedBy.push(connects - before)
    clock.ms += 1_000
  }
  expect(new Set(triedBy)).toEqual(new Set([1]))
  expect(triedBy.length).toBeGreaterThan(3)
  expect(triedBy.length).toBeLessThan(10)
})

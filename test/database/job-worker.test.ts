import type { Server, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { declareJob } from '../../src/base/jobs/job-kind.ts'
import {
  doing,
  type JobHandler,
  type JobWorker,
  startJobWorker,
} from '../../src/base/jobs/job-worker.ts'
import { type JobQueue, openJobQueue } from '../../src/base/jobs/queue-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { bridgeTo, throughBridge } from '../setup/bridge.ts'

const REMINDER = declareJob<{ about: string }>({
  name: 'reminder',
  atOnce: 2,
  lastsSeconds: 60,
  retries: { count: 1, firstSeconds: 1, mostSeconds: 1 },
})
const NIGHTLY = declareJob({
  name: 'nightly',
  atOnce: 1,
  lastsSeconds: 60,
  cron: '15 3 * * *',
})

let market: TestMarketplace
let queue: JobQueue
let bridge: Server
const sockets = new Set<Socket>()
const workers: JobWorker[] = []
beforeAll(async () => {
  market = await startMarketplace()
  queue = await openJobQueue(market.deps.pool, market.deps.log, [REMINDER, NIGHTLY])
  bridge = await bridgeTo(market.databaseUrl)
  bridge.on('connection', (socket) => sockets.add(socket))
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
})
afterAll(async () => {
  await queue.close()
  bridge.close()
  await market.close()
})

function work(handlers: JobHandler[], connectionString = market.databaseUrl) {
  const { log, measures } = market.deps
  const worker = startJobWorker({ connectionString, log, measures, handlers })
  workers.push(worker)
}

/** As when the machine of Postgres is gone and another one has its address: nothing is answered. */
function silence() {
  for (const socket of sockets)
    socket.removeAllListeners('data').removeAllListeners('drain').pause()
}

test('a job that fails is tried again, and hears which try is its last', async () => {
  const tries: boolean[] = []
  work([
    doing(REMINDER, async ({ about }, { isLastTry }) => {
      expect(about).toBe('the review')
      tries.push(isLastTry)
      if (!isLastTry) throw new Error('not yet')
    }),
  ])
  await queue.ask(REMINDER, { about: 'the review' })
  await expect.poll(() => tries, { timeout: 20_000 }).toEqual([false, true])
  const { jobs } = market.deps.measures
  await expect.poll(() => jobs).toMatchObject({ done: { reminder: 1 }, failed: { reminder: 1 } })
})

test('a job that a transaction asks for is done only if that commits', async () => {
  const told: string[] = []
  work([doing(REMINDER, async ({ about }) => void told.push(about))])
  const { db } = market.deps
  const rolledBack = db.$transaction(async (tx) => {
    await queue.ask(REMINDER, { about: 'rolled back' }, tx)
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await db.$transaction((tx) => queue.ask(REMINDER, { about: 'committed' }, tx))
  await expect.poll(() => told).toEqual(['committed'])
})

test('a kind with a time of day is asked for by the clock, whatever number of replicas', async () => {
  const handlers = [doing(NIGHTLY, async () => {})]
  work(handlers)
  work(handlers)
  const schedules = () =>
    market.deps.pool
      .query('SELECT name, cron, timezone FROM pgboss.schedule')
      .then(({ rows }) => rows)
  await expect.poll(schedules).toEqual([{ name: 'nightly', cron: '15 3 * * *', timezone: 'UTC' }])
})

test('of a kind with a time of day one job waits at most', async () => {
  await Promise.allSettled([queue.ask(NIGHTLY, {}), queue.ask(NIGHTLY, {}), queue.ask(NIGHTLY, {})])
  const { rows } = await market.deps.pool.query(
    "SELECT state FROM pgboss.job WHERE name = 'nightly'",
  )
  expect(rows).toEqual([{ state: 'created' }])
})

test('what is declared otherwise by now holds for a queue that is there', async () => {
  const patient = declareJob({ ...REMINDER, lastsSeconds: 120 })
  const again = await openJobQueue(market.deps.pool, market.deps.log, [patient])
  const { rows } = await market.deps.pool.query(
    "SELECT expire_seconds FROM pgboss.queue WHERE name = 'reminder'",
  )
  await again.close()
  expect(rows).toEqual([{ expire_seconds: 120 }])
})

test('jobs are done again when all connections to Postgres fell silent', async () => {
  const told: string[] = []
  work(
    [doing(REMINDER, async ({ about }) => void told.push(about))],
    throughBridge(bridge, market.databaseUrl),
  )
  await queue.ask(REMINDER, { about: 'before' })
  await expect.poll(() => told).toEqual(['before'])
  silence()
  await queue.ask(REMINDER, { about: 'after' })
  await expect.poll(() => told, { timeout: 30_000 }).toEqual(['before', 'after'])
  for (const socket of sockets) socket.destroy()
})

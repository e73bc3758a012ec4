import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passingFailure } from '../../src/base/database/failures.ts'
import { type Db, inTransaction } from '../../src/base/database/transaction.ts'
import { NO_DEADLINE, withDeadline } from '../../src/base/fair-share/deadline.ts'
import { LONG_CHARACTERS } from '../../src/base/fair-share/next-tick.ts'
import { AppError } from '../../src/errors.ts'
import { readInstallationJson } from '../../src/marketplace/installations/installation-json-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'

const CALLS = 6

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** In which turns of the event loop so many reads go on, whose results have all arrived in one. */
async function turnsOf(
  read: (index: number, arrived: () => void) => PromiseLike<unknown>,
): Promise<number[]> {
  let turn = 0
  let isCounting = true
  const count = () => {
    turn += 1
    if (isCounting) setImmediate(count)
  }
  // Each read has a connection that is there already.
  await Promise.all(Array.from({ length: CALLS }, (_, index) => read(index, () => {})))
  const turns: number[] = []
  const reads = Array.from({ length: CALLS }, (_, index) => read(index, () => turns.push(turn)))
  setImmediate(count)
  // The statements are sent by then; Postgres answers all of them while this process does nothing.
  for (let step = 0; step < 8; step++) await new Promise(setImmediate)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  await Promise.all(reads)
  isCounting = false
  return turns
}

test('of long results of Prisma one is taken in a turn of the event loop', async () => {
  const { db } = market.deps
  const length = LONG_CHARACTERS + 1
  const turns = await turnsOf((_, arrived) =>
    db.$queryRaw`SELECT repeat('x', ${length}::int) AS text`.then(arrived),
  )
  expect(new Set(turns).size).toBe(CALLS)
})

test('also in a transaction', async () => {
  const { db } = market.deps
  const length = LONG_CHARACTERS + 1
  const turns = await turnsOf((_, arrived) =>
    db.$transaction((tx) => tx.$queryRaw`SELECT repeat('x', ${length}::int) AS text`.then(arrived)),
  )
  expect(new Set(turns).size).toBe(CALLS)
})

test('of large installations that are read together one is parsed in a turn', async () => {
  const { pool, secrets } = market.deps
  const ids = market.demo.installations.slice(0, CALLS).map(({ id }) => id)
  await pool.query(
    `UPDATE installations SET body = replace(body, '"userSettings":{', $2) WHERE id = ANY($1)`,
    [ids, `"userSettings":{"long":${JSON.stringify('x'.repeat(LONG_CHARACTERS))},`],
  )
  const read = (index: number) =>
    readInstallationJson({ pool, secrets }, ids[index % ids.length] ?? '', undefined, 'omit')
  const { record } = await read(0)
  expect(JSON.stringify(record).length).toBeGreaterThan(LONG_CHARACTERS)
  const turns = await turnsOf((index, arrived) => read(index).then(arrived))
  expect(new Set(turns).size).toBe(CALLS)
})

describe('a long result for which a caller has no room fails, and the reason is known', () => {
  const length = LONG_CHARACTERS + 1
  const read = async (db: Db) => db.$queryRaw`SELECT repeat('x', ${length}::int) AS text`
  const held: [number, { isUndone: boolean }][] = []
  const full = {
    ...NO_DEADLINE,
    hold(...given: (typeof held)[number]) {
      held.push(given)
      throw new AppError('too_many_requests', { retryAfterSeconds: 1 })
    },
  }

  test.each([
    ['on its own', false, read],
    ['in a transaction, which it undoes', true, (db: Db) => inTransaction(db, read)],
  ])('%s', async (_, isUndone, work) => {
    held.length = 0
    const failure = await withDeadline(full, async () => work(market.deps.db)).catch((one) => one)
    expect(held).toEqual([[length, { isUndone }]])
    expect(passingFailure(failure)).toMatchObject({
      code: 'too_many_requests',
    })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/base/database/client.ts'
import { deadlineIn, withDeadline } from '../../src/base/fair-share/deadline.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { expectUnavailable } from '../setup/expect-unavailable.ts'

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true })
})
afterAll(() => testDatabase.drop())

const open = (poolSize: number) =>
  openDatabase({ connectionString: testDatabase.url, poolSize, onIdleError: () => {} })

describe('a pool whose connections are all taken', () => {
  /** Notes who gets a connection in which order; all are held at first. */
  async function heldPool(poolSize: number) {
    const small = open(poolSize)
    const held = await Promise.all(Array.from({ length: poolSize }, () => small.pool.connect()))
    const served: (string | undefined)[] = []
    const work: Promise<unknown>[] = []
    const ask = (count: number, caller: string | undefined) => {
      const one = async () => {
        const client = await small.pool.connect()
        served.push(caller)
        await client.query('SELECT 1').finally(() => client.release())
      }
      const deadline = deadlineIn(60_000, { caller })
      for (let index = 0; index < count; index++) work.push(withDeadline(deadline, one))
    }
    return { ...small, held, served, work, ask }
  }

  test('serves callers in turn, however much one of them has asked', async () => {
    const { pool, held, served, work, ask, close } = await heldPool(2)
    ask(200, 'a')
    ask(1, 'b')
    ask(1, undefined)
    expect(pool.waitingCount).toBe(202)
    for (const client of held) client.release()
    await Promise.all(work)
    expect(served).toHaveLength(202)
    expect(served.slice(0, 4)).toEqual(['a', 'b', undefined, 'a'])
    expect([pool.waitingCount, pool.totalCount, pool.idleCount]).toEqual([0, 2, 2])
    await close()
  })

  test('gives a single caller all of them where there are fewer than four', async () => {
    const { pool, held, close } = await heldPool(3)
    const waiting = withDeadline(deadlineIn(60_000, { caller: 'a' }), () =>
      Promise.all([pool.connect(), pool.connect(), pool.connect()]),
    )
    for (const client of held) client.release()
    for (const client of await waiting) client.release()
    expect(pool.totalCount).toBe(3)
    await close()
  })

  test('has one left of four for others than a caller that has all the others', async () => {
    const { pool, held, served, work, ask, close } = await heldPool(8)
    const many = Array.from({ length: 20 }, () =>
      withDeadline(deadlineIn(60_000, { caller: 'many' }), () => pool.connect()),
    )
    for (const client of held) client.release()
    const six = await Promise.all(many.slice(0, 6))
    ask(3, 'few')
    ask(1, undefined)
    await Promise.all(work)
    expect(served.toSorted()).toEqual(['few', 'few', 'few', undefined])
    expect(pool.waitingCount).toBe(14)
    for (const client of six) client.release()
    for (const client of many.slice(6)) (await client).release()
    await close()
  })

  test('knows that a caller has one no longer, however it ended', async () => {
    const { pool, close } = open(4)
    const asMany = <T>(ms: number, work: () => Promise<T>) =>
      withDeadline(deadlineIn(ms, { caller: 'many' }), work)
    // Their time is over, most likely while they are being made.
    const late = await Promise.allSettled([1, 2, 3].map(() => asMany(0, () => pool.connect())))
    for (const one of late) if (one.status === 'fulfilled') one.value.release()
    for (let round = 0; round < 3; round++) {
      await expectUnavailable(asMany(50, () => pool.query('SELECT pg_sleep(9)')))
      const all = [1, 2, 3].map(() => asMany(60_000, () => pool.connect()))
      const [one, two, three] = await Promise.all(all)
      await expectUnavailable(asMany(50, () => pool.connect()))
      one?.release()
      two?.release(true)
      three?.release(new Error('broken'))
    }
    await close()
  })

  test('replaces one that was destroyed for whoever waits', async () => {
    const { held, work, ask, close } = await heldPool(1)
    ask(2, 'a')
    held[0]?.release(true)
    await Promise.all(work)
    await close()
  })

  test('lets all fail in turn where no connection can be made', async () => {
    const away = openDatabase({
      connectionString: 'postgresql://nobody@127.0.0.1:1/nothing',
      poolSize: 1,
      onIdleError: () => {},
    })
    const ask = () => away.pool.query('SELECT 1')
    const work = withDeadline(deadlineIn(60_000, { caller: 'a' }), () => [ask(), ask(), ask()])
    expect(away.pool.waitingCount).toBe(2)
    for (const { reason } of (await Promise.allSettled(work)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'ECONNREFUSED' })
    }
    expect(away.pool.waitingCount).toBe(0)
    await away.close()
  })

  test('gives a newcomer nothing before those that wait', async () => {
    const { pool, held, close } = await heldPool(1)
    const served: string[] = []
    const serve = async (who: string) => {
      const client = await pool.connect()
      served.push(who)
      client.release()
    }
    const waiting = serve('who waits')
    held[0]?.release()
    await Promise.all([waiting, serve('newcomer')])
    expect(served).toEqual(['who waits', 'newcomer'])
    await close()
  })
})

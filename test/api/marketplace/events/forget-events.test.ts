import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inSqlTransaction } from '../../../../src/base/database/transaction.ts'
import { forgetOldEvents } from '../../../../src/marketplace/events/forget-events-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type EventReader, newEventReader, positionsOf } from '../../../setup/events.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let reader: EventReader
let appId: string
beforeAll(async () => {
  market = await startMarketplace()
})
beforeEach(async () => {
  reader = await newEventReader(market)
  appId = await reader.newApp()
})
afterAll(() => market.close())

const forget = () => forgetOldEvents(market.deps)

/** Numbered events of which the first ones are so many days old. */
async function writeOld(count: number, old: number, days = 31): Promise<void> {
  await reader.write(appId, count)
  await reader.number()
  await market.deps.pool.query(
    `UPDATE events SET at = now() - $3 * interval '1 day'
     WHERE developer_id = $1 AND position <= $2`,
    [reader.developerId, old, days],
  )
}

const logOf = ({ developerId } = reader) =>
  market.deps.db.eventLog.findUniqueOrThrow({ where: { developerId } })

describe('events older than 30 days', () => {
  test('go, and the younger ones stay', async () => {
    await writeOld(5, 3)
    expect(await forget()).toBe(3)
    expect(positionsOf((await reader.get()).body)).toEqual([4, 5])
    expect(await logOf()).toMatchObject({ position: 5n, forgotten: 3n })
    expect(await forget()).toBe(0)
  })

  test('are judged by the clock of the server, to the millisecond', async () => {
    await writeOld(1, 0)
    const { at } = await market.deps.db.event.findFirstOrThrow({
      where: { developerId: reader.developerId },
    })
    const after = (ms: number) => ({
      pool: market.deps.pool,
      now: () => new Date(at.getTime() + 30 * 86_400_000 + ms),
    })
    await forgetOldEvents(after(0))
    expect(await logOf()).toMatchObject({ forgotten: 0n })
    await forgetOldEvents(after(1))
    expect(await logOf()).toMatchObject({ forgotten: 1n })
  })

  test('stay behind one that is younger: the log is forgotten from its beginning on', async () => {
    await writeOld(5, 5)
    await market.deps.pool.query(
      'UPDATE events SET at = now() WHERE developer_id = $1 AND position = 3',
      [reader.developerId],
    )
    await forget()
    expect(positionsOf((await reader.get()).body)).toEqual([3, 4, 5])
  })

  test('that are left when the server stops go the next time', async () => {
    await writeOld(501, 501)
    const stopping = new AbortController()
    const stopsAfterOne = {
      ...market.deps,
      pool: {
        query: market.deps.pool.query.bind(market.deps.pool),
        async connect() {
          stopping.abort()
          return market.deps.pool.connect()
        },
      } as typeof market.deps.pool,
    }
    expect(await forgetOldEvents(stopsAfterOne, stopping.signal)).toBe(500)
    expect(await forgetOldEvents(market.deps, stopping.signal)).toBe(0)
    expect(await forget()).toBe(1)
  })

  test('stay while they have no position', async () => {
    await writeOld(2, 2)
    await reader.write(appId, 1)
    await market.deps.pool.query(
      `UPDATE events SET at = now() - interval '31 days' WHERE developer_id = $1`,
      [reader.developerId],
    )
    await forget()
    expect(await logOf()).toMatchObject({ position: 2n, forgotten: 2n })
    expect(positionsOf(await reader.read())).toEqual([3])
  })

  test('go in batches, of all developers', async () => {
    const other = await newEventReader(market)
    await writeOld(1_203, 1_202)
    await other.write(await other.newApp(), 1)
    await other.number()
    await market.deps.pool.query(
      `UPDATE events SET at = now() - interval '31 days' WHERE developer_id = $1`,
      [other.developerId],
    )
    expect(await forget()).toBeGreaterThanOrEqual(1_203)
    expect(await logOf()).toMatchObject({ forgotten: 1_202n })
    expect(await logOf(other)).toMatchObject({ forgotten: 1n })
  })

  test('take their deliveries and attempts along', async () => {
    await writeOld(2, 1)
    const { db } = market.deps
    const { developerId } = reader
    const endpoint = await db.webhookEndpoint.create({
      data: {
        ...{
          developerId,
          appId,
          slot: 1,
          url: 'https://receiver.example/',
          secret: Buffer.from('x'),
        },
        ...{ eventTypes: [], headerNames: [] },
      },
    })
    for (const event of await db.event.findMany({ where: { developerId } })) {
      const { id: eventId, type } = event
      const at = new Date()
      await db.webhookDelivery.create({
        data: {
          ...{ endpointId: endpoint.id, eventId, type, position: event.position ?? 0n },
          ...{ status: 'failed', finishedAt: at, dueAt: null },
          log: { create: { number: 1, at, durationMs: 1, outcome: 'failed' } },
        },
      })
    }
    await forget()
    const left = await db.webhookDelivery.findMany({
      where: { endpointId: endpoint.id },
      include: { log: true },
    })
    expect(left.map(({ position, log }) => [position, log.length])).toEqual([[2n, 1]])
  })

  test('stay while another replica is at it', async () => {
    await writeOld(1, 1)
    await inSqlTransaction(market.deps.pool, async (client) => {
      await client.query(`SELECT pg_advisory_xact_lock(hashtext('app-marketplace old events'))`)
      expect(await forget()).toBe(0)
    })
    expect(await forget()).toBe(1)
  })
})

describe('what is forgotten', () => {
  beforeEach(async () => {
    await writeOld(5, 3)
    await forget()
  })

  test('is 410 to who asks for it, with the oldest position', async () => {
    const answer = await reader.get('?after=2')
    expectProblem(answer, 'cursor_expired')
    expect(answer.body.oldestPosition).toBe(4)
    expect(answer.body.detail).toContain('position 4')
    expectProblem(await reader.get('?after=0'), 'cursor_expired')
  })

  test('is not in the way of who asks for what follows, or for all there is', async () => {
    expect(positionsOf((await reader.get('?after=3')).body)).toEqual([4, 5])
    expect(positionsOf((await reader.get()).body)).toEqual([4, 5])
    expect(positionsOf((await reader.get('?consumer=new')).body)).toEqual([4, 5])
  })

  test('is 410 to a consumer that has not acknowledged it, until it is moved', async () => {
    const { developerId } = reader
    await market.deps.db.eventConsumer.create({ data: { developerId, name: 'late', position: 1 } })
    const answer = await reader.get('?consumer=late')
    expectProblem(answer, 'cursor_expired')
    expect(answer.body.oldestPosition).toBe(4)
    expectProblem(await reader.move('late', 2), 'cursor_expired')
    expect((await reader.move('late', 3)).status).toBe(200)
    expect(positionsOf((await reader.get('?consumer=late')).body)).toEqual([4, 5])
  })

  test('is given to nobody again: positions go on', async () => {
    await reader.write(appId, 1)
    expect(positionsOf(await reader.read('?after=5'))).toEqual([6])
  })
})

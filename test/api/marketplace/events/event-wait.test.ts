import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Deadline,
  deadlineIn,
  withDeadline,
} from '../../../../src/base/fair-share/deadline.ts'
import { createEventWaits } from '../../../../src/marketplace/events/event-waits-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import {
  type EventReader,
  newEventReader,
  nextOf,
  positionsOf,
  upTo,
} from '../../../setup/events.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { missing, sabotaged } from '../../../setup/sabotage.ts'
import { noteStatements } from '../../../setup/statements.ts'
import { untilWaiting } from '../../../setup/turns.ts'

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

/** Until so many requests wait: from then on an event wakes them. */
const waiting = (count: number, { deps } = market) =>
  expect.poll(() => deps.eventWaits.waiting()).toBe(count)

async function write(count = 1): Promise<void> {
  await reader.write(appId, count)
  await reader.number()
}

describe('a request that waits', () => {
  test('is answered at once when there is something', async () => {
    await write(2)
    expect(positionsOf((await reader.get('?wait=20')).body)).toEqual([1, 2])
    expect(positionsOf((await reader.get('?wait=20&after=1')).body)).toEqual([2])
  })

  test('is answered with the event that comes', async () => {
    const answer = reader.get('?wait=20')
    await waiting(1)
    await write()
    expect(positionsOf((await answer).body)).toEqual([1])
    expect(nextOf(await answer)).toContain('after=1')
    await waiting(0)
  })

  test('as a consumer is answered with the event after what was acknowledged', async () => {
    await write(2)
    await reader.move('erp', 2)
    const answer = reader.get('?wait=20&consumer=erp')
    await waiting(1)
    await write()
    expect(positionsOf((await answer).body)).toEqual([3])
  })

  test('is answered with nothing when the time is over', async () => {
    const answer = await reader.get('?wait=1')
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: [] })
    expect(nextOf(answer)).toContain('after=0')
  })

  test('waits on when what comes does not fit its filters, and does not read it again', async () => {
    const answer = reader.get('?wait=20&type=app.unlisted')
    await waiting(1)
    const statements = noteStatements(market.deps.pool)
    await write()
    const read = () => statements.take().filter(({ text }) => text.includes('FROM event_logs l'))
    await expect.poll(() => read().map(({ values }) => values[1])).toEqual([0])
    await waiting(1)
    await reader.developer.list(appId)
    await reader.developer.unlist(appId)
    await reader.number()
    expect(positionsOf((await answer).body)).toEqual([3])
  })

  test('waits on while the database answers with an error', async () => {
    const answer = reader.get('?wait=20')
    await waiting(1)
    const statements = noteStatements(market.deps.pool)
    let looks = 0
    await sabotaged(market, missing('event_logs'), () =>
      expect
        .poll(() => {
          looks += statements.take().filter(({ text }) => text.includes('FROM event_logs')).length
          return looks
        })
        .toBeGreaterThan(1),
    )
    await write()
    expect(positionsOf((await answer).body)).toEqual([1])
  })

  test("is not woken by another developer's events", async () => {
    const other = await newEventReader(market)
    const otherApp = await other.newApp()
    const answer = reader.get('?wait=20')
    await waiting(1)
    await other.write(otherApp, 1)
    await other.number()
    const statements = noteStatements(market.deps.pool)
    const sent: string[] = []
    const looks = () => {
      sent.push(...statements.take().map(({ text }) => text))
      return sent.filter((text) => /^SELECT developer_id, position FROM event_logs/.test(text))
    }
    // The second look begins when the first has ended, which saw the other's event.
    await expect.poll(() => looks().length).toBeGreaterThan(1)
    expect(sent.filter((text) => text.includes('FROM event_logs l'))).toEqual([])
    await write()
    expect(positionsOf((await answer).body)).toEqual([1])
  })

  test('frees its place when the client goes away', async () => {
    for (let repeat = 0; repeat < 2; repeat++) {
      const client = new AbortController()
      const headers = { authorization: `Bearer ${reader.token}` }
      const requests = upTo(4).map(() =>
        fetch(`${market.url}/v1/Developer/Events?wait=20`, { headers, signal: client.signal }),
      )
      await waiting(4)
      client.abort()
      await Promise.allSettled(requests)
      await waiting(0)
    }
  })

  test('takes no place for a client that has gone while its token was checked', async () => {
    const { port } = new URL(market.url)
    const closed = new Promise((resolve) =>
      market.app.server.once('connection', (socket) => socket.once('close', resolve)),
    )
    const holder = await market.deps.pool.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE developers IN ACCESS EXCLUSIVE MODE')
    const socket = connect(Number(port), '127.0.0.1')
    const authorization = `authorization: Bearer ${reader.token}`
    socket.write(`GET /v1/Developer/Events?wait=20 HTTP/1.1\r\nhost: x\r\n${authorization}\r\n\r\n`)
    await untilWaiting(market, 1)
    socket.destroy()
    await closed
    await holder.query('COMMIT')
    holder.release()
    expect((await reader.get('?wait=1')).body).toEqual([])
    expect(market.deps.eventWaits.waiting()).toBe(0)
  })

  test('holds no connection of the database meanwhile', async () => {
    const readers = []
    for (const _ of upTo(3)) readers.push(await newEventReader(market))
    const answers = readers.flatMap(({ get }) => upTo(4).map(() => get('?wait=20')))
    // More than the database has connections for.
    await waiting(12)
    const { pool } = market.deps
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
    for (const one of readers) {
      await one.write(appId, 1)
      await one.number()
    }
    for (const { body } of await Promise.all(answers)) expect(positionsOf(body)).toEqual([1])
  })

  test('is refused when its credential was removed meanwhile', async () => {
    const answer = reader.get('?wait=20')
    await waiting(1)
    await market.deps.db.developerCredential.updateMany({
      where: { developerId: reader.developerId },
      data: { removedAt: new Date(), slot: null },
    })
    await write()
    expectProblem(await answer, 'invalid_token')
  })
})

describe('more than four requests of one developer', () => {
  test('do not wait at the same time; who finds something needs no place', async () => {
    await write(3)
    const answers = upTo(4).map(() => reader.get('?wait=20&after=3'))
    await waiting(4)
    const fifth = await reader.get('?wait=20&after=3')
    expectProblem(fifth, 'too_many_requests')
    expect(fifth.headers.get('retry-after')).toBe('1')
    expect(positionsOf((await reader.get('?wait=20')).body)).toEqual([1, 2, 3])
    expect((await reader.get('?after=3')).body).toEqual([])
    const other = await newEventReader(market)
    const beside = other.get('?wait=20')
    await waiting(5)
    await write()
    for (const { body } of await Promise.all(answers)) expect(positionsOf(body)).toEqual([4])
    await other.write(appId, 1)
    await other.number()
    expect(positionsOf((await beside).body)).toEqual([1])
  })
})

describe('the places of a process', () => {
  test('are 1,000; one that is left can be taken again', () => {
    const waits = createEventWaits(market.deps.pool)
    const places = upTo(1_000).map((number) => waits.take(`developer ${number % 250}`))
    const takeOne = () => waits.take('one more')
    expect(takeOne).toThrow(expect.objectContaining({ code: 'unavailable' }))
    places[0]?.leave()
    expect(takeOne).not.toThrow()
    expect(takeOne).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })

  test('do not count the time of a wait towards the deadline of the request', async () => {
    const waits = createEventWaits(market.deps.pool)
    const deadline: Deadline = deadlineIn(1)
    const before = deadline.atMs
    const woken = await withDeadline(deadline, () =>
      waits.take(reader.developerId).until(0, 50, new AbortController().signal),
    )
    expect(woken).toBe(false)
    expect(deadline.atMs).toBeGreaterThan(before)
  })
})

describe('the end of the process', () => {
  test('ends all waits at once, with what there is', async () => {
    const ending = await startMarketplace()
    try {
      const one = await newEventReader(ending)
      const answers = upTo(3).map(() => one.get('?wait=20'))
      await waiting(3, ending)
      const closing = ending.app.close()
      for (const { status, body } of await Promise.all(answers)) {
        expect({ status, body }).toEqual({ status: 200, body: [] })
      }
      // What the client keeps open for further requests.
      ending.app.server.closeAllConnections()
      await closing
    } finally {
      await ending.close()
    }
  })
})

test('the document tells of the wait in whole seconds up to 20', async () => {
  const { body } = await call(market, 'GET', '/openapi.json')
  const { parameters } = body.paths['/v1/Developer/Events'].get
  const wait = parameters.find(({ name }: { name: string }) => name === 'wait')
  expect(wait.schema).toMatchObject({ type: 'integer', minimum: 0, maximum: 20 })
})

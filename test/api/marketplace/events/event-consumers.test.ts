import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  type EventReader,
  newEventReader,
  nextOf,
  positionsOf,
  upTo,
} from '../../../setup/events.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let reader: EventReader
let appId: string
beforeAll(async () => {
  market = await startMarketplace()
})
beforeEach(async () => {
  reader = await newEventReader(market)
  appId = await reader.newApp()
  await reader.write(appId, 5)
  await reader.number()
})
afterAll(() => market.close())

const auditOf = ({ developerId }: EventReader) =>
  market.deps.db.auditEvent.findMany({
    where: { developerId, subjectKind: 'event_consumer' },
    select: { action: true, subjectId: true, before: true, after: true },
    orderBy: { id: 'asc' },
  })

describe('a consumer', () => {
  test('without a place begins with the oldest event', async () => {
    expect(positionsOf((await reader.get('?consumer=erp')).body)).toEqual(upTo(5))
    expect((await reader.consumers()).body).toEqual([])
  })

  test('begins after what it has acknowledged, and reading moves nothing', async () => {
    await reader.move('erp', 3)
    for (let repeat = 0; repeat < 2; repeat++) {
      const answer = await reader.get('?consumer=erp')
      expect(positionsOf(answer.body)).toEqual([4, 5])
      expect(nextOf(answer)).toContain('after=5')
    }
    expect((await reader.consumers()).body).toMatchObject([{ name: 'erp', position: 3, behind: 2 }])
  })

  test('is made by the first acknowledgement and moved by the next', async () => {
    const made = await reader.move('erp', 2)
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      name: 'erp',
      position: 2,
      behind: 3,
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const moved = await reader.move('erp', 5)
    expect(moved.status).toBe(200)
    expect(moved.body).toMatchObject({ position: 5, behind: 0 })
  })

  test('can go back: the events come again', async () => {
    await reader.move('erp', 5)
    expect((await reader.move('erp', 1)).status).toBe(200)
    expect(positionsOf((await reader.get('?consumer=erp')).body)).toEqual([2, 3, 4, 5])
    expect((await reader.move('erp', 0)).body).toMatchObject({ position: 0, behind: 5 })
  })

  test('cannot be ahead of the log', async () => {
    const answer = await reader.move('erp', 6)
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/position'])
    expect((await reader.consumers()).body).toEqual([])
  })

  test('that is removed begins with the oldest event again', async () => {
    await reader.move('erp', 5)
    expect((await reader.remove('erp')).status).toBe(204)
    expect(positionsOf((await reader.get('?consumer=erp')).body)).toEqual(upTo(5))
    expectProblem(await reader.remove('erp'), 'not_found')
  })

  test('is nobody else’s', async () => {
    await reader.move('erp', 5)
    const other = await newEventReader(market)
    expect((await other.consumers()).body).toEqual([])
    expectProblem(await other.remove('erp'), 'not_found')
    expect((await other.move('erp', 0)).status).toBe(201)
    expect((await reader.consumers()).body).toMatchObject([{ position: 5 }])
    expect((await other.remove('erp')).status).toBe(204)
    expect((await reader.consumers()).body).toMatchObject([{ position: 5 }])
  })
})

describe('consumers', () => {
  test('are listed by name', async () => {
    for (const name of ['b', 'a.1', 'a-2', 'a_3']) await reader.move(name, 0)
    const names = (await reader.consumers()).body.map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['a-2', 'a.1', 'a_3', 'b'])
  })

  test.each(['ERP', 'a b', 'ä', 'x'.repeat(65), 'a/b', '%F0%9F%98%80'])(
    'have no such name: %s',
    async (name) => {
      expectProblem(await reader.move(encodeURIComponent(name), 0), 'unprocessable')
      expectProblem(await reader.remove(encodeURIComponent(name)), 'not_found')
    },
  )

  test.each(['.', '..', 'ERP'])('have no such name for a reader of the log: %s', async (name) => {
    expectProblem(await reader.get(`?consumer=${name}`), 'invalid_request')
  })

  test.each(['a%00b', '%ED%A0%80', '%'])('have no name that cannot be read: %s', async (name) => {
    expect([400, 404]).toContain((await reader.move(name, 0)).status)
  })

  test.each([
    [-1, 'unprocessable'],
    [1.5, 'invalid_request'],
    ['1', 'invalid_request'],
    [null, 'invalid_request'],
    [undefined, 'invalid_request'],
    [1e300, 'unprocessable'],
  ] as const)('have no such position: %s', async (position, code) => {
    const answer = await reader.move('erp', position)
    expectProblem(answer, code)
    expect(pointersOf(answer)).toEqual(['/position'])
  })

  test('are at most 100, however many are made at once', async () => {
    const { developerId } = reader
    await market.deps.db.eventConsumer.createMany({
      data: upTo(97).map((number) => ({ developerId, name: `c${number}`, position: 0 })),
    })
    const names = upTo(8).map((number) => `new-${number}`)
    const answers = await Promise.all(names.map((name) => reader.move(name, 0)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 201, 422, 422, 422, 422, 422])
    expect((await reader.consumers()).body).toHaveLength(100)
    expect((await reader.move('c1', 5)).status).toBe(200)
  })

  test('that are moved by several at once end where one of them put them', async () => {
    const positions = [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]
    const answers = await Promise.all(positions.map((position) => reader.move('erp', position)))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 200 && status !== 201)).toEqual([])
    const [consumer] = (await reader.consumers()).body
    expect(positions).toContain(consumer.position)
  })

  test('that several make at once are made once', async () => {
    const answers = await Promise.all(upTo(8).map(() => reader.move('erp', 5)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    const actions = (await auditOf(reader)).map(({ action }) => action)
    expect(actions).toEqual(['event_consumer.created'])
  })
})

describe('the audit trail', () => {
  test('tells who made, moved back and removed a consumer, and not each step forward or repetition', async () => {
    for (const position of [1, 3, 5, 5, 2]) await reader.move('erp', position)
    await reader.remove('erp')
    const rest = { subjectId: 'erp' }
    expect(await auditOf(reader)).toEqual([
      { ...rest, action: 'event_consumer.created', before: null, after: { position: 1 } },
      {
        ...rest,
        action: 'event_consumer.moved_back',
        before: { position: 5 },
        after: { position: 2 },
      },
      { ...rest, action: 'event_consumer.removed', before: { position: 2 }, after: null },
    ])
  })
})

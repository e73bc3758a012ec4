import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NO_DEADLINE, withDeadline } from '../../../../src/base/fair-share/deadline.ts'
import { awaitEvents } from '../../../../src/marketplace/events/event-log-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, demoInstallation } from '../../../setup/client.ts'
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
})
afterAll(() => market.close())

describe('the log', () => {
  test('is empty before anything has happened, and says where to go on', async () => {
    const answer = await reader.get()
    expect(answer.body).toEqual([])
    expect(nextOf(answer)).toBe(`${market.url}/v1/Developer/Events?after=0`)
  })

  test('tells events oldest first, with positions 1, 2, 3, ...', async () => {
    await reader.developer.list(appId)
    await reader.developer.unlist(appId)
    await reader.developer.list(appId)
    const events = await reader.read()
    expect(events.map((one: { type: string }) => one.type)).toEqual([
      'app.listed',
      'app.unlisted',
      'app.listed',
    ])
    expect(positionsOf(events)).toEqual([1, 2, 3])
  })

  test('tells an event exactly as it is, byte by byte the same each time', async () => {
    await reader.developer.list(appId)
    const [event] = await reader.read()
    const row = await market.deps.db.event.findUniqueOrThrow({ where: { id: event.id } })
    const { text } = await reader.get()
    const url = `${market.url}/v1/Developer/Apps/${appId}`
    const timestamp = row.at.toISOString()
    const { id } = row
    expect(text).toBe(
      JSON.stringify([{ id, type: 'app.listed', timestamp, position: 1, data: { appId, url } }]),
    )
    expect((await reader.get('?limit=1')).text).toBe(text)
  })

  test('leads to records that exist', async () => {
    await reader.developer.list(appId)
    const [{ data }] = await reader.read()
    const { pathname } = new URL(data.url)
    const { status, body } = await call(market, 'GET', pathname, { token: reader.token })
    expect({ status, id: body.id }).toEqual({ status: 200, id: appId })
  })

  test('does not tell an event that has no position yet', async () => {
    await reader.developer.list(appId)
    await reader.number()
    await reader.developer.unlist(appId)
    const answer = await reader.get()
    expect(positionsOf(answer.body)).toEqual([1])
    expect(nextOf(answer)).toContain('after=1')
  })

  test("is each developer's own, with positions of its own", async () => {
    const other = await newEventReader(market)
    const otherApp = await other.newApp()
    await reader.write(appId, 3)
    await other.write(otherApp, 2)
    const [own, others] = [await reader.read(), await other.read()]
    expect(positionsOf(own)).toEqual([1, 2, 3])
    expect(positionsOf(others)).toEqual([1, 2])
    expect(own.every(({ data }: { data: object }) => 'appId' in data && data.appId === appId)).toBe(
      true,
    )
  })

  test('is not stored by anybody on the way', async () => {
    const { headers } = await reader.get()
    expect(headers.get('cache-control')).toContain('no-store')
  })
})

describe('pages', () => {
  test('follow each other without gap or repetition, the last one leads to what comes', async () => {
    await reader.write(appId, 25)
    await reader.number()
    const seen: number[] = []
    let answer = await reader.get('?limit=10')
    while (answer.body.length > 0) {
      seen.push(...positionsOf(answer.body))
      answer = await reader.follow(answer)
    }
    expect(seen).toEqual(upTo(25))
    expect(nextOf(answer)).toContain('after=25')
    await reader.write(appId, 1)
    await reader.number()
    expect(positionsOf((await reader.follow(answer)).body)).toEqual([26])
  })

  test('keep their filters in the link, and the consumer becomes a position', async () => {
    await reader.write(appId, 3)
    await reader.number()
    const query = `?consumer=erp&appId=${appId}&type=app.listed&type=app.unlisted&limit=2`
    const { searchParams } = new URL(nextOf(await reader.get(query)))
    expect([...searchParams].sort()).toEqual([
      ['after', '2'],
      ['appId', appId],
      ['limit', '2'],
      ['type', 'app.listed'],
      ['type', 'app.unlisted'],
    ])
  })

  test('that are not full lead to the end of the log, past what the filters leave out', async () => {
    const another = await reader.newApp()
    await reader.write(appId, 2)
    await reader.write(another, 50)
    await reader.number()
    const answer = await reader.get(`?appId=${appId}&limit=10`)
    expect(positionsOf(answer.body)).toEqual([1, 2])
    expect(nextOf(answer)).toContain('after=52')
  })
})

describe('filters', () => {
  test('by app, by type and by several types', async () => {
    const another = await reader.newApp()
    await reader.developer.list(appId)
    await reader.developer.list(another)
    await reader.developer.unlist(appId)
    expect(positionsOf(await reader.read(`?appId=${appId}`))).toEqual([1, 3])
    expect(positionsOf(await reader.read('?type=app.listed'))).toEqual([1, 2])
    expect(positionsOf(await reader.read('?type=app.unlisted'))).toEqual([3])
    expect(positionsOf(await reader.read('?type=app.listed&type=app.unlisted'))).toEqual([1, 2, 3])
    expect(positionsOf(await reader.read(`?appId=${appId}&type=app.listed`))).toEqual([1])
  })

  test('by installation, however its id is written', async () => {
    const sandbox = async () =>
      (await reader.developer.send('POST', `/${appId}/Sandbox`)).body.id as string
    const first = await sandbox()
    const second = await sandbox()
    await reader.installations.suspend(second)
    const typesOf = async (id: string) =>
      (await reader.read(`?installationId=${id}`)).map(({ type }: { type: string }) => type)
    // The sandbox has one installation at a time.
    expect(await typesOf(first)).toEqual(['installation.created', 'installation.deleted'])
    expect(await typesOf(second.toUpperCase())).toEqual([
      'installation.created',
      'installation.suspended',
    ])
  })

  test("find nothing of another developer's app or installation", async () => {
    await reader.write(appId, 1)
    const foreign = demoInstallation(market, 'price-sync', 'Seller')
    expect(await reader.read(`?appId=${foreign.appId}`)).toEqual([])
    expect(await reader.read(`?installationId=${foreign.id}`)).toEqual([])
    expect(await reader.read('?appId=no-such-app')).toEqual([])
    expect(await reader.read(`?installationId=${randomUUID()}`)).toEqual([])
  })
})

describe('a query', () => {
  test.each([
    ['after=x', '/after'],
    ['after=-1', '/after'],
    ['after=1.5', '/after'],
    ['after=1&after=2', '/after'],
    ['after=9007199254740993', '/after'],
    ['after=99999999999999999999999', '/after'],
    ['after=0&consumer=erp', '/consumer'],
    ['consumer=ERP', '/consumer'],
    ['consumer=', '/consumer'],
    [`consumer=${'x'.repeat(65)}`, '/consumer'],
    ['type=app.deleted', '/type/0'],
    ['type=app.listed,app.unlisted', '/type/0'],
    ['type=', '/type/0'],
    ['wait=21', '/wait'],
    ['wait=-1', '/wait'],
    ['wait=1.5', '/wait'],
    ['limit=0', '/limit'],
    ['limit=1001', '/limit'],
    ['installationId=x', '/installationId'],
    ['appId=a%00b', '/appId'],
    ['cursor=x', '/cursor'],
  ])('%s is malformed', async (query, pointer) => {
    const answer = await reader.get(`?${query}`)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test('with a position that the log has not reached is refused', async () => {
    await reader.write(appId, 2)
    await reader.number()
    expect((await reader.get('?after=2')).body).toEqual([])
    const answer = await reader.get('?after=3')
    expectProblem(answer, 'invalid_cursor')
    expect(pointersOf(answer)).toEqual(['/after'])
    const beginner = await newEventReader(market)
    expectProblem(await beginner.get('?after=1'), 'invalid_cursor')
  })
})

describe('a page of long events', () => {
  /** Writes events that name a hundred settings each. */
  const writeLong = (count: number) =>
    market.deps.pool.query(
      `INSERT INTO events (developer_id, app_id, type, data)
       SELECT $1, $2, 'app.listed', jsonb_build_object('keys',
         (SELECT jsonb_agg(repeat(md5(key::text), 2)) FROM generate_series(1, 100) AS key))
       FROM generate_series(1, $3::int)`,
      [reader.developerId, appId, count],
    )

  test('has at most about 1 MiB, and leads to the rest without a gap', async () => {
    await writeLong(300)
    await reader.write(appId, 5)
    await reader.number()
    const positions: number[] = []
    let answer = await reader.get('?limit=1000')
    while (answer.body.length > 0) {
      expect(answer.text.length).toBeLessThan(1.1 * 1024 * 1024)
      positions.push(...positionsOf(answer.body))
      answer = await reader.follow(answer)
    }
    expect(positions).toEqual(upTo(305))
    expect(nextOf(answer)).toContain('after=305')
  })

  test('counts towards what its reader has in memory while it waits for its turn', async () => {
    await writeLong(150)
    await reader.number()
    const held: number[] = []
    const deadline = { ...NO_DEADLINE, hold: (bytes: number) => held.push(bytes) }
    const asked = { developerId: reader.developerId, limit: 1000 }
    const { signal } = new AbortController()
    const { page } = await withDeadline(deadline, () =>
      awaitEvents(market.deps, asked, { ms: 0, signal }),
    )
    expect(held).toHaveLength(1)
    expect(held[0]).toBeGreaterThan(page.events.join('').length * 0.8)
  })

  test('with a filter does not pass over those that it has no room for', async () => {
    await writeLong(250)
    await reader.number()
    const first = await reader.get('?limit=1000&type=app.listed')
    expect(first.body.length).toBeLessThan(250)
    const second = await reader.follow(first)
    expect(positionsOf([...first.body, ...second.body])).toEqual(upTo(250))
  })
})

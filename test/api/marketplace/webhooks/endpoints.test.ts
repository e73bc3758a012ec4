import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { appWithWebhooks, RECEIVER, setHealth } from '../../../setup/webhooks.ts'

let market: SharedMarketplace
let developer: Author
let app: Awaited<ReturnType<typeof appWithWebhooks>>
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  app = await appWithWebhooks(developer)
})

const created = async (body: object = {}) => {
  const answer = await app.create(body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const remove = (id: string) => app.send('DELETE', `/${id}`)

describe('creating', () => {
  test('returns the whole record with its secret and its address, not to be cached', async () => {
    const answer = await app.create({
      events: ['installation.deleted', 'installation.created'],
      ordered: true,
      headers: { Authorization: 'Bearer s3cr3t-header', 'x-tenant': '7' },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      appId: app.appId,
      url: RECEIVER,
      events: ['installation.deleted', 'installation.created'],
      ordered: true,
      headerNames: ['Authorization', 'x-tenant'],
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      health: 'untried',
      failingSince: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      lastFailure: null,
      pendingDeliveries: 0,
      secretRotatesUntil: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(answer.headers.get('etag')).toBe('"1"')
    const { secret: _secret, ...record } = answer.body
    const location = `/v1/Developer/Apps/${app.appId}/Webhooks/${record.id}`
    expect(answer.headers.get('location')).toBe(location)
    const read = await app.read(record.id)
    expect(read.body).toEqual(record)
    expect(read.headers.get('etag')).toBe('"1"')
    await remove(record.id)
  })

  test('with nothing but a URL sends all types, without order', async () => {
    const { id, events, ordered, headerNames } = await created()
    expect({ events, ordered, headerNames }).toEqual({
      events: [],
      ordered: false,
      headerNames: [],
    })
    await remove(id)
  })

  test.each([
    [{ url: 'http://hooks.example.com' }, '/url'],
    [{ url: 'https://127.0.0.1/' }, '/url'],
    [{ url: 'https://u:p@hooks.example.com/' }, '/url'],
    [{ url: 'x' }, '/url'],
    [{ events: ['installation.created', 'installation.created'] }, '/events'],
    [{ events: ['installation.exploded'] }, '/events/0'],
    [{ headers: { 'webhook-id': '1' } }, '/headers/webhook-id'],
    [{ headers: { a: 'x\r\ny: 1' } }, '/headers/a'],
  ])('of %j breaks a rule', async (body, pointer) => {
    const answer = await app.create(body)
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test.each([
    [{ ordered: 'yes' }, '/ordered'],
    [{ events: 'installation.created' }, '/events'],
    [{ secret: 'whsec_mine' }, '/secret'],
    [{ url: null }, '/url'],
    [{ headers: null }, '/headers'],
  ])('of %j is malformed', async (body, pointer) => {
    const answer = await app.create(body)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test('with very many types that do not exist gives one problem, in creating and in changing', async () => {
    const tooMany = { events: Array.from({ length: 90_000 }, () => 'x') }
    const { id } = await created()
    for (const answer of [await app.create(tooMany), await app.send('PATCH', `/${id}`, tooMany)]) {
      expectProblem(answer, 'unprocessable')
      expect(answer.body.errors).toEqual([
        { pointer: '/events', detail: 'must have at most 16 types' },
      ])
    }
    await remove(id)
  })

  test('for an app that is deleted or somebody else’s is not found', async () => {
    const other = await appWithWebhooks(await author(market, 1))
    expectProblem(
      await developer.send('POST', `/${other.appId}/Webhooks`, { url: RECEIVER }),
      'not_found',
    )
    const gone = await appWithWebhooks(developer)
    expect((await developer.remove(gone.appId)).status).toBe(204)
    expectProblem(await gone.create(), 'not_found')
    expectProblem(await gone.send('GET', ''), 'not_found')
  })

  test('20 at once creates 16 and tells the others that there are 16', async () => {
    const own = await appWithWebhooks(developer)
    const answers = await Promise.all(Array.from({ length: 20 }, () => own.create()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(16)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectProblem(answer, 'conflict')
      expect(answer.body.detail).toMatch(/at most 16/)
    }
    const [first] = (await own.send('GET', '')).body
    await own.send('DELETE', `/${first.id}`)
    expect((await own.create()).status).toBe(201)
  })
})

describe('listing', () => {
  test('goes page by page, oldest first, without secrets', async () => {
    const own = await appWithWebhooks(developer)
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.push((await own.create()).body.id)
    const first = await own.send('GET', '?limit=2')
    const [, cursor] = /cursor=([\w-]+)/.exec(first.headers.get('link') ?? '') ?? []
    const second = await own.send('GET', `?limit=2&cursor=${cursor}`)
    expect(second.headers.get('link')).toBeNull()
    const all = [...first.body, ...second.body]
    expect(all.map(({ id }) => id)).toEqual(ids)
    expect(first.text + second.text).not.toMatch(/whsec_|secret"/)
    expectProblem(await app.send('GET', `?limit=2&cursor=${cursor}`), 'invalid_cursor')
  })
})

describe('changing', () => {
  test('changes the named members only', async () => {
    const { id } = await created({ events: ['app.listed'], headers: { a: '1' } })
    const answer = await app.patch(id, { ordered: true })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toBe('"2"')
    expect(answer.body).toMatchObject({
      url: RECEIVER,
      events: ['app.listed'],
      ordered: true,
      headerNames: ['a'],
    })
    expect((await app.patch(id, { events: [] })).body.events).toEqual([])
    await remove(id)
  })

  test('to the same values changes nothing', async () => {
    const { id, updatedAt } = await created({ headers: { a: '1' } })
    for (const same of [{}, { url: RECEIVER }, { events: [] }, { headers: { a: '1' } }]) {
      const answer = await app.patch(id, same)
      expect(answer.headers.get('etag')).toBe('"1"')
      expect(answer.body.updatedAt).toBe(updatedAt)
    }
    const actions = await market.deps.db.auditEvent.findMany({ where: { subjectId: id } })
    expect(actions.map(({ action }) => action)).toEqual(['webhook.created'])
    await remove(id)
  })

  test('sets and removes single headers, whatever their case, or all', async () => {
    const { id } = await created({ headers: { A: '1', b: '2' } })
    const names = async (headers: unknown) => (await app.patch(id, { headers })).body.headerNames
    expect(await names({ c: '3', a: null })).toEqual(['b', 'c'])
    expect(await names({ B: '4' })).toEqual(['c', 'B'])
    expect(await names({})).toEqual(['c', 'B'])
    expect(await names(null)).toEqual([])
    await remove(id)
  })

  test.each([
    [{ host: 'x' }, '/headers/host'],
    [Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`h${n}`, 'x'])), '/headers'],
  ])('to headers %j breaks a rule', async (headers, pointer) => {
    const { id } = await created()
    const answer = await app.patch(id, { headers })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual([pointer])
    await remove(id)
  })

  test('to a URL that is refused breaks a rule, and to a name that is not there is malformed', async () => {
    const { id } = await created()
    expectProblem(await app.patch(id, { url: 'https://localhost' }), 'unprocessable')
    expectProblem(await app.patch(id, { status: 'disabled' }), 'invalid_request')
    expectProblem(await app.patch(id, { url: null }), 'invalid_request')
    await remove(id)
  })

  test('insists on the revision that If-Match names', async () => {
    const { id } = await created()
    const ifMatch = (tag: string) => app.patch(id, { ordered: tag === '"1"' }, { 'if-match': tag })
    expectProblem(await ifMatch('"7"'), 'precondition_failed')
    expect((await ifMatch('"1"')).status).toBe(200)
    expectProblem(await ifMatch('"1"'), 'precondition_failed')
    await remove(id)
  })

  test('the URL resets the health of the endpoint', async () => {
    const { id } = await created()
    const failingSince = new Date('2026-11-20T00:00:00Z')
    const restingUntil = new Date('2026-12-20T00:00:00Z')
    const lastSuccessAt = new Date('2026-11-19T00:00:00Z')
    const sinceThen = { failures: 40, restingUntil, noticedPercent: 70, slow: true }
    await setHealth(market, id, { failingSince, lastSuccessAt, ...sinceThen })
    expect((await app.patch(id, { ordered: true })).body).toMatchObject({
      health: 'failing',
      failingSince: failingSince.toISOString(),
    })
    expect((await app.patch(id, { url: `${RECEIVER}/2` })).body).toMatchObject({
      health: 'untried',
      failingSince: null,
      lastSuccessAt: null,
    })
    const stored = await market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    expect(stored).toMatchObject({
      ...{ failures: 0, noticedPercent: 0, restingUntil: null, slow: false },
    })
    await remove(id)
  })

  test('8 at once loses none', async () => {
    const { id } = await created()
    const patches = Array.from({ length: 8 }, (_, n) =>
      app.patch(id, { headers: { [`h${n}`]: 'x' } }),
    )
    for (const { status } of await Promise.all(patches)) expect(status).toBe(200)
    expect((await app.read(id)).body.headerNames).toHaveLength(8)
    await remove(id)
  })
})

describe('deleting', () => {
  test('is final', async () => {
    const { id } = await created()
    expect((await remove(id)).status).toBe(204)
    expectProblem(await remove(id), 'not_found')
    expectProblem(await app.read(id), 'not_found')
  })

  test('the app deletes its endpoints', async () => {
    const own = await appWithWebhooks(developer)
    const { body } = await own.create()
    expect((await developer.remove(own.appId)).status).toBe(204)
    const { db } = market.deps
    expect(await db.webhookEndpoint.count({ where: { id: body.id } })).toBe(0)
  })
})

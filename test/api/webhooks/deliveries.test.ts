import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import { type Customer, newCustomer } from '../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../setup/expect-problem.ts'
import { appWithWebhooks, layOut, setDelivery, storedDeliveries } from '../../setup/webhooks.ts'

let market: TestMarketplace
let developer: Author
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let customer: Customer
let endpointId: string
let installationId: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  app = await appWithWebhooks(developer)
  await layOut(market, app.appId)
  endpointId = (await app.create()).body.id
  customer = await newCustomer(market)
  await developer.unlist(app.appId)
  await developer.list(app.appId)
  const installed = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
  installationId = installed.body.id
  await app.send('POST', `/${endpointId}/Test`)
  await layOut(market, app.appId)
  const [first, second, third] = await storedDeliveries(market, endpointId)
  await setDelivery(market, first?.id ?? '', {
    status: 'succeeded',
    attempts: [
      { outcome: 'failed', status: 503, reason: 'status', response: 'Busy <b>' },
      { outcome: 'succeeded', status: 204, response: '' },
    ],
  })
  await setDelivery(market, second?.id ?? '', {
    attempts: [{ outcome: 'failed', reason: 'connect_timeout' }],
  })
  await setDelivery(market, third?.id ?? '', { status: 'pending' })
})
afterAll(() => market.close())

const list = (query = '') => app.send('GET', `/${endpointId}/Deliveries${query}`)
const typesOf = async (query: string) =>
  (await list(query)).body.map(({ type }: { type: string }) => type)

describe('the list', () => {
  test('has the newest event first, each with its last attempt', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.map(({ type }: { type: string }) => type)).toEqual([
      'webhook.test',
      'installation.created',
      'app.listed',
      'app.unlisted',
    ])
    expect(body[1]).toEqual({
      id: expect.any(String),
      eventId: expect.any(String),
      type: 'installation.created',
      timestamp: expect.any(String),
      position: body[2].position + 1,
      installationId,
      status: 'pending',
      attemptCount: 0,
      dueAt: expect.any(String),
      createdAt: expect.any(String),
      finishedAt: null,
      lastAttempt: null,
    })
    expect(body[3]).toMatchObject({
      installationId: null,
      status: 'succeeded',
      attemptCount: 2,
      dueAt: null,
      finishedAt: expect.any(String),
      lastAttempt: {
        number: 2,
        at: expect.any(String),
        durationMs: 12,
        outcome: 'succeeded',
        status: 204,
        reason: null,
      },
    })
    expect(body[2].lastAttempt).toMatchObject({
      status: null,
      reason: { code: 'connect_timeout', detail: expect.any(String) },
    })
  })

  test('filters by status, type, installation and time', async () => {
    expect(await typesOf('?status=failed')).toEqual(['app.listed'])
    expect(await typesOf('?status=pending')).toEqual(['webhook.test', 'installation.created'])
    expect(await typesOf('?type=app.unlisted')).toEqual(['app.unlisted'])
    expect(await typesOf(`?installationId=${installationId}`)).toEqual(['installation.created'])
    expect(await typesOf(`?installationId=${installationId}&status=failed`)).toEqual([])
    expect(await typesOf('?since=2020-01-01T00:00:00Z')).toHaveLength(4)
    expect(await typesOf('?since=2099-01-01T00:00:00Z')).toEqual([])
  })

  test.each([
    ['?status=lost', '/status'],
    ['?type=app.exploded', '/type'],
    ['?installationId=7', '/installationId'],
    ['?since=yesterday', '/since'],
    ['?nonsense=1', '/nonsense'],
  ])('refuses %s', async (query, pointer) => {
    const answer = await list(query)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test('goes page by page, each delivery once, while new ones come', async () => {
    const seen: number[] = []
    let query: string | undefined = '?limit=1'
    while (query !== undefined) {
      const answer = await list(query)
      seen.push(...answer.body.map(({ position }: { position: number }) => position))
      const [, next] = /<[^>]*(\?[^>]*)>/.exec(answer.headers.get('link') ?? '') ?? []
      query = next
      if (seen.length === 2) {
        await app.send('POST', `/${endpointId}/Test`)
        await layOut(market, app.appId)
      }
    }
    expect(seen).toHaveLength(4)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a))
  })

  test('takes no cursor of another filter or endpoint', async () => {
    const { headers } = await list('?limit=1')
    const [, cursor] = /cursor=([\w-]+)/.exec(headers.get('link') ?? '') ?? []
    expectProblem(await list(`?limit=1&status=failed&cursor=${cursor}`), 'invalid_cursor')
    const other = (await app.create()).body.id
    const foreign = await app.send('GET', `/${other}/Deliveries?limit=1&cursor=${cursor}`)
    expectProblem(foreign, 'invalid_cursor')
  })
})

describe('one delivery', () => {
  test('has every attempt with its response', async () => {
    const [delivery] = (await list('?status=succeeded')).body
    const { status, body } = await app.send('GET', `/${endpointId}/Deliveries/${delivery.id}`)
    expect(status).toBe(200)
    const { attempts, ...record } = body
    expect(record).toEqual(delivery)
    expect(attempts).toEqual([
      {
        ...{ number: 1, at: expect.any(String), durationMs: 12, outcome: 'failed', status: 503 },
        response: 'Busy <b>',
        reason: {
          code: 'status',
          detail: 'The receiver did not answer with a status from 200 to 299.',
        },
      },
      {
        ...{ number: 2, at: expect.any(String), durationMs: 12, outcome: 'succeeded' },
        ...{ status: 204, response: '', reason: null },
      },
    ])
  })

  test('of another endpoint, app or developer is not found', async () => {
    const [delivery] = (await list()).body
    const other = (await app.create()).body.id
    const path = (appId: string, endpoint: string) =>
      `/${appId}/Webhooks/${endpoint}/Deliveries/${delivery.id}`
    expectProblem(await developer.send('GET', path(app.appId, other)), 'not_found')
    const elsewhere = await appWithWebhooks(developer)
    expectProblem(await developer.send('GET', path(elsewhere.appId, endpointId)), 'not_found')
    const stranger = await author(market, 1)
    expectProblem(await stranger.send('GET', path(app.appId, endpointId)), 'not_found')
    expectProblem(await stranger.send('POST', `${path(app.appId, endpointId)}/Replay`), 'not_found')
  })
})

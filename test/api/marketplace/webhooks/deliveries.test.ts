import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { type Customer, newCustomer } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { appWithWebhooks, layOut, setDelivery, storedDeliveries } from '../../../setup/webhooks.ts'

let market: SharedMarketplace
let developer: Author
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let customer: Customer
let endpointId: string
let installationId: string
beforeAll(async () => {
  market = await sharedMarketplace()
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
    attempts: [
      { outcome: 'failed', reason: 'a "text" that is no code' },
      { outcome: 'failed', reason: 'connect_timeout' },
    ],
  })
  await setDelivery(market, third?.id ?? '', { status: 'pending' })
})

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
      attempts: [],
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

  test('has every attempt of each delivery, as the delivery itself has', async () => {
    const { body } = await list()
    expect(body.map(({ attempts }: { attempts: unknown[] }) => attempts.length)).toEqual([
      0, 0, 2, 2,
    ])
    for (const delivery of body) {
      const alone = await app.send('GET', `/${endpointId}/Deliveries/${delivery.id}`)
      expect(delivery).toEqual(alone.body)
    }
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

describe('a list of deliveries with very many attempts', () => {
  /** Of a page: 2 MiB of attempts, and the deliveries around them. */
  const PAGE_MAX_BYTES = 3 * 1024 * 1024
  /** Each character takes six in JSON, as the worst of answers does. */
  const HOSTILE = '\u0001'.repeat(1_024)

  /** An endpoint with one delivery for each number of attempts, the newest first. */
  const endpointTried = async (counts: readonly number[], response: string) => {
    const tried = await appWithWebhooks(developer)
    await layOut(market, tried.appId)
    const { id } = (await tried.create()).body
    for (const _ of counts) await tried.send('POST', `/${id}/Test`)
    await layOut(market, tried.appId)
    const { pool } = market.deps
    await pool.query(
      `WITH tried AS (
         UPDATE webhook_deliveries d SET status = 'failed', attempts = c.n, due_at = NULL,
           finished_at = now()
         FROM (
           SELECT id, row_number() OVER (ORDER BY position DESC) AS place
           FROM webhook_deliveries WHERE endpoint_id = $1
         ) AS o JOIN unnest($2::int[]) WITH ORDINALITY AS c (n, place) USING (place)
         WHERE d.id = o.id RETURNING d.id, d.attempts
       )
       INSERT INTO webhook_attempts
         (delivery_id, number, at, duration_ms, outcome, status, response, reason)
       SELECT id, number, now(), 12, 'failed', 503, $3, 'status'
       FROM tried, generate_series(1, tried.attempts) number`,
      [id, counts, response],
    )
    return { send: tried.send, path: `/${id}/Deliveries` }
  }
  /** Every page: how long its text is, and its deliveries. */
  const pagesOf = async ({ send, path }: Awaited<ReturnType<typeof endpointTried>>) => {
    const pages: { bytes: number; body: Listed[] }[] = []
    for (let query: string | undefined = ''; query !== undefined; ) {
      const { status, text, body, headers } = await send('GET', `${path}${query}`)
      expect(status, text.slice(0, 1_000)).toBe(200)
      pages.push({ bytes: Buffer.byteLength(text), body })
      query = /<[^>]*(\?[^>]*)>/.exec(headers.get('link') ?? '')?.[1]
    }
    return pages
  }
  type Listed = { position: number; attemptCount: number; attempts: { response: string }[] }

  test.each([
    ['short answers', 'Busy', 2],
    ['the longest answers', HOSTILE, 6],
  ])('and %s has shorter pages, and on all of them everything', async (_what, response, least) => {
    const counts = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 120 : 3))
    const pages = await pagesOf(await endpointTried(counts, response))
    expect(pages.length).toBeGreaterThanOrEqual(least)
    expect(Math.max(...pages.map(({ bytes }) => bytes))).toBeLessThan(PAGE_MAX_BYTES)
    const all = pages.flatMap(({ body }) => body)
    expect(all.map(({ attemptCount }) => attemptCount)).toEqual(counts)
    expect(all.map(({ attempts }) => attempts.length)).toEqual(counts)
    const responses = new Set(all.flatMap(({ attempts }) => attempts.map((one) => one.response)))
    expect(responses).toEqual(new Set([response]))
    const positions = all.map(({ position }) => position)
    expect(positions).toEqual(positions.toSorted((a, b) => b - a))
  })

  test('has a page of its own for one that is too long for any page', async () => {
    const counts = [1, 3_000, 1]
    const pages = await pagesOf(await endpointTried(counts, 'Busy'))
    expect(pages.map(({ body }) => body.map(({ attempts }) => attempts.length))).toEqual([
      [1],
      [3_000],
      [1],
    ])
  })
})

describe('one delivery', () => {
  test('has every attempt with its response', async () => {
    const [delivery] = (await list('?status=succeeded')).body
    const { status, body } = await app.send('GET', `/${endpointId}/Deliveries/${delivery.id}`)
    expect(status).toBe(200)
    expect(body).toEqual(delivery)
    expect(body.attempts).toEqual([
      {
        ...{ number: 1, at: expect.any(String), durationMs: 12, outcome: 'failed', status: 503 },
        response: 'Busy <b>',
        reason: {
          code: 'status',
          detail: 'Your server did not return a status from 200 to 299.',
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

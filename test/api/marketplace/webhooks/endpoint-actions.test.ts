import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signingSecrets } from '../../../../src/marketplace/webhooks/endpoints/endpoint-secrets.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { appWithWebhooks, layOut, setHealth, storedDeliveries } from '../../../setup/webhooks.ts'

let market: TestMarketplace
let developer: Author
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let id: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

const fresh = async () => {
  app = await appWithWebhooks(developer)
  await layOut(market, app.appId)
  const { body } = await app.create()
  id = body.id
  return body
}
const act = (action: string, body?: unknown) => app.send('POST', `/${id}/${action}`, body)
const stored = () => market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
const secrets = async () => signingSecrets(market.deps.secrets, await stored(), market.deps.now())
const eventsOf = async (type: string) =>
  market.deps.db.event.findMany({ where: { endpointId: id, type } })
const actions = async () => {
  const entries = await market.deps.db.auditEvent.findMany({
    where: { subjectId: id },
    orderBy: { id: 'asc' },
  })
  return entries.map(({ action }) => action)
}

describe('rotating the secret', () => {
  test('shows the new one once, and lets the previous one sign for 24 hours', async () => {
    const { secret: first } = await fresh()
    expect(await secrets()).toEqual([first])
    const answer = await act('RotateSecret')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(answer.headers.get('etag')).toBe('"2"')
    const { secret: second, secretRotatesUntil } = answer.body
    expect(second).toMatch(/^whsec_/)
    expect(await secrets()).toEqual([second, first])
    const read = await app.read(id)
    expect(read.body).toMatchObject({ secretRotatesUntil })
    expect(read.body).not.toHaveProperty('secret')
    const days = (Date.parse(secretRotatesUntil) - market.deps.now().getTime()) / 86_400_000
    expect(days).toBeCloseTo(1, 2)
    market.advance(86_401)
    expect(await secrets()).toEqual([second])
    // The token of the developer has run out as well.
    developer = await author(market)
    const later = await developer.send('GET', `/${app.appId}/Webhooks/${id}`)
    expect(later.body.secretRotatesUntil).toBeNull()
  })

  test('again within that time drops the oldest', async () => {
    const { secret: first } = await fresh()
    const second = (await act('RotateSecret')).body.secret
    const third = (await act('RotateSecret')).body.secret
    expect(await secrets()).toEqual([third, second])
    expect(new Set([first, second, third]).size).toBe(3)
    expect(await actions()).toEqual([
      'webhook.created',
      'webhook.secret_rotated',
      'webhook.secret_rotated',
    ])
  })
})

describe('testing', () => {
  test('records an event that goes to this endpoint only, whatever its types', async () => {
    await fresh()
    const other = (await app.create()).body.id
    await app.patch(id, { events: ['app.listed'] })
    const answer = await act('Test')
    expect(answer.status).toBe(202)
    const [event] = await eventsOf('webhook.test')
    expect(answer.body).toEqual({ eventId: event?.id })
    await layOut(market, app.appId)
    expect(await storedDeliveries(market, id)).toMatchObject([{ eventId: event?.id }])
    expect(await storedDeliveries(market, other)).toEqual([])
    expect((await app.read(id)).body.pendingDeliveries).toBe(1)
  })

  test('of a disabled endpoint is a conflict', async () => {
    await fresh()
    await act('Disable')
    expectProblem(await act('Test'), 'conflict')
    expect(await eventsOf('webhook.test')).toEqual([])
  })
})

describe('disabling', () => {
  test('fails what waits, records an event, and makes no more deliveries', async () => {
    await fresh()
    const other = (await app.create()).body.id
    await developer.unlist(app.appId)
    await layOut(market, app.appId)
    const before = await app.read(id)
    const answer = await act('Disable')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect(answer.body).toMatchObject({
      status: 'disabled',
      disabledReason: 'developer',
      disabledAt: expect.any(String),
      pendingDeliveries: 0,
    })
    expect(await storedDeliveries(market, id)).toMatchObject([
      { status: 'failed', dueAt: null, finishedAt: expect.any(Date) },
    ])
    await developer.list(app.appId)
    await layOut(market, app.appId)
    expect(await storedDeliveries(market, id)).toHaveLength(1)
    const types = (await storedDeliveries(market, other)).map(({ type }) => type)
    expect(types).toEqual(['app.unlisted', 'webhook.disabled', 'app.listed'])
    const [event] = await eventsOf('webhook.disabled')
    expect(event?.data).toEqual({ reason: 'developer' })
  })

  test('twice is once', async () => {
    await fresh()
    const first = await act('Disable')
    const second = await act('Disable')
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await eventsOf('webhook.disabled')).toHaveLength(1)
    expect(await actions()).toEqual(['webhook.created', 'webhook.disabled'])
  })

  test('8 at once record one event', async () => {
    await fresh()
    const answers = await Promise.all(Array.from({ length: 8 }, () => act('Disable')))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await eventsOf('webhook.disabled')).toHaveLength(1)
  })

  test('during the numbering of events leaves nothing waiting', async () => {
    await fresh()
    for (let count = 0; count < 5; count++) {
      await developer.unlist(app.appId)
      await developer.list(app.appId)
      await Promise.all([layOut(market, app.appId), act('Disable')])
      const waiting = await storedDeliveries(market, id)
      expect(waiting.filter(({ status }) => status === 'pending')).toEqual([])
      await act('Enable')
    }
  })
})

describe('enabling', () => {
  test('ends the failing state, and takes events from then on', async () => {
    await fresh()
    const failingSince = new Date('2026-11-20T00:00:00Z')
    const restingUntil = new Date('2026-12-20T00:00:00Z')
    const sinceThen = { failures: 40, restingUntil, noticedPercent: 70, slow: true }
    await setHealth(market, id, { failingSince, ...sinceThen })
    await act('Disable')
    await developer.unlist(app.appId)
    await layOut(market, app.appId)
    const answer = await act('Enable')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      health: 'untried',
      failingSince: null,
    })
    expect(await stored()).toMatchObject({
      ...{ failures: 0, noticedPercent: 0, restingUntil: null, slow: false },
    })
    await developer.list(app.appId)
    await layOut(market, app.appId)
    const types = (await storedDeliveries(market, id)).map(({ type }) => type)
    expect(types).toEqual(['app.listed'])
  })

  test('twice has the effect of once; an endpoint that was never disabled does not change', async () => {
    await fresh()
    const untouched = await act('Enable')
    expect(untouched.headers.get('etag')).toBe('"1"')
    await act('Disable')
    const first = await act('Enable')
    const second = await act('Enable')
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(await actions()).toEqual(['webhook.created', 'webhook.disabled', 'webhook.enabled'])
  })
})

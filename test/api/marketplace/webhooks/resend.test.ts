import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { type Customer, newCustomer } from '../../../setup/customer.ts'
import { runPatiently } from '../../../setup/database.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { appWithWebhooks, layOut, setDelivery, storedDeliveries } from '../../../setup/webhooks.ts'

let market: TestMarketplace
let developer: Author
let customer: Customer
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let id: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  customer = await newCustomer(market)
})
afterAll(() => market.close())

/**
 * An app, listed two hours ago, whose endpoint has deliveries of `app.unlisted` and `app.listed` of
 * just now.
 */
const fresh = async () => {
  app = await appWithWebhooks(developer)
  await layOut(market, app.appId)
  await market.deps.db.event.updateMany({
    where: { appId: app.appId },
    data: { at: new Date(ago(7200)) },
  })
  id = (await app.create()).body.id
  await developer.unlist(app.appId)
  await developer.list(app.appId)
  await layOut(market, app.appId)
}
const stored = () => storedDeliveries(market, id)
const act = (action: string, body?: unknown) => app.send('POST', `/${id}/${action}`, body)
const replay = (deliveryId: string) => act(`Deliveries/${deliveryId}/Replay`)
const ago = (seconds: number) =>
  new Date(market.deps.now().getTime() - seconds * 1000).toISOString()
const recover = (since = ago(3600)) => act('Recover', { since })
const nth = async (index: number) => {
  const all = await stored()
  return all[index] ?? expect.unreachable('no such delivery')
}
const installed = async () => {
  const answer = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
  await layOut(market, app.appId)
  return answer.body.id as string
}
const statuses = async () => (await stored()).map(({ type, status }) => `${type} ${status}`)
const LEASE = { lease: '0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10' }

describe('a replay', () => {
  test.each(['succeeded', 'failed', 'cancelled', 'pending'] as const)(
    'of a delivery that is %s makes it due now and keeps counting its attempts',
    async (status) => {
      await fresh()
      const { id: deliveryId } = await nth(0)
      const dueAt = new Date(Date.now() + 3_600_000)
      const attempts = [{ outcome: 'failed', reason: 'timeout' }]
      await setDelivery(market, deliveryId, { status, attempts, dueAt })
      const answer = await replay(deliveryId)
      expect(answer.status, answer.text).toBe(202)
      expect(answer.body).toMatchObject({
        ...{ id: deliveryId, status: 'pending', attemptCount: 1, finishedAt: null },
        attempts: [{ number: 1, outcome: 'failed' }],
      })
      const now = await nth(0)
      expect(now).toMatchObject({ status: 'pending', attempts: 1, tries: 0 })
      expect(now.dueAt?.getTime()).toBeLessThanOrEqual(market.deps.now().getTime())
      const entry = await market.deps.db.auditEvent.findFirstOrThrow({
        where: { subjectId: id, action: 'webhook.delivery_replayed' },
      })
      expect(entry.after).toMatchObject({ deliveryId })
    },
  )

  test('of a delivery that is being sent is a conflict, unless its lease is over', async () => {
    await fresh()
    const { id: deliveryId } = await nth(0)
    const lease = (leaseUntil: Date) =>
      market.deps.db.webhookDelivery.update({
        where: { id: deliveryId },
        data: { ...LEASE, leaseUntil },
      })
    await lease(new Date(Date.now() + 3_600_000))
    expectProblem(await replay(deliveryId), 'conflict')
    await lease(new Date(Date.now() - 1_000))
    expect((await replay(deliveryId)).status).toBe(202)
    expect(await nth(0)).toMatchObject({ lease: null, leaseUntil: null })
  })

  test('of a due delivery during a turn of the endpoint is a conflict', async () => {
    await fresh()
    const { id: deliveryId } = await nth(0)
    const turn = (turnUntil: Date) =>
      market.deps.db.webhookEndpoint.update({
        where: { id },
        data: { turn: LEASE.lease, turnUntil },
      })
    await turn(new Date(Date.now() + 3_600_000))
    expectProblem(await replay(deliveryId), 'conflict')
    await setDelivery(market, deliveryId, { status: 'failed' })
    expect((await replay(deliveryId)).status).toBe(202)
    await turn(new Date(Date.now() - 1_000))
    expect((await replay(deliveryId)).status).toBe(202)
  })

  test('for a disabled endpoint is a conflict', async () => {
    await fresh()
    await act('Disable')
    expectProblem(await replay((await nth(0)).id), 'conflict')
    expect((await nth(0)).status).toBe('failed')
  })

  test('of an installation that the endpoint was told is gone is a conflict', async () => {
    await fresh()
    const installationId = await installed()
    await customer.uninstall(installationId)
    await layOut(market, app.appId)
    const [, , created, deleted] = await stored()
    expect(deleted?.type).toBe('installation.deleted')
    await setDelivery(market, created?.id ?? '', { status: 'failed' })
    await setDelivery(market, deleted?.id ?? '', { status: 'failed' })
    expect((await replay(created?.id ?? '')).status).toBe(202)
    await setDelivery(market, deleted?.id ?? '', { status: 'succeeded' })
    for (const one of [created, deleted]) {
      expectProblem(await replay(one?.id ?? ''), 'conflict')
    }
  })
})

describe('recovering', () => {
  test('makes due what failed or waits, and leaves what succeeded or was cancelled', async () => {
    await fresh()
    const later = new Date(Date.now() + 3_600_000)
    for (let count = 0; count < 2; count++) await act('Test')
    await layOut(market, app.appId)
    const [failed, succeeded, waiting, cancelled] = await stored()
    const attempts = [{ outcome: 'failed', reason: 'timeout' }]
    await setDelivery(market, failed?.id ?? '', { status: 'failed', attempts })
    await setDelivery(market, succeeded?.id ?? '', { status: 'succeeded' })
    await setDelivery(market, waiting?.id ?? '', { status: 'pending', attempts, dueAt: later })
    await setDelivery(market, cancelled?.id ?? '', { status: 'cancelled' })
    const answer = await recover()
    expect(answer.status, answer.text).toBe(202)
    expect(answer.body).toEqual({ deliveries: 2, complete: true })
    const due = { status: 'pending', attempts: 1, tries: 0, finishedAt: null }
    expect(await stored()).toMatchObject([
      due,
      { status: 'succeeded' },
      due,
      { status: 'cancelled' },
    ])
    for (const one of [await nth(0), await nth(2)]) {
      expect(one.dueAt?.getTime()).toBeLessThanOrEqual(market.deps.now().getTime())
    }
    expect((await recover()).body).toMatchObject({ deliveries: 0 })
  })

  test('sends events without a delivery, by the endpoint’s present types', async () => {
    await fresh()
    await act('Disable')
    await installed()
    await developer.unlist(app.appId)
    await layOut(market, app.appId)
    const other = (await app.create()).body.id
    await app.send('POST', `/${other}/Test`)
    await layOut(market, app.appId)
    await act('Enable')
    await app.patch(id, { events: ['installation.created', 'app.unlisted'] })
    expect(await statuses()).toEqual(['app.unlisted failed', 'app.listed failed'])
    expect((await recover()).body).toMatchObject({ deliveries: 3 })
    expect(await statuses()).toEqual([
      'app.unlisted pending',
      'app.listed failed',
      'installation.created pending',
      'app.unlisted pending',
    ])
    const positions = (await stored()).map(({ position }) => position)
    expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)))
    await app.patch(id, { events: [] })
    expect((await recover()).body).toMatchObject({ deliveries: 1 })
    const types = (await stored()).map(({ type }) => type)
    // Its own events are never sent to it, nor others' tests.
    expect(types).not.toContain('webhook.disabled')
    expect(types).not.toContain('webhook.test')
  })

  test('sends what happened before the endpoint was made', async () => {
    await fresh()
    expect((await recover(ago(8000))).body).toMatchObject({ deliveries: 1 })
    expect((await nth(0)).type).toBe('app.listed')
  })

  test('takes nothing that happened before', async () => {
    await fresh()
    for (const { id: deliveryId } of await stored()) await setDelivery(market, deliveryId, {})
    const { eventId } = await nth(0)
    const { db } = market.deps
    await db.event.update({ where: { id: eventId }, data: { at: new Date(ago(7200)) } })
    expect((await recover(ago(3600))).body).toMatchObject({ deliveries: 1 })
    expect(await statuses()).toEqual(['app.unlisted failed', 'app.listed pending'])
  })

  test('leaves out only the installations that the endpoint was told are gone', async () => {
    await fresh()
    const gone = await installed()
    await customer.uninstall(gone)
    await installed()
    await layOut(market, app.appId)
    const all = await stored()
    const deletion = all.find(({ type }) => type === 'installation.deleted')
    for (const { id: deliveryId } of all) await setDelivery(market, deliveryId, {})
    await setDelivery(market, deletion?.id ?? '', { status: 'succeeded' })
    await recover()
    expect(await statuses()).toEqual([
      'app.unlisted pending',
      'app.listed pending',
      'installation.created failed',
      'installation.deleted succeeded',
      'installation.created pending',
    ])
  })

  test('of a disabled endpoint is a conflict', async () => {
    await fresh()
    await act('Disable')
    expectProblem(await recover(), 'conflict')
    expect(await statuses()).toEqual(['app.unlisted failed', 'app.listed failed'])
  })

  test.each([
    ['in the future', -60],
    ['more than 30 days ago', 30 * 86_400 + 60],
  ])('since a moment %s breaks a rule', async (_when, seconds) => {
    await fresh()
    const answer = await recover(ago(seconds))
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/since'])
  })

  test.each([
    [{}, '/since'],
    [{ since: 5 }, '/since'],
    [{ since: '2026-11-22T00:00:00Z', until: 'x' }, '/until'],
  ])('of %j is malformed', async (body, pointer) => {
    await fresh()
    const answer = await act('Recover', body)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test('during a disabling leaves nothing waiting', async () => {
    await fresh()
    for (let count = 0; count < 5; count++) {
      await Promise.all([recover(), act('Disable')])
      expect((await statuses()).filter((one) => one.endsWith('pending'))).toEqual([])
      await act('Enable')
    }
  })

  test('goes through more events than one batch has, each once', async () => {
    await fresh()
    const { developerId } = await market.deps.db.app.findUniqueOrThrow({ where: { id: app.appId } })
    await runPatiently(
      market.databaseUrl,
      `INSERT INTO events (developer_id, app_id, type)
       SELECT $1, $2, 'app.resumed' FROM generate_series(1, 12000)`,
      [developerId, app.appId],
    )
    await app.patch(id, { events: ['app.listed'] })
    await layOut(market, app.appId)
    await app.patch(id, { events: [] })
    // Postgres plans by what the tables hold now, as a while later by itself: by what they held
    // before, the foreign key of each new delivery reads all events.
    await runPatiently(market.databaseUrl, 'ANALYZE events, webhook_deliveries')
    const before = (await stored()).length
    // Where the machine is slow, one request does not get through all of them, and one that took too
    // long is sent again: it went as far as it went, and nobody was told how far.
    let recovered = 0
    let isCountKnown = true
    let after: number | undefined
    for (let isComplete = false; !isComplete; ) {
      const { status, body, text } = await act('Recover', { since: ago(3600), after })
      if (status === 503) {
        isCountKnown = false
        continue
      }
      expect(body.deliveries, text).toBeTypeOf('number')
      recovered += body.deliveries
      after = body.position
      isComplete = body.complete
    }
    if (isCountKnown) expect(recovered).toBe(12_000)
    expect(await stored()).toHaveLength(before + 12_000)
    expect((await app.read(id)).body.pendingDeliveries).toBe(10_001)
    expect((await act('Disable')).body.pendingDeliveries).toBe(0)
    expect((await app.send('DELETE', `/${id}`)).status).toBe(204)
  })
})

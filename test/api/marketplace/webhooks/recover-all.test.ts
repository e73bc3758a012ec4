import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recoverEndpoint } from '../../../../src/marketplace/webhooks/delivery-log/recover-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { type Customer, newCustomer } from '../../../setup/customer.ts'
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

/** An app whose endpoint has no delivery yet. */
const fresh = async () => {
  app = await appWithWebhooks(developer)
  await layOut(market, app.appId)
  // The listing is not of the time that is recovered.
  await market.deps.db.event.updateMany({
    where: { appId: app.appId },
    data: { at: new Date(ago(7_200)) },
  })
  id = (await app.create()).body.id
}
const ago = (seconds: number) =>
  new Date(market.deps.now().getTime() - seconds * 1_000).toISOString()
const recover = (body: object = {}) =>
  app.send('POST', `/${id}/Recover`, { since: ago(3_600), ...body })
const stored = () => storedDeliveries(market, id)
const statuses = async () => (await stored()).map(({ type, status }) => `${type} ${status}`)
const changes = async (count: number) => {
  for (let made = 0; made < count; made++) {
    await app.send('POST', `/${id}/Test`)
  }
  await layOut(market, app.appId)
}
const installed = async () => {
  const answer = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
  return answer.body.id as string
}
const receiveAll = async () => {
  await layOut(market, app.appId)
  for (const one of await stored()) await setDelivery(market, one.id, { status: 'succeeded' })
}
/** Many events of the app at once. */
const happen = async (count: number) => {
  const { pool, db } = market.deps
  const { developerId } = await db.app.findUniqueOrThrow({ where: { id: app.appId } })
  await pool.query(
    `INSERT INTO events (developer_id, app_id, type)
     SELECT $1, $2, 'app.resumed' FROM generate_series(1, $3::int)`,
    [developerId, app.appId, count],
  )
  await layOut(market, app.appId)
  return developerId
}

describe('recovering all', () => {
  test('sends what was received or cancelled, too, and counts none that was due anyway', async () => {
    await fresh()
    await changes(5)
    const [succeeded, cancelled, failed, waiting, due] = await stored()
    const attempts = [{ outcome: 'succeeded', status: 204 }]
    const dueAt = new Date(Date.now() + 3_600_000)
    await setDelivery(market, succeeded?.id ?? '', { status: 'succeeded', attempts })
    await setDelivery(market, cancelled?.id ?? '', { status: 'cancelled', attempts })
    await setDelivery(market, failed?.id ?? '', { status: 'failed', attempts })
    await setDelivery(market, waiting?.id ?? '', { status: 'pending', attempts, dueAt })
    await setDelivery(market, due?.id ?? '', { status: 'pending', attempts })
    const answer = await recover({ all: true })
    expect(answer.status, answer.text).toBe(202)
    expect(answer.body).toEqual({ deliveries: 4, complete: true })
    const all = await stored()
    expect(all).toHaveLength(5)
    for (const one of all) {
      expect(one).toMatchObject({ status: 'pending', attempts: 1, finishedAt: null })
      expect(one.dueAt?.getTime()).toBeLessThanOrEqual(market.deps.now().getTime())
    }
    expect(all.slice(0, 4).map(({ tries }) => tries)).toEqual([0, 0, 0, 0])
    expect((await recover({ all: true })).body).toEqual({ deliveries: 0, complete: true })
  })

  test('is asked for: without it nothing that was received is sent', async () => {
    await fresh()
    await changes(2)
    await receiveAll()
    for (const body of [{}, { all: false }]) {
      expect((await recover(body)).body).toEqual({ deliveries: 0, complete: true })
    }
    expect(await statuses()).toEqual(['webhook.test succeeded', 'webhook.test succeeded'])
  })

  test('takes nothing that happened before, and only the types of the endpoint', async () => {
    await fresh()
    await changes(2)
    await developer.unlist(app.appId)
    await receiveAll()
    const [{ eventId } = { eventId: '' }] = await stored()
    await market.deps.db.event.update({
      where: { id: eventId },
      data: { at: new Date(ago(7_200)) },
    })
    await app.patch(id, { events: ['app.listed'] })
    expect((await recover({ all: true })).body).toMatchObject({ deliveries: 1 })
    expect(await statuses()).toEqual([
      'webhook.test succeeded',
      'webhook.test pending',
      'app.unlisted succeeded',
    ])
  })

  test('stands in the audit trail, unless it is refused', async () => {
    await fresh()
    await recover()
    await recover({ all: true })
    await app.send('POST', `/${id}/Disable`)
    expectProblem(await recover(), 'conflict')
    const entries = await market.deps.db.auditEvent.findMany({
      where: { subjectId: id, action: 'webhook.recovered' },
      orderBy: { id: 'asc' },
    })
    expect(entries.map(({ after }) => after)).toMatchObject([{ all: false }, { all: true }])
  })

  test.each([
    [{ all: 'yes' }, '/all'],
    [{ all: null }, '/all'],
    [{ after: '7' }, '/after'],
    [{ after: 1.5 }, '/after'],
  ])('with %j is malformed', async (body, pointer) => {
    await fresh()
    const answer = await recover(body)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })
})

test('recovering after a position below zero breaks a rule', async () => {
  await fresh()
  const answer = await recover({ after: -1 })
  expectProblem(answer, 'unprocessable')
  expect(pointersOf(answer)).toEqual(['/after'])
})

describe('recovering all of an installation that the endpoint was told is gone', () => {
  test('sends its events, and its end', async () => {
    await fresh()
    await customer.uninstall(await installed())
    await receiveAll()
    expect((await recover({ all: true })).body).toMatchObject({ deliveries: 2 })
    expect(await statuses()).toEqual([
      'installation.created pending',
      'installation.deleted pending',
    ])
  })

  test('sends nothing when the endpoint does not want to know of its end any more', async () => {
    await fresh()
    await customer.uninstall(await installed())
    await installed()
    await receiveAll()
    await app.patch(id, { events: ['installation.created'] })
    expect((await recover({ all: true })).body).toMatchObject({ deliveries: 1 })
    expect(await statuses()).toEqual([
      'installation.created succeeded',
      'installation.deleted succeeded',
      'installation.created pending',
    ])
  })

  test('sends its end with the first of its events, however many are between them', async () => {
    await fresh()
    const gone = await installed()
    await layOut(market, app.appId)
    await happen(1_200)
    await customer.uninstall(gone)
    await layOut(market, app.appId)
    await market.deps.pool.query(
      `UPDATE webhook_deliveries SET status = 'succeeded', due_at = NULL, finished_at = now()
       WHERE endpoint_id = $1`,
      [id],
    )
    let first = await step({ all: true })
    while (first.deliveries === 0) first = await step({ all: true, after: first.position })
    expect(first.complete).toBe(false)
    const all = await stored()
    expect(all.at(-1)).toMatchObject({ type: 'installation.deleted', status: 'pending' })
    let { deliveries, position: after } = first
    while (after !== undefined) {
      const next = await step({ all: true, after })
      deliveries += next.deliveries
      after = next.position
    }
    expect(deliveries).toBe(1_202)
  })
})

/** Recovers as far as one batch goes. */
const step = async (input: { all: boolean; after?: number | undefined }) => {
  const { developerId } = await market.deps.db.app.findUniqueOrThrow({ where: { id: app.appId } })
  return recoverEndpoint(
    market.deps,
    { developerId, appId: app.appId, endpointId: id },
    { since: new Date(ago(3_600)), ...input },
    { kind: 'developer', id: developerId, address: '127.0.0.1' },
    0,
  )
}

test('one step goes through a part of the log, also when the endpoint has missed nothing', async () => {
  await fresh()
  const { db } = market.deps
  await db.event.updateMany({ data: { at: new Date(ago(7_200)) } })
  const developerId = await happen(1_200)
  await market.deps.pool.query(
    `UPDATE webhook_deliveries SET status = 'succeeded', due_at = NULL, finished_at = now()
     WHERE endpoint_id = $1`,
    [id],
  )
  const { position } = await step({ all: false })
  const log = await db.eventLog.findUniqueOrThrow({ where: { developerId } })
  expect(position).toBe(Number(log.position) - 200)
})

test('recovering goes on where it ended, also when what it sent was received meanwhile', async () => {
  await fresh()
  await happen(2_500)
  const receive = () =>
    market.deps.pool.query(
      `UPDATE webhook_deliveries SET status = 'succeeded', due_at = NULL, finished_at = now()
       WHERE endpoint_id = $1`,
      [id],
    )
  await receive()
  const counts: number[] = []
  let after: number | undefined
  do {
    const { deliveries, position } = await step({ all: true, after })
    counts.push(deliveries)
    after = position
    await receive()
  } while (after !== undefined)
  expect(counts.reduce((sum, count) => sum + count)).toBe(2_500)
  const [, , last] = (await stored()).slice(-3)
  const rest = await recover({ all: true, after: Number(last?.position) - 1 })
  expect(rest.body).toEqual({ deliveries: 1, complete: true })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import type { Answer } from '../../../setup/client.ts'
import { type Customer, newCustomer } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { heldRows } from '../../../setup/turns.ts'
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

/** An app, listed two hours ago, whose endpoint has no delivery yet. */
beforeEach(async () => {
  app = await appWithWebhooks(developer)
  await layOut(market, app.appId)
  await market.deps.db.event.updateMany({
    where: { appId: app.appId },
    data: { at: new Date(ago(7_200)) },
  })
  id = (await app.create()).body.id
})
/** Deliveries of `app.unlisted` and `app.listed` of just now. */
const unlistAndList = async () => {
  await developer.unlist(app.appId)
  await developer.list(app.appId)
  await layOut(market, app.appId)
}
const changes = async (count: number) => {
  for (let made = 0; made < count; made++) await act('Test')
  await layOut(market, app.appId)
}
const installed = async () => {
  const answer = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
  await layOut(market, app.appId)
  return answer.body.id as string
}
const ago = (seconds: number) =>
  new Date(market.deps.now().getTime() - seconds * 1_000).toISOString()
const soon = () => new Date(Date.now() + 3_600_000)

const act = (action: string, body?: unknown) => app.send('POST', `/${id}/${action}`, body)
const replay = (deliveryId: string) => act(`Deliveries/${deliveryId}/Replay`)
const recover = (body: object = {}) => act('Recover', { since: ago(3_600), ...body })

const stored = () => storedDeliveries(market, id)
const nth = async (index: number) => {
  const all = await stored()
  return all[index] ?? expect.unreachable('no such delivery')
}
const statuses = async () => (await stored()).map(({ type, status }) => `${type} ${status}`)
const setAll = async (status: 'succeeded' | 'failed') => {
  await layOut(market, app.appId)
  for (const one of await stored()) await setDelivery(market, one.id, { status })
}
const LEASE = '0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10'
const openWindow = async (windowUntil = soon()) => {
  const { webhookEndpoint } = market.deps.db
  await webhookEndpoint.update({ where: { id }, data: { windowId: LEASE, windowUntil } })
}
const { hold, waiting, letGo } = heldRows(() => market)

describe('a replay', () => {
  beforeEach(unlistAndList)

  test.each(['succeeded', 'failed', 'cancelled', 'pending'] as const)(
    'of a delivery that is %s makes it due now and keeps counting its attempts',
    async (status) => {
      const { id: deliveryId } = await nth(0)
      const dueAt = soon()
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
    const { id: deliveryId } = await nth(0)
    const lease = (leaseUntil: Date) =>
      market.deps.db.webhookDelivery.update({
        where: { id: deliveryId },
        data: { lease: LEASE, leaseUntil },
      })
    await lease(soon())
    expectProblem(await replay(deliveryId), 'conflict')
    await lease(new Date(Date.now() - 1_000))
    expect((await replay(deliveryId)).status).toBe(202)
    expect(await nth(0)).toMatchObject({ lease: null, leaseUntil: null })
  })

  test('of a due delivery during a turn of the endpoint is a conflict', async () => {
    const { id: deliveryId } = await nth(0)
    await openWindow()
    expectProblem(await replay(deliveryId), 'conflict')
    await setDelivery(market, deliveryId, { status: 'failed' })
    expect((await replay(deliveryId)).status).toBe(202)
    await openWindow(new Date(Date.now() - 1_000))
    expect((await replay(deliveryId)).status).toBe(202)
  })

  test('for a disabled endpoint is a conflict', async () => {
    await act('Disable')
    expectProblem(await replay((await nth(0)).id), 'conflict')
    expect((await nth(0)).status).toBe('failed')
  })

  test('of an installation that the endpoint was told is gone is a conflict', async () => {
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

/** Three deliveries that failed. */
const failThree = async () => {
  await changes(3)
  await setAll('failed')
}
const LOCKED_DELIVERY = 'SELECT 1 FROM webhook_deliveries WHERE id = $1::uuid FOR UPDATE'

/** What a request answers that waits for a row while something else happens. */
async function whileHeld(
  sql: string,
  value: string,
  send: () => Promise<Answer>,
  change: () => Promise<unknown> = async () => {},
) {
  await hold(sql, value)
  try {
    const answer = send()
    await waiting(1)
    await change()
    await letGo()
    return await answer
  } finally {
    await letGo()
  }
}

test.each([
  [
    'after a turn of its endpoint',
    (deliveryId: string) =>
      market.deps.db.webhookDelivery.update({
        where: { id: deliveryId },
        data: { lease: LEASE, leaseUntil: soon() },
      }),
  ],
  [
    'in a turn of its endpoint',
    async (deliveryId: string) => {
      await setDelivery(market, deliveryId, { status: 'pending' })
      await openWindow()
    },
  ],
])(
  'the replay of a delivery that is being sent %s is refused without its lock',
  async (_, send) => {
    await failThree()
    const { id: deliveryId } = await nth(0)
    await send(deliveryId)
    await hold(LOCKED_DELIVERY, deliveryId)
    try {
      expectProblem(await replay(deliveryId), 'conflict')
    } finally {
      await letGo()
    }
  },
)

test('a replay whose endpoint is disabled meanwhile is refused, and leaves nothing waiting', async () => {
  await failThree()
  const { id: deliveryId } = await nth(0)
  const disable = () => act('Disable')
  const answer = await whileHeld(LOCKED_DELIVERY, deliveryId, () => replay(deliveryId), disable)
  expectProblem(answer, 'conflict')
  expect((await stored()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
})

test('a replay whose delivery is being sent by the time that it has its turn is refused', async () => {
  await changes(1)
  const { id: deliveryId } = await nth(0)
  const answer = await whileHeld(LOCKED_DELIVERY, deliveryId, () => replay(deliveryId), openWindow)
  expectProblem(answer, 'conflict')
})

test('recovering an endpoint that is deleted at that moment answers that there is none', async () => {
  await failThree()
  const sql = 'DELETE FROM webhook_endpoints WHERE id = $1::uuid'
  expectProblem(await whileHeld(sql, id, recover), 'not_found')
  expect(await stored()).toEqual([])
})

test('recovering sends the other events when one is removed at that moment', async () => {
  await failThree()
  const [first, ...others] = await stored()
  const sql = 'DELETE FROM events WHERE id = $1::uuid'
  const answer = await whileHeld(sql, first?.eventId ?? '', recover)
  expect(answer.status, answer.text).toBe(202)
  expect(answer.body).toEqual({ deliveries: others.length, complete: true })
  const due = others.map((one) => ({ id: one.id, status: 'pending' }))
  expect(await stored()).toMatchObject(due)
})

describe('recovering all', () => {
  test('sends what was received or cancelled, too, and counts none that was due anyway', async () => {
    await changes(5)
    const [succeeded, cancelled, failed, waiting, due] = await stored()
    const attempts = [{ outcome: 'succeeded', status: 204 }]
    const dueAt = soon()
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
    await changes(2)
    await setAll('succeeded')
    for (const body of [{}, { all: false }]) {
      expect((await recover(body)).body).toEqual({ deliveries: 0, complete: true })
    }
    expect(await statuses()).toEqual(['webhook.test succeeded', 'webhook.test succeeded'])
  })

  test('takes nothing that happened before, and only the types of the endpoint', async () => {
    await changes(2)
    await developer.unlist(app.appId)
    await setAll('succeeded')
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
    await recover()
    await recover({ all: true })
    await act('Disable')
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
    const answer = await recover(body)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })
})

test('recovering after a position below zero breaks a rule', async () => {
  const answer = await recover({ after: -1 })
  expectProblem(answer, 'unprocessable')
  expect(pointersOf(answer)).toEqual(['/after'])
})

describe('recovering all of an installation that the endpoint was told is gone', () => {
  test('sends its events, and its end', async () => {
    await customer.uninstall(await installed())
    await setAll('succeeded')
    expect((await recover({ all: true })).body).toMatchObject({ deliveries: 2 })
    expect(await statuses()).toEqual([
      'installation.created pending',
      'installation.deleted pending',
    ])
  })

  test('sends nothing when the endpoint does not want to know of its end any more', async () => {
    await customer.uninstall(await installed())
    await installed()
    await setAll('succeeded')
    await app.patch(id, { events: ['installation.created'] })
    expect((await recover({ all: true })).body).toMatchObject({ deliveries: 1 })
    expect(await statuses()).toEqual([
      'installation.created succeeded',
      'installation.deleted succeeded',
      'installation.created pending',
    ])
  })
})

/** An app with an endpoint that three events wait for. */
async function appWithWaiting(by: Author) {
  const { appId, create, send } = await appWithWebhooks(by)
  const endpointId: string = (await create()).body.id
  await by.unlist(appId)
  await by.list(appId)
  await layOut(market, appId)
  const { db } = market.deps
  await db.webhookDelivery.updateMany({ where: { endpointId }, data: { dueAt: soon() } })
  return {
    id: endpointId,
    recover: () => send('POST', `/${endpointId}/Recover`, { since: ago(3_600) }),
  }
}

test('a developer recovers one endpoint at a time, of whatever app; others are not held up', async () => {
  const first = await appWithWaiting(developer)
  const second = await appWithWaiting(developer)
  const ofOther = await appWithWaiting(await author(market, 1))
  const waits = 'SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1::uuid FOR UPDATE'
  await hold(waits, first.id)
  try {
    const recovering = first.recover()
    await waiting(1)
    for (const one of [first, second]) {
      const refused = await one.recover()
      expectProblem(refused, 'too_many_requests')
      expect(refused.headers.get('retry-after')).toBe('5')
    }
    expect((await ofOther.recover()).status).toBe(202)
    await letGo()
    expect((await recovering).status).toBe(202)
  } finally {
    await letGo()
  }
  expect((await second.recover()).body).toEqual({ deliveries: 3, complete: true })
})

describe('recovering', () => {
  beforeEach(unlistAndList)

  test('makes due what failed or waits, and leaves what succeeded or was cancelled', async () => {
    const later = soon()
    await changes(2)
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
    expect((await recover({ since: ago(8_000) })).body).toMatchObject({ deliveries: 1 })
    expect((await nth(0)).type).toBe('app.listed')
  })

  test('takes nothing that happened before', async () => {
    for (const { id: deliveryId } of await stored()) await setDelivery(market, deliveryId, {})
    const { eventId } = await nth(0)
    const { db } = market.deps
    await db.event.update({ where: { id: eventId }, data: { at: new Date(ago(7_200)) } })
    expect((await recover()).body).toMatchObject({ deliveries: 1 })
    expect(await statuses()).toEqual(['app.unlisted failed', 'app.listed pending'])
  })

  test('leaves out only the installations that the endpoint was told are gone', async () => {
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
    await act('Disable')
    expectProblem(await recover(), 'conflict')
    expect(await statuses()).toEqual(['app.unlisted failed', 'app.listed failed'])
  })

  test.each([
    ['in the future', -60],
    ['more than 30 days ago', 30 * 86_400 + 60],
  ])('since a moment %s breaks a rule', async (_when, seconds) => {
    const answer = await recover({ since: ago(seconds) })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/since'])
  })

  test.each([
    [{}, '/since'],
    [{ since: 5 }, '/since'],
    [{ since: '2026-11-22T00:00:00Z', until: 'x' }, '/until'],
  ])('of %j is malformed', async (body, pointer) => {
    const answer = await act('Recover', body)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test('during a disabling leaves nothing waiting', async () => {
    for (let count = 0; count < 5; count++) {
      await Promise.all([recover(), act('Disable')])
      expect((await statuses()).filter((one) => one.endsWith('pending'))).toEqual([])
      await act('Enable')
    }
  })
})

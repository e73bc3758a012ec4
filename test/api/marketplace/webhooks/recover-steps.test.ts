import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  readDue,
  type SendingWindow,
} from '../../../../src/marketplace/webhooks/delivery/sending-window-service.ts'
import { recoverEndpoint } from '../../../../src/marketplace/webhooks/delivery-log/recover-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { type Customer, developerCalls, newCustomer } from '../../../setup/customer.ts'
import { runPatiently } from '../../../setup/database.ts'
import { appWithWebhooks, layOut, setDelivery, storedDeliveries } from '../../../setup/webhooks.ts'

const MINUTE = 60
/** More events than one batch looks at. */
const MANY = 1_200

let market: TestMarketplace
let developer: Author
let customer: Customer
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let developerId: string
let id: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  customer = await newCustomer(market)
})
afterAll(() => market.close())

/** An app, listed two hours ago, whose endpoint has no delivery yet; the log has nothing else. */
beforeEach(async () => {
  const { db } = market.deps
  await db.event.deleteMany()
  app = await appWithWebhooks(developer)
  ;({ developerId } = await db.app.findUniqueOrThrow({ where: { id: app.appId } }))
  await layOut(market, app.appId)
  await db.event.updateMany({ data: { at: ago(120 * MINUTE) } })
  id = (await app.create()).body.id
})

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
const stored = () => storedDeliveries(market, id)
const installed = async () => {
  const answer = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
  return answer.body.id as string
}
const receiveAll = () =>
  market.deps.pool.query(
    `UPDATE webhook_deliveries SET status = 'succeeded', due_at = NULL, finished_at = now()
     WHERE endpoint_id = $1`,
    [id],
  )
/** Many events of the app at once. */
const happen = async (count: number, type = 'app.resumed', endpointId: string | null = null) => {
  await layOut(market, app.appId)
  await market.deps.pool.query(
    `INSERT INTO events (developer_id, app_id, type, endpoint_id)
     SELECT $1, $2, $3, $4 FROM generate_series(1, $5::int)`,
    [developerId, app.appId, type, endpointId, count],
  )
  await layOut(market, app.appId)
}
/** Many events that the endpoint is not sent. */
const happenUnsent = () => happen(MANY, 'webhook.disabled', id)
/** The log has events of the app at such moments alone, in this order; none of them was sent. */
const happened = async (...secondsAgo: number[]) => {
  const { db, pool } = market.deps
  await db.event.deleteMany()
  await pool.query(
    `INSERT INTO events (developer_id, app_id, type, at)
     SELECT $1, $2, 'app.resumed', at FROM unnest($3::timestamptz[]) AS at`,
    [developerId, app.appId, secondsAgo.map(ago)],
  )
  await layOut(market, app.appId)
  await db.webhookDelivery.deleteMany({ where: { endpointId: id } })
}
const often = (count: number, seconds: number) => Array.from({ length: count }, () => seconds)

/** Recovers as far as one batch goes. */
const step = (input: { all?: boolean; since?: Date; after?: number | undefined }) =>
  recoverEndpoint(
    market.deps,
    { developerId, appId: app.appId, endpointId: id },
    { since: ago(60 * MINUTE), all: false, ...input },
    { kind: 'developer', id: developerId, address: '127.0.0.1' },
    0,
  )
/** Recovers up to the first batch of which something is sent. */
const stepUntilSent = async (all: boolean) => {
  let batch = await step({ all })
  while (batch.deliveries === 0) batch = await step({ all, after: batch.position })
  return batch
}
const due = async () => {
  const turn = { windowId: randomUUID(), endpointId: id, ordered: false } as SendingWindow
  const found = await readDue(market.deps, turn, { most: 100, except: [] })
  return found.map(({ event }) => event.type)
}

describe('recovering all of an installation that the endpoint was told is gone', () => {
  test('sends its end with the first of its events, however many are between them', async () => {
    const gone = await installed()
    await happen(MANY)
    await customer.uninstall(gone)
    await layOut(market, app.appId)
    await receiveAll()
    const first = await stepUntilSent(true)
    expect(first.complete).toBe(false)
    const all = await stored()
    expect(all.at(-1)).toMatchObject({ type: 'installation.deleted', status: 'pending' })
    let { deliveries, position: after } = first
    while (after !== undefined) {
      const next = await step({ all: true, after })
      deliveries += next.deliveries
      after = next.position
    }
    expect(deliveries).toBe(MANY + 2)
  })
})

test('one step goes through a part of the log, also when the endpoint has missed nothing', async () => {
  await happen(MANY)
  await receiveAll()
  const { position } = await step({ all: false })
  const log = await market.deps.db.eventLog.findUniqueOrThrow({ where: { developerId } })
  expect(position).toBe(Number(log.position) - 200)
})

test('recovering goes on where it ended, also when what it sent was received meanwhile', async () => {
  await happen(2_500)
  await receiveAll()
  const counts: number[] = []
  let after: number | undefined
  do {
    const { deliveries, position } = await step({ all: true, after })
    counts.push(deliveries)
    after = position
    await receiveAll()
  } while (after !== undefined)
  expect(counts.reduce((sum, count) => sum + count)).toBe(2_500)
  const [, , last] = (await stored()).slice(-3)
  const since = ago(60 * MINUTE).toISOString()
  const body = { since, all: true, after: Number(last?.position) - 1 }
  const rest = await app.send('POST', `/${id}/Recover`, body)
  expect(rest.body).toEqual({ deliveries: 1, complete: true })
})

/** An installation that was suspended and uninstalled, with many other events in between. */
const goneInstallation = async () => {
  const gone = await installed()
  await happenUnsent()
  await developerCalls(market, developer.token).suspend(gone, 'A test')
  await customer.uninstall(gone)
  await layOut(market, app.appId)
}
/** Recovers batch by batch. What was due after those that sent something. */
const recovered = async (all: boolean) => {
  const seen: string[][] = []
  let deliveries = 0
  let after: number | undefined
  do {
    const batch = await step({ all, after })
    deliveries += batch.deliveries
    after = batch.position
    const now = await due()
    if (now.join() !== seen.at(-1)?.join()) seen.push(now)
  } while (after !== undefined)
  return { deliveries, seen: seen.filter((types) => types.includes('installation.created')) }
}

const WHOLE = ['installation.created', 'installation.suspended', 'installation.deleted']

describe('the end of an installation is due after all that Recover sends of it', () => {
  test('when the endpoint is told of it again', async () => {
    await goneInstallation()
    await receiveAll()
    expect(await recovered(true)).toEqual({ deliveries: 3, seen: [WHOLE.slice(0, 1), WHOLE] })
  })

  test('when it was never told of it, and the end is due already', async () => {
    await goneInstallation()
    const [created, suspended] = await stored()
    for (const one of [created, suspended]) await setDelivery(market, one?.id ?? '', {})
    expect(await due()).toEqual(WHOLE.slice(2))
    expect(await recovered(false)).toEqual({ deliveries: 3, seen: [WHOLE.slice(0, 1), WHOLE] })
  })

  test('when both are in one batch', async () => {
    const gone = await installed()
    await customer.uninstall(gone)
    await layOut(market, app.appId)
    const [created] = await stored()
    await setDelivery(market, created?.id ?? '', {})
    expect(await recovered(false)).toEqual({
      deliveries: 1,
      seen: [['installation.created', 'installation.deleted']],
    })
  })
})

test('the end comes a minute later when nobody goes on with Recover', async () => {
  await goneInstallation()
  await receiveAll()
  const batch = await stepUntilSent(true)
  expect(batch.complete).toBe(false)
  const end = (await stored()).at(-1)
  expect(end).toMatchObject({ type: 'installation.deleted', status: 'pending' })
  const waitMs = (end?.dueAt?.getTime() ?? 0) - Date.now()
  expect(waitMs).toBeGreaterThan(30_000)
  expect(waitMs).toBeLessThanOrEqual(60_000)
})

test('the end waits for each call that continues, also for one with nothing else of its installation', async () => {
  const gone = await installed()
  await happenUnsent()
  await happenUnsent()
  await developerCalls(market, developer.token).suspend(gone, 'A test')
  await customer.uninstall(gone)
  await layOut(market, app.appId)
  await receiveAll()
  let batch = await stepUntilSent(true)
  // Most of the minute later.
  const end = (await stored()).at(-1)
  const soon = new Date(Date.now() + 10_000)
  await setDelivery(market, end?.id ?? '', { status: 'pending', dueAt: soon })
  batch = await step({ all: true, after: batch.position })
  expect(batch).toMatchObject({ deliveries: 0, complete: false })
  const waitMs = ((await stored()).at(-1)?.dueAt?.getTime() ?? 0) - soon.getTime()
  expect(waitMs).toBeGreaterThan(20_000)
  while (!batch.complete) batch = await step({ all: true, after: batch.position })
  expect(await due()).toEqual(WHOLE)
})

test('a retry of the end that is far away stays where it is until its own batch', async () => {
  await goneInstallation()
  const [created, suspended, end] = await stored()
  for (const one of [created, suspended]) await setDelivery(market, one?.id ?? '', {})
  const dueAt = new Date(Date.now() + 3_600_000)
  await setDelivery(market, end?.id ?? '', { status: 'pending', dueAt })
  await stepUntilSent(false)
  expect((await stored()).at(-1)?.dueAt).toEqual(dueAt)
  expect(await recovered(false)).toMatchObject({ seen: [WHOLE.slice(0, 1), WHOLE] })
})

test('Recover begins where the log may have events of its time, however much is older', async () => {
  await happened(...often(3_500, 120 * MINUTE), 2, 1)
  expect(await step({ since: ago(MINUTE) })).toEqual({ deliveries: 2, complete: true })
})

test('so it does when the oldest events are forgotten', async () => {
  await happened(...often(3_000, 120 * MINUTE), 2, 1)
  await market.deps.pool.query(
    `DELETE FROM events WHERE id IN (
       SELECT id FROM events WHERE developer_id = $1 ORDER BY position LIMIT 1700)`,
    [developerId],
  )
  expect(await step({ since: ago(MINUTE) })).toEqual({ deliveries: 2, complete: true })
})

test('an event that began minutes before others of the log is no end of the search', async () => {
  await happened(120 * MINUTE, 1, 5 * MINUTE, 1, 5 * MINUTE, 5 * MINUTE, 5 * MINUTE)
  expect(await step({ since: ago(MINUTE) })).toEqual({ deliveries: 2, complete: true })
})

test('a position to go on from counts when it is higher', async () => {
  await happened(...often(1_500, 120 * MINUTE), 3, 2, 1)
  const { position } = await market.deps.db.eventLog.findUniqueOrThrow({ where: { developerId } })
  expect(await step({ since: ago(MINUTE), after: Number(position) - 1 })).toEqual({
    deliveries: 1,
    complete: true,
  })
  expect(await step({ since: ago(MINUTE), after: Number(position) + 7 })).toEqual({
    deliveries: 0,
    complete: true,
  })
  expect(await stored()).toHaveLength(1)
})

test('without an event of its time it is complete at once', async () => {
  await happened(...often(2_500, 120 * MINUTE))
  expect(await step({ since: ago(MINUTE) })).toEqual({ deliveries: 0, complete: true })
  await market.deps.db.event.deleteMany()
  expect(await step({ since: ago(MINUTE) })).toEqual({ deliveries: 0, complete: true })
})

describe('recovering', () => {
  test('goes through more events than one batch has, each once', async () => {
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
    const since = ago(60 * MINUTE).toISOString()
    // Where the machine is slow, one request does not get through all of them, and one that took too
    // long is sent again: it went as far as it went, and nobody was told how far.
    let recovered = 0
    let isCountKnown = true
    let after: number | undefined
    for (let isComplete = false; !isComplete; ) {
      const { status, body, text } = await app.send('POST', `/${id}/Recover`, { since, after })
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
    expect((await app.send('POST', `/${id}/Disable`)).body.pendingDeliveries).toBe(0)
    expect((await app.send('DELETE', `/${id}`)).status).toBe(204)
  })
})

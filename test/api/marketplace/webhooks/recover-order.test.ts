import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  readDue,
  type SendingWindow,
} from '../../../../src/marketplace/webhooks/delivery/sending-window-service.ts'
import { recoverEndpoint } from '../../../../src/marketplace/webhooks/delivery-log/recover-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { developerToken } from '../../../setup/client.ts'
import { type Customer, developerCalls, newCustomer } from '../../../setup/customer.ts'
import { appWithWebhooks, layOut, setDelivery, storedDeliveries } from '../../../setup/webhooks.ts'

/** More events than one batch looks at. */
const MANY = 1_200

let market: SharedMarketplace
let developer: Author
let customer: Customer
let ofDeveloper: ReturnType<typeof developerCalls>
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let developerId: string
let id: string
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  customer = await newCustomer(market)
  ofDeveloper = developerCalls(market, await developerToken(market))
})

beforeEach(async () => {
  app = await appWithWebhooks(developer)
  const stored = await market.deps.db.app.findUniqueOrThrow({ where: { id: app.appId } })
  developerId = stored.developerId
  await layOut(market, app.appId)
  // The listing is not of the time that is recovered.
  await market.deps.db.event.updateMany({
    where: { appId: app.appId },
    data: { at: new Date(Date.now() - 7_200_000) },
  })
  id = (await app.create()).body.id
})

const stored = () => storedDeliveries(market, id)
const installed = async () => {
  const answer = await customer.install({ appId: app.appId, purchaseOptionId: 'free' })
  return answer.body.id as string
}
/** Many events that the endpoint is not sent. */
const happen = async () => {
  await layOut(market, app.appId)
  await market.deps.pool.query(
    `INSERT INTO events (developer_id, app_id, type, endpoint_id)
     SELECT $1, $2, 'webhook.disabled', $3 FROM generate_series(1, $4::int)`,
    [developerId, app.appId, id, MANY],
  )
  await layOut(market, app.appId)
}
/** An installation that was suspended and uninstalled, with many other events in between. */
const goneInstallation = async () => {
  const gone = await installed()
  await happen()
  await ofDeveloper.suspend(gone, 'A test')
  await customer.uninstall(gone)
  await layOut(market, app.appId)
}
/** Recovers as far as one batch goes. */
const step = (input: { all: boolean; after?: number | undefined }) =>
  recoverEndpoint(
    market.deps,
    { developerId, appId: app.appId, endpointId: id },
    { since: new Date(Date.now() - 3_600_000), ...input },
    { kind: 'developer', id: developerId, address: '127.0.0.1' },
    0,
  )
const due = async () => {
  const turn = { turn: randomUUID(), endpointId: id, ordered: false } as SendingWindow
  const found = await readDue(market.deps, turn, { most: 100, except: [] })
  return found.map(({ event }) => event.type)
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
    for (const one of await stored()) await setDelivery(market, one.id, { status: 'succeeded' })
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
  for (const one of await stored()) await setDelivery(market, one.id, { status: 'succeeded' })
  let batch = await step({ all: true })
  while (batch.deliveries === 0) batch = await step({ all: true, after: batch.position })
  expect(batch.complete).toBe(false)
  const end = (await stored()).at(-1)
  expect(end).toMatchObject({ type: 'installation.deleted', status: 'pending' })
  const waitMs = (end?.dueAt?.getTime() ?? 0) - Date.now()
  expect(waitMs).toBeGreaterThan(30_000)
  expect(waitMs).toBeLessThanOrEqual(60_000)
})

test('the end waits for each call that continues, also for one with nothing else of its installation', async () => {
  const gone = await installed()
  await happen()
  await happen()
  await ofDeveloper.suspend(gone, 'A test')
  await customer.uninstall(gone)
  await layOut(market, app.appId)
  for (const one of await stored()) await setDelivery(market, one.id, { status: 'succeeded' })
  let batch = await step({ all: true })
  while (batch.deliveries === 0) batch = await step({ all: true, after: batch.position })
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
  let batch = await step({ all: false })
  while (batch.deliveries === 0) batch = await step({ all: false, after: batch.position })
  expect((await stored()).at(-1)?.dueAt).toEqual(dueAt)
  expect(await recovered(false)).toMatchObject({ seen: [WHOLE.slice(0, 1), WHOLE] })
})

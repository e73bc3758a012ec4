import { afterAll, beforeAll, expect, test } from 'vitest'
import { followFailing } from '../../../../src/marketplace/webhooks/delivery/failing-service.ts'
import {
  type Attempted,
  cancelRest,
  recordFailure,
  recordSuccesses,
} from '../../../../src/marketplace/webhooks/delivery/record-attempt-service.ts'
import {
  readDue,
  type SendingWindow,
} from '../../../../src/marketplace/webhooks/delivery/sending-window-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  addEndpoint,
  deliveriesOf,
  switchOften,
  twoInstallations,
} from '../../../setup/deliveries.ts'
import { fanOutAll } from '../../../setup/fan-out.ts'
import { RECEIVER } from '../../../setup/webhooks.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** An endpoint with one delivery, and an attempt of it that a process has made. */
async function attempted() {
  const { db, now } = market.deps
  const { id } = await addEndpoint(market, { url: RECEIVER })
  const { developerId } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
  await switchOften(market, twoInstallations(market)[0], 1)
  await fanOutAll(market.deps, developerId)
  const turn = { endpointId: id } as SendingWindow
  const [delivery] = await readDue(market.deps, turn, { most: 1, except: [] })
  if (delivery === undefined) throw new Error('nothing is due')
  const ended = (outcome: 'succeeded' | 'failed' | 'proxy_failed'): Attempted => ({
    ...{ delivery, url: RECEIVER, startedAt: now() },
    result: { outcome, durationMs: 1 },
  })
  return {
    ...{ id, developerId, failed: ended('failed'), succeeded: ended('succeeded') },
    proxyFailed: ended('proxy_failed'),
  }
}
const fail = (one: Attempted) => recordFailure({ ...market.deps, random: () => 0 }, one)
const once = [{ status: 'pending', attempts: 1, tries: 1, log: [{ number: 1, outcome: 'failed' }] }]

test('a failure counts once, also when it is written down again because the answer was lost', async () => {
  const { id, failed } = await attempted()
  expect(await fail(failed)).toMatchObject({ failures: 1 })
  expect(await fail(failed)).toBeUndefined()
  expect(await deliveriesOf(market, id)).toMatchObject(once)
  const where = { id }
  expect(await market.deps.db.webhookEndpoint.findUnique({ where })).toMatchObject({ failures: 1 })
})

test('a late success does not count when another process has made the attempt', async () => {
  const { id, failed, succeeded } = await attempted()
  await fail(failed)
  for (const waits of [false, true]) {
    expect(await recordSuccesses(market.deps, [succeeded], { waits })).toEqual([false])
  }
  expect(await deliveriesOf(market, id)).toMatchObject(once)
})

test('an endpoint that had a success meanwhile is not disabled for the failures before it', async () => {
  const { id, developerId } = await attempted()
  const { db, now } = market.deps
  const where = { id }
  const { appId } = await db.webhookEndpoint.findUniqueOrThrow({ where })
  const failingSince = new Date(now().getTime() - 5 * 86_400_000)
  const tried = { developerId, appId, endpointId: id, url: RECEIVER }
  const state = { failingSince, noticedPercent: 90, failures: 9 }
  await followFailing(market.deps, tried, state)
  expect(await db.webhookEndpoint.findUnique({ where })).toMatchObject({ disabledAt: null })
  await db.webhookEndpoint.update({ where, data: { failingSince } })
  await followFailing(market.deps, tried, state)
  expect(await db.webhookEndpoint.findUnique({ where })).toMatchObject({
    disabledReason: 'failing',
  })
})

test('no notice is given of failures before a success that came meanwhile', async () => {
  const { id, developerId } = await attempted()
  const { db, now } = market.deps
  const where = { id }
  const { appId } = await db.webhookEndpoint.findUniqueOrThrow({ where })
  const failingSince = new Date(now().getTime() - 3 * 86_400_000)
  const tried = { developerId, appId, endpointId: id, url: RECEIVER }
  const notices = () => db.event.count({ where: { endpointId: id, type: 'webhook.failing' } })
  const state = { failingSince, noticedPercent: 0, failures: 9 }
  await followFailing(market.deps, tried, state)
  expect(await notices()).toBe(0)
  await db.webhookEndpoint.update({ where, data: { failingSince } })
  await followFailing(market.deps, { ...tried, url: `${RECEIVER}/former` }, state)
  expect(await notices()).toBe(0)
  await followFailing(market.deps, tried, state)
  expect(await notices()).toBe(1)
})

test('a fault of the proxy does not shorten the rest of an endpoint that fails', async () => {
  const { id, proxyFailed } = await attempted()
  const { db, now } = market.deps
  const restingUntil = new Date(now().getTime() + 60_000)
  await db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  await fail(proxyFailed)
  expect(await db.webhookEndpoint.findUnique({ where: { id } })).toMatchObject({
    restingUntil,
    failures: 0,
  })
})

test('a fault of the proxy is no attempt of the schedule: the delivery is due again after 30 seconds', async () => {
  const { id, proxyFailed } = await attempted()
  const before = market.deps.now().getTime()
  await fail(proxyFailed)
  const [delivery] = await deliveriesOf(market, id)
  expect(delivery).toMatchObject({ status: 'pending', attempts: 1, tries: 0 })
  const waitMs = (delivery?.dueAt?.getTime() ?? 0) - before
  expect(Math.floor(waitMs / 1000)).toBe(30)
})

test('an endpoint that failed often rests as long as any other after a fault of the proxy', async () => {
  const { id, proxyFailed } = await attempted()
  const { db, now } = market.deps
  await db.webhookEndpoint.update({ where: { id }, data: { failures: 10 } })
  const before = now().getTime()
  await fail(proxyFailed)
  const { restingUntil } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
  expect(Math.floor(((restingUntil?.getTime() ?? 0) - before) / 1000)).toBe(30)
})

test('a success forgets the notices: an endpoint that fails anew is noticed anew', async () => {
  const { id, succeeded } = await attempted()
  const { db, now } = market.deps
  const data = { failingSince: now(), failures: 9, noticedPercent: 70 }
  await db.webhookEndpoint.update({ where: { id }, data })
  expect(await recordSuccesses(market.deps, [succeeded])).toEqual([true])
  expect(await db.webhookEndpoint.findUnique({ where: { id } })).toMatchObject({
    ...{ failingSince: null, failures: 0, noticedPercent: 0 },
  })
})

test('the end of an installation cancels what waits for it, and nothing of other installations', async () => {
  const { id, developerId, succeeded } = await attempted()
  const [ended, other] = twoInstallations(market)
  await switchOften(market, ended, 1)
  await switchOften(market, other, 1)
  await fanOutAll(market.deps, developerId)
  await cancelRest(market.deps, id, succeeded.delivery)
  const all = await deliveriesOf(market, id)
  expect(all.map(({ installationId, status }) => [installationId, status])).toEqual([
    [ended, 'pending'],
    [ended, 'cancelled'],
    [other, 'pending'],
  ])
})

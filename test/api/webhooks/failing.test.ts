import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventOf } from '../../../src/events/event-record.ts'
import { EVENT_SCHEMAS } from '../../../src/events/event-schemas.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, developerToken } from '../../setup/client.ts'
import {
  addEndpoint,
  deliveriesOf,
  eventually,
  removeEndpoints,
  switchOften,
  twoInstallations,
} from '../../setup/deliveries.ts'
import { type Receiver, startReceiver } from '../../setup/webhook-receiver.ts'

const DAY = 24 * 3600

let market: TestMarketplace
let receiver: Receiver
let installationId: string
beforeAll(async () => {
  receiver = await startReceiver()
  market = await startMarketplace({
    config: { webhookAllowedPrivateHosts: new Set([receiver.host]) },
    background: { sweepMs: 20, random: () => 0 },
  })
  installationId = twoInstallations(market)[0]
})
afterAll(async () => {
  await market.close()
  await receiver.close()
})
beforeEach(async () => {
  // What the test before has left is not for the endpoints of this one.
  await eventually(
    () => market.deps.db.event.count({ where: { position: null } }),
    (unnumbered) => unnumbered === 0,
  )
  receiver.received.length = 0
  receiver.answerWith((response) => response.writeHead(204).end())
})
afterEach(() => removeEndpoints(market))

const endpointOf = (id: string) =>
  market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
const attemptsDone = (id: string, count: number) =>
  eventually(
    () => deliveriesOf(market, id),
    (all) => all.flatMap(({ log }) => log).length >= count,
  )
const eventsOfType = (type: string) => market.deps.db.event.findMany({ where: { type } })

test('410 disables the endpoint, tells its developer and fails what waits', async () => {
  const { id } = await addEndpoint(market, receiver)
  receiver.answerWith((response) => response.writeHead(410).end())
  await switchOften(market, installationId, 2)
  await eventually(
    () => endpointOf(id),
    ({ disabledAt }) => disabledAt !== null,
  )
  expect(await endpointOf(id)).toMatchObject({ disabledReason: 'gone' })
  const deliveries = await eventually(
    () => deliveriesOf(market, id),
    (all) => all.every(({ status }) => status === 'failed'),
  )
  expect(deliveries.length).toBeGreaterThan(0)
  const told = (await eventsOfType('webhook.disabled')).filter((one) => one.endpointId === id)
  expect(told.map(({ data }) => data)).toEqual([{ reason: 'gone' }])
})

test.each([410, 500, 204])(
  '%i from the URL before a change is not held against the new one',
  async (status) => {
    const { id } = await addEndpoint(market, receiver)
    const held: (() => void)[] = []
    receiver.answerWith((response) => held.push(() => response.writeHead(status).end()))
    await switchOften(market, installationId, 1)
    await receiver.until(1)
    await call(market, 'PATCH', `/v1/Developer/Apps/price-sync/Webhooks/${id}`, {
      token: await developerToken(market),
      body: { url: `${receiver.url}/new` },
    })
    receiver.answerWith((response) => response.writeHead(204).end())
    held[0]?.()
    await attemptsDone(id, 1)
    const untried = { failures: 0, failingSince: null, lastFailureAt: null, lastSuccessAt: null }
    expect(await endpointOf(id)).toMatchObject(untried)
    await switchOften(market, installationId, 1)
    await receiver.until(2)
    expect(await endpointOf(id)).toMatchObject({ disabledAt: null })
  },
)

test('an endpoint that fails for five days is noticed at 50, 70 and 90 percent and then disabled', async () => {
  const { id } = await addEndpoint(market, receiver)
  receiver.answerWith((response) => response.writeHead(500).end())
  await switchOften(market, installationId, 1)
  await attemptsDone(id, 1)
  const { failingSince } = await endpointOf(id)
  const toPercent = async (percent: number) => {
    const target = (failingSince?.getTime() ?? 0) + (percent / 100) * 5 * DAY * 1000
    market.advance((target - market.deps.now().getTime()) / 1000 + 60)
    await switchOften(market, installationId, 1)
    return target
  }
  for (const percent of [20, 40]) {
    const target = await toPercent(percent)
    await eventually(
      () => endpointOf(id),
      ({ lastFailureAt }) => (lastFailureAt?.getTime() ?? 0) > target,
    )
  }
  for (const percent of [50, 70, 90]) {
    await toPercent(percent)
    await eventually(
      () => endpointOf(id),
      (one) => one.noticedPercent === percent,
    )
  }
  await toPercent(100)
  await eventually(
    () => endpointOf(id),
    ({ disabledReason }) => disabledReason === 'failing',
  )
  const told = (await eventsOfType('webhook.failing')).filter((one) => one.endpointId === id)
  expect(told.map(({ data }) => (data as { percent: number }).percent)).toEqual([50, 70, 90])
  const numbered = await eventually(
    () => eventsOfType('webhook.failing'),
    (all) => all.every(({ position }) => position !== null),
  )
  for (const row of numbered) {
    expect(EVENT_SCHEMAS['webhook.failing'].safeParse(eventOf(row, market.url)).success).toBe(true)
  }
  expect(told[0]?.data).toMatchObject({
    failingSince: failingSince?.toISOString(),
    disablesAt: new Date((failingSince?.getTime() ?? 0) + 5 * DAY * 1000).toISOString(),
  })
})

test('days in which nothing was tried do not count towards the five', async () => {
  const { id } = await addEndpoint(market, receiver)
  receiver.answerWith((response) => response.writeHead(500).end())
  const now = market.deps.now().getTime()
  const failingSince = new Date(now - 12 * DAY * 1000)
  const lastFailureAt = new Date(now - 9 * DAY * 1000)
  await market.deps.db.webhookEndpoint.update({
    where: { id },
    data: { failingSince, lastFailureAt, failures: 3, noticedPercent: 50 },
  })
  await switchOften(market, installationId, 1)
  await attemptsDone(id, 1)
  const endpoint = await endpointOf(id)
  expect(endpoint).toMatchObject({ disabledAt: null, noticedPercent: 0, failures: 4 })
  expect(endpoint.failingSince?.getTime()).toBeGreaterThanOrEqual(now)
})

test('a success makes a failing endpoint healthy', async () => {
  const { id } = await addEndpoint(market, receiver)
  receiver.answerWith((response) => response.writeHead(500).end())
  await switchOften(market, installationId, 1)
  await attemptsDone(id, 1)
  expect((await endpointOf(id)).failingSince).not.toBeNull()
  receiver.answerWith((response) => response.writeHead(200).end())
  market.advance(6)
  await eventually(
    () => deliveriesOf(market, id),
    ([one]) => one?.status === 'succeeded',
  )
  expect(await endpointOf(id)).toMatchObject({ failingSince: null, failures: 0 })
})

import { expect, test } from 'vitest'
import { eventOf } from '../../../../src/marketplace/events/event-record.ts'
import { EVENT_SCHEMAS } from '../../../../src/marketplace/events/event-schemas.ts'
import { call, developerToken } from '../../../setup/client.ts'
import { addEndpoint, deliveriesOf, eventually, switchOften } from '../../../setup/deliveries.ts'
import { receivingMarket } from '../../../setup/receiving-market.ts'

const DAY = 24 * 3600

const at = receivingMarket()

const eventsOfType = (type: string) =>
  at.market.deps.db.event.findMany({ where: { type }, orderBy: { written: 'asc' } })

test('410 disables the endpoint, which gets nothing more, tells its developer and fails what waits', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  at.receiver.answerWith((response) => response.writeHead(410).end())
  const restUntil = (restingUntil: Date | null) =>
    at.market.deps.db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  await restUntil(new Date(at.market.deps.now().getTime() + 3_600_000))
  await switchOften(at.market, at.installationId, 3)
  await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.length === 3,
  )
  await restUntil(null)
  await eventually(
    () => at.endpointOf(id),
    ({ disabledAt, windowId }) => disabledAt !== null && windowId === null,
  )
  expect(at.receiver.received).toHaveLength(1)
  expect(await at.endpointOf(id)).toMatchObject({ disabledReason: 'gone' })
  const deliveries = await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.every(({ status }) => status === 'failed'),
  )
  expect(deliveries.length).toBeGreaterThan(0)
  const told = (await eventsOfType('webhook.disabled')).filter((one) => one.endpointId === id)
  expect(told.map(({ data }) => data)).toEqual([{ reason: 'gone' }])
})

test.each([410, 500, 204])(
  '%i from the URL before a change is not held against the new one',
  async (status) => {
    const { id } = await addEndpoint(at.market, at.receiver)
    const held: (() => void)[] = []
    at.receiver.answerWith((response) => held.push(() => response.writeHead(status).end()))
    await switchOften(at.market, at.installationId, 1)
    await at.receiver.until(1)
    await call(at.market, 'PATCH', `/v1/Developer/Apps/price-sync/Webhooks/${id}`, {
      token: await developerToken(at.market),
      body: { url: `${at.receiver.url}/new` },
    })
    at.receiver.answerWith((response) => response.writeHead(204).end())
    held[0]?.()
    await at.attemptsDone(id, 1)
    const untried = { failures: 0, failingSince: null, lastFailureAt: null, lastSuccessAt: null }
    expect(await at.endpointOf(id)).toMatchObject(untried)
    await switchOften(at.market, at.installationId, 1)
    await at.receiver.until(2)
    expect(await at.endpointOf(id)).toMatchObject({ disabledAt: null })
  },
)

test('an endpoint that fails for five days is noticed at 50, 70 and 90 percent and then disabled', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  at.receiver.answerWith((response) => response.writeHead(500).end())
  await switchOften(at.market, at.installationId, 1)
  await at.attemptsDone(id, 1)
  const { failingSince } = await at.endpointOf(id)
  const toPercent = async (percent: number) => {
    const target = (failingSince?.getTime() ?? 0) + (percent / 100) * 5 * DAY * 1000
    at.market.advance((target - at.market.deps.now().getTime()) / 1000 + 60)
    await switchOften(at.market, at.installationId, 1)
    return target
  }
  /** Until what was due has been tried, or the endpoint rests: what is tried later is of another time. */
  const isDone = async () => {
    const now = at.market.deps.now()
    const { windowId, restingUntil } = await at.endpointOf(id)
    const isResting = restingUntil !== null && restingUntil > now
    const isDue = (await deliveriesOf(at.market, id)).some(({ dueAt }) => dueAt && dueAt <= now)
    return windowId === null && (isResting || !isDue)
  }
  const untilDone = () => eventually(isDone, (done) => done)
  for (const percent of [20, 40]) {
    const target = await toPercent(percent)
    await eventually(
      () => at.endpointOf(id),
      ({ lastFailureAt }) => (lastFailureAt?.getTime() ?? 0) > target,
    )
    await untilDone()
  }
  for (const percent of [50, 70, 90]) {
    await toPercent(percent)
    await eventually(
      () => at.endpointOf(id),
      (one) => one.noticedPercent === percent,
    )
    await untilDone()
  }
  await toPercent(100)
  await eventually(
    () => at.endpointOf(id),
    ({ disabledReason }) => disabledReason === 'failing',
  )
  const told = (await eventsOfType('webhook.failing')).filter((one) => one.endpointId === id)
  expect(told.map(({ data }) => (data as { percent: number }).percent)).toEqual([50, 70, 90])
  const numbered = await eventually(
    () => eventsOfType('webhook.failing'),
    (all) => all.every(({ position }) => position !== null),
  )
  for (const row of numbered) {
    expect(EVENT_SCHEMAS['webhook.failing'].safeParse(eventOf(row, at.market.url)).success).toBe(
      true,
    )
  }
  expect(told[0]?.data).toMatchObject({
    failingSince: failingSince?.toISOString(),
    disablesAt: new Date((failingSince?.getTime() ?? 0) + 5 * DAY * 1000).toISOString(),
  })
})

test('days in which nothing was tried do not count towards the five', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  at.receiver.answerWith((response) => response.writeHead(500).end())
  const now = at.market.deps.now().getTime()
  const failingSince = new Date(now - 12 * DAY * 1000)
  const lastFailureAt = new Date(now - 9 * DAY * 1000)
  await at.market.deps.db.webhookEndpoint.update({
    where: { id },
    data: { failingSince, lastFailureAt, failures: 3, noticedPercent: 50 },
  })
  await switchOften(at.market, at.installationId, 1)
  await at.attemptsDone(id, 1)
  const endpoint = await at.endpointOf(id)
  expect(endpoint).toMatchObject({ disabledAt: null, noticedPercent: 0, failures: 4 })
  expect(endpoint.failingSince?.getTime()).toBeGreaterThanOrEqual(now)
})

test('a success makes a failing endpoint healthy', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  at.receiver.answerWith((response) => response.writeHead(500).end())
  await switchOften(at.market, at.installationId, 1)
  await at.attemptsDone(id, 1)
  expect((await at.endpointOf(id)).failingSince).not.toBeNull()
  at.receiver.answerWith((response) => response.writeHead(200).end())
  at.market.advance(6)
  await eventually(
    () => deliveriesOf(at.market, id),
    ([one]) => one?.status === 'succeeded',
  )
  expect(await at.endpointOf(id)).toMatchObject({ failingSince: null, failures: 0 })
})

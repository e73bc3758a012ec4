import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDueEndpoints } from '../../../../src/marketplace/webhooks/delivery/due-endpoints-service.ts'
import {
  recordFailure,
  recordSuccesses,
} from '../../../../src/marketplace/webhooks/delivery/record-attempt-service.ts'
import {
  closeWindow,
  leaseDeliveries,
  openWindow,
  readDue,
  releaseDeliveries,
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
import { holdRows } from '../../../setup/turns.ts'
import { RECEIVER } from '../../../setup/webhooks.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

async function turnOf(endpointId: string): Promise<SendingWindow> {
  return (await openWindow(market.deps, endpointId)) ?? expect.unreachable('no turn is to be had')
}

/** An endpoint with deliveries that are due. */
async function endpointWith(count: number, { ordered = false } = {}): Promise<string> {
  const { id } = await addEndpoint(market, { url: RECEIVER, ordered })
  await switchOften(market, twoInstallations(market)[0], count)
  const { developerId } = await market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
  await fanOutAll(market.deps, developerId)
  return id
}

/** The ids of what a turn reads. */
const dueIn = async (turn: SendingWindow, except: readonly string[] = []) =>
  (await readDue(market.deps, turn, { most: 10, except })).map(({ id }) => id)

test('one process has the turn of an endpoint', async () => {
  const { id } = await addEndpoint(market, { url: RECEIVER })
  const first = await turnOf(id)
  expect(await openWindow(market.deps, id)).toBeUndefined()
  await closeWindow(market.deps, first)
  expect(await turnOf(id)).toMatchObject({ endpointId: id })
})

test('a process whose turn ran out does not end the turn of the next one', async () => {
  const { id } = await addEndpoint(market, { url: RECEIVER })
  const slow = await turnOf(id)
  market.advance(11)
  const next = await turnOf(id)
  await closeWindow(market.deps, slow)
  expect(await openWindow(market.deps, id)).toBeUndefined()
  await closeWindow(market.deps, next)
  expect(await turnOf(id)).toMatchObject({ endpointId: id })
})

test.each([{ ordered: false }, { ordered: true }])(
  'what a process goes on sending after its turn is sent by no other one, until the lease is over: %j',
  async (of) => {
    const id = await endpointWith(1, of)
    const first = await turnOf(id)
    const sending = await dueIn(first)
    expect(sending).toHaveLength(1)
    await leaseDeliveries(market.deps, first, sending)
    await closeWindow(market.deps, first)
    const second = await turnOf(id)
    expect(second.inFlight).toBe(1)
    expect(await dueIn(second)).toEqual([])
    await closeWindow(market.deps, second)
    market.advance(market.deps.config.webhookTimeoutSeconds + 11)
    const third = await turnOf(id)
    expect(third.inFlight).toBe(0)
    expect(await dueIn(third)).toEqual(sending)
  },
)

test('the lease of a request lasts for ten seconds more than an attempt can take', async () => {
  const id = await endpointWith(1)
  const first = await turnOf(id)
  await leaseDeliveries(market.deps, first, await dueIn(first))
  market.advance(market.deps.config.webhookTimeoutSeconds + 9)
  const second = await turnOf(id)
  expect(second.inFlight).toBe(1)
  expect(await dueIn(second)).toEqual([])
})

test('an endpoint that is disabled gets no turn, also while something still waits for it', async () => {
  const id = await endpointWith(1)
  const disabledAt = market.deps.now()
  const data = { disabledAt, disabledReason: 'developer' }
  await market.deps.db.webhookEndpoint.update({ where: { id }, data })
  expect(await openWindow(market.deps, id)).toBeUndefined()
})

test('what a process gives back when it stops is due for the next one at once', async () => {
  const id = await endpointWith(1)
  const first = await turnOf(id)
  const sending = await dueIn(first)
  await leaseDeliveries(market.deps, first, sending)
  await releaseDeliveries(market.deps, sending)
  await closeWindow(market.deps, first)
  const second = await turnOf(id)
  expect(second.inFlight).toBe(0)
  expect(await dueIn(second)).toEqual(sending)
})

test('a delivery that is done by the end of the turn gets no lease', async () => {
  const id = await endpointWith(1)
  const turn = await turnOf(id)
  const sending = await dueIn(turn)
  const finishedAt = market.deps.now()
  await market.deps.db.webhookDelivery.updateMany({
    where: { id: { in: sending } },
    data: { status: 'succeeded', dueAt: null, finishedAt },
  })
  await leaseDeliveries(market.deps, turn, sending)
  expect(await deliveriesOf(market, id)).toMatchObject([{ status: 'succeeded', lease: null }])
})

test('an ordered endpoint gets the events of the app itself one by one, too', async () => {
  const { id } = await addEndpoint(market, { url: RECEIVER, ordered: true })
  const { appId, developerId } = await market.deps.db.webhookEndpoint.findUniqueOrThrow({
    where: { id },
  })
  await market.deps.pool.query(
    `INSERT INTO events (developer_id, app_id, type)
     SELECT $1, $2, 'app.listed' FROM generate_series(1, 2)`,
    [developerId, appId],
  )
  await fanOutAll(market.deps, developerId)
  const turn = await turnOf(id)
  const first = await dueIn(turn)
  expect(first).toHaveLength(1)
  expect(await dueIn(turn, first)).toEqual([])
})

test('what waits longest is read first', async () => {
  const id = await endpointWith(3)
  const [, second, last] = await deliveriesOf(market, id)
  const since = (minutes: number) => new Date(market.deps.now().getTime() - minutes * 60_000)
  for (const [delivery, dueAt] of [
    [last, since(20)],
    [second, since(10)],
  ] as const) {
    await market.deps.db.webhookDelivery.update({
      where: { id: delivery?.id ?? '' },
      data: { dueAt },
    })
  }
  const turn = await turnOf(id)
  const first = await readDue(market.deps, turn, { most: 2, except: [] })
  expect(first.map((due) => due.id)).toEqual([last?.id, second?.id])
})

test('an endpoint that took over five seconds gets one request at a time until it is faster', async () => {
  const id = await endpointWith(4)
  const placesAfter = async (durationMs: number, outcome: 'succeeded' | 'failed') => {
    market.advance(2)
    const turn = await turnOf(id)
    const [delivery] = await readDue(market.deps, turn, { most: 1, except: [] })
    if (delivery === undefined) expect.unreachable('nothing is due')
    const startedAt = market.deps.now()
    const attempted = { delivery, url: RECEIVER, startedAt, result: { outcome, durationMs } }
    if (outcome === 'succeeded') await recordSuccesses(market.deps, [attempted])
    else await recordFailure({ ...market.deps, random: () => 0 }, attempted)
    await closeWindow(market.deps, turn)
    const next = await turnOf(id)
    await closeWindow(market.deps, next)
    return next.places
  }
  expect(await placesAfter(100, 'succeeded')).toBe(4)
  expect(await placesAfter(5_001, 'succeeded')).toBe(1)
  expect(await placesAfter(100, 'succeeded')).toBe(4)
  expect(await placesAfter(5_001, 'failed')).toBe(1)
  const { slow } = await market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
  expect(slow).toBe(true)
})

test('a look for what is due finds an endpoint that nobody serves and that has a place for what is due', async () => {
  const id = await endpointWith(2)
  const isFound = async () => (await findDueEndpoints(market.deps)).includes(id)
  const prove = () =>
    market.deps.db.webhookEndpoint.update({
      where: { id },
      data: { lastSuccessAt: market.deps.now() },
    })
  expect(await isFound()).toBe(true)
  const turn = await turnOf(id)
  expect(await isFound()).toBe(false)
  const [first = '', second = ''] = await dueIn(turn)
  await leaseDeliveries(market.deps, turn, [first])
  await closeWindow(market.deps, turn)
  // The one request that an endpoint gets before its first success is in flight.
  expect(await isFound()).toBe(false)
  await prove()
  expect(await isFound()).toBe(true)
  await leaseDeliveries(market.deps, turn, [second])
  expect(await isFound()).toBe(false)
  market.advance(market.deps.config.webhookTimeoutSeconds + 11)
  expect(await isFound()).toBe(true)
})

test('one replica at a time looks for what is due', async () => {
  const id = await endpointWith(1)
  const sql = "SELECT pg_advisory_xact_lock(hashtext('app-marketplace due endpoints'))"
  const other = await holdRows(market, sql, [])
  expect(await findDueEndpoints(market.deps)).toEqual([])
  await other.release()
  expect(await findDueEndpoints(market.deps)).toContain(id)
})

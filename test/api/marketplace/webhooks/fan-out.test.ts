import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../../../src/base/database/transaction.ts'
import { NUMBERED_AT_ONCE } from '../../../../src/marketplace/events/number-events-service.ts'
import { followFailing } from '../../../../src/marketplace/webhooks/delivery/failing-service.ts'
import { fanOut } from '../../../../src/marketplace/webhooks/delivery/fan-out-worker.ts'
import { holdEventLog } from '../../../../src/marketplace/webhooks/endpoints/read-endpoints-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type EventReader, newEventReader } from '../../../setup/events.ts'
import { appWithWebhooks, layOut, setHealth, storedDeliveries } from '../../../setup/webhooks.ts'

let market: TestMarketplace

beforeAll(async () => {
  market = await startMarketplace()
})

afterAll(() => market.close())

const numbered = (developerId: string) =>
  market.deps.db.event.count({ where: { developerId, position: { not: null } } })

test('very many events of one developer do not delay those of another', async () => {
  const readers = [await newEventReader(market), await newEventReader(market)]
  // Developers are served in the order of their ids: the one with few comes last.
  readers.sort((one, other) => (one.developerId < other.developerId ? -1 : 1))
  const [many, few] = readers as [EventReader, EventReader]
  await many.write(await many.newApp(), NUMBERED_AT_ONCE + 50)
  await few.write(await few.newApp(), 3)
  expect(await fanOut(market.deps)).toBe(true)
  expect(await numbered(many.developerId)).toBe(NUMBERED_AT_ONCE)
  expect(await numbered(few.developerId)).toBe(3)

  expect(await fanOut(market.deps)).toBe(false)
  expect(await numbered(many.developerId)).toBe(NUMBERED_AT_ONCE + 50)
})

test('a log that another transaction holds is skipped, and numbered later', async () => {
  const [held, free] = [await newEventReader(market), await newEventReader(market)]
  await held.write(await held.newApp(), 1)
  await free.write(await free.newApp(), 1)
  // The row of a log comes with its first numbering.
  await fanOut(market.deps)
  await held.write(await held.newApp(), 1)
  await free.write(await free.newApp(), 1)
  const before = await numbered(held.developerId)
  await inTransaction(market.deps.db, async (tx) => {
    await holdEventLog(tx, held.developerId)
    await fanOut(market.deps)
    expect(await numbered(held.developerId)).toBe(before)
    expect(await numbered(free.developerId)).toBe(2)
  })
  await fanOut(market.deps)
  expect(await numbered(held.developerId)).toBe(before + 1)
})

test('a notice that an endpoint fails is given once, to the other endpoints of the app', async () => {
  const { developer, developerId } = await newEventReader(market)
  const { appId, create } = await appWithWebhooks(developer)
  const events = ['webhook.failing']
  const [failing, other] = [(await create({ events })).body, (await create({ events })).body]
  const failingSince = new Date(market.deps.now().getTime() - 3 * 86_400_000)
  await setHealth(market, failing.id, { failingSince })
  const { id: endpointId, url } = failing as { id: string; url: string }
  const subject = { developerId, appId, endpointId, url }
  // Attempts that end together have read the same state.
  const state = { failingSince, noticedPercent: 0, failures: 5 }
  await Promise.all([1, 2, 3].map(() => followFailing(market.deps, subject, state)))
  await layOut(market, appId)
  const typesFor = async (id: string) =>
    (await storedDeliveries(market, id)).map(({ type }) => type)
  expect([await typesFor(failing.id), await typesFor(other.id)]).toEqual([[], events])
})

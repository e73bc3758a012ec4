import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { recoverEndpoint } from '../../../../src/marketplace/webhooks/delivery-log/recover-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { appWithWebhooks, layOut, storedDeliveries } from '../../../setup/webhooks.ts'

const MINUTE = 60

let market: TestMarketplace
let developer: Author
let app: Awaited<ReturnType<typeof appWithWebhooks>>
let developerId: string
let id: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

beforeEach(async () => {
  app = await appWithWebhooks(developer)
  const stored = await market.deps.db.app.findUniqueOrThrow({ where: { id: app.appId } })
  developerId = stored.developerId
  id = (await app.create()).body.id
  await layOut(market, app.appId)
  await market.deps.pool.query('DELETE FROM events')
})

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
/** Events of the app at such moments, in this order of the log; none of them was sent. */
const happened = async (...secondsAgo: number[]) => {
  await market.deps.pool.query(
    `INSERT INTO events (developer_id, app_id, type, at)
     SELECT $1, $2, 'app.resumed', at FROM unnest($3::timestamptz[]) AS at`,
    [developerId, app.appId, secondsAgo.map(ago)],
  )
  await layOut(market, app.appId)
  await market.deps.pool.query('DELETE FROM webhook_deliveries WHERE endpoint_id = $1', [id])
}
const often = (count: number, seconds: number) => Array.from({ length: count }, () => seconds)
/** Recovers as far as one batch goes. */
const recover = (since: Date, after?: number) =>
  recoverEndpoint(
    market.deps,
    { developerId, appId: app.appId, endpointId: id },
    { since, all: false, after },
    { kind: 'developer', id: developerId, address: '127.0.0.1' },
    0,
  )

test('Recover begins where the log may have events of its time, however much is older', async () => {
  await happened(...often(3_500, 120 * MINUTE), 2, 1)
  expect(await recover(ago(MINUTE))).toEqual({ deliveries: 2, complete: true })
})

test('so it does when the oldest events are forgotten', async () => {
  await happened(...often(3_000, 120 * MINUTE), 2, 1)
  await market.deps.pool.query(
    `DELETE FROM events WHERE id IN (
       SELECT id FROM events WHERE developer_id = $1 ORDER BY position LIMIT 1700)`,
    [developerId],
  )
  expect(await recover(ago(MINUTE))).toEqual({ deliveries: 2, complete: true })
})

test('an event that began minutes before others of the log is no end of the search', async () => {
  await happened(120 * MINUTE, 1, 5 * MINUTE, 1, 5 * MINUTE, 5 * MINUTE, 5 * MINUTE)
  expect(await recover(ago(MINUTE))).toEqual({ deliveries: 2, complete: true })
})

test('a position to go on from counts when it is higher', async () => {
  await happened(...often(1_500, 120 * MINUTE), 3, 2, 1)
  const { position } = await market.deps.db.eventLog.findUniqueOrThrow({ where: { developerId } })
  expect(await recover(ago(MINUTE), Number(position) - 1)).toEqual({
    deliveries: 1,
    complete: true,
  })
  expect(await recover(ago(MINUTE), Number(position) + 7)).toEqual({
    deliveries: 0,
    complete: true,
  })
  expect(await storedDeliveries(market, id)).toHaveLength(1)
})

test('without an event of its time it is complete at once', async () => {
  await happened(...often(2_500, 120 * MINUTE))
  expect(await recover(ago(MINUTE))).toEqual({ deliveries: 0, complete: true })
  await market.deps.pool.query('DELETE FROM events')
  expect(await recover(ago(MINUTE))).toEqual({ deliveries: 0, complete: true })
})

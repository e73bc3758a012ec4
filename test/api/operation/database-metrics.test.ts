import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabaseMetrics } from '../../../src/operation/database-metrics-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { addEndpoint } from '../../setup/deliveries.ts'
import { noteStatements } from '../../setup/statements.ts'
import { RECEIVER } from '../../setup/webhooks.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace({ isClockStopped: true })
})
afterAll(() => market.close())

/** Lays out deliveries that are due for so many seconds at an endpoint. */
async function layOut(endpointId: string, count: number, seconds: number): Promise<void> {
  const dueAt = new Date(market.deps.now().getTime() - seconds * 1000)
  await market.deps.pool.query(
    `WITH written AS (
       INSERT INTO events (developer_id, app_id, type, position)
       SELECT developer_id, app_id, 'webhook.test', 1000000 * slot + n
       FROM webhook_endpoints, generate_series(1, $2::int) AS n WHERE id = $1
       RETURNING id, position, type
     )
     INSERT INTO webhook_deliveries (endpoint_id, event_id, position, type, due_at)
     SELECT $1, id, position, type, $3 FROM written`,
    [endpointId, count, dueAt],
  )
}

async function figures(): Promise<Map<string, number>> {
  const metrics = await createDatabaseMetrics(market.deps)()
  return new Map(metrics.map(({ name, values }) => [name, values[0]?.value ?? Number.NaN]))
}

test('the delivery that waits longest is found behind more deliveries than are counted', async () => {
  const busy = await addEndpoint(market, { url: RECEIVER })
  const late = await addEndpoint(market, { url: RECEIVER })
  const ended = await addEndpoint(market, { url: RECEIVER })
  await layOut(busy.id, 10_001, 1)
  await layOut(late.id, 1, 3_600)
  await layOut(ended.id, 1, 86_400)
  await market.deps.db.webhookEndpoint.update({
    where: { id: ended.id },
    data: { disabledAt: market.deps.now(), disabledReason: 'developer' },
  })
  const found = await figures()
  expect(found.get('marketplace_webhooks_due')).toBe(10_000)
  expect(found.get('marketplace_webhooks_oldest_due_seconds')).toBe(3_600)
})

test('many scrapes at once, and those of the next seconds, ask the database once', async () => {
  const statements = noteStatements(market.deps.pool)
  const read = createDatabaseMetrics(market.deps)
  const answers = await Promise.all(Array.from({ length: 10 }, read))
  expect(await read()).toEqual(answers[0])
  const asked = statements.take().filter(({ text }) => text.includes('deliveries_due'))
  expect(asked).toHaveLength(1)
})

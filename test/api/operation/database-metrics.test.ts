import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/base/database/client.ts'
import { createDatabaseMetrics } from '../../../src/operation/metrics/database-metrics-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { addEndpoint, removeEndpoints } from '../../setup/deliveries.ts'
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
       SELECT developer_id, app_id, 'webhook.test',
         (SELECT coalesce(max(position), 0) FROM events) + n
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

test('a disabled endpoint counts as disabled alone: it neither fails nor has anything due', async () => {
  await removeEndpoints(market)
  const { now, db } = market.deps
  const [fails, ended] = [
    await addEndpoint(market, { url: RECEIVER }),
    await addEndpoint(market, { url: RECEIVER }),
  ]
  for (const { id } of [fails, ended]) {
    await layOut(id, 1, 1)
    await db.webhookEndpoint.update({ where: { id }, data: { failingSince: now() } })
  }
  const disabled = { disabledAt: now(), disabledReason: 'failing' }
  await db.webhookEndpoint.update({ where: { id: ended.id }, data: disabled })
  expect((await figures()).get('marketplace_webhooks_due')).toBe(1)
  const metrics = await createDatabaseMetrics(market.deps)()
  const endpoints = metrics.find(({ name }) => name === 'marketplace_webhook_endpoints')
  expect(endpoints?.values).toEqual([
    { labels: { state: 'failing' }, value: 1 },
    { labels: { state: 'disabled' }, value: 1 },
  ])
})

test('a scrape while Postgres is away says that it is away', async () => {
  const away = openDatabase({
    connectionString: 'postgresql://nobody@127.0.0.1:1/nothing',
    poolSize: 1,
    onIdleError: () => {},
  })
  const metrics = await createDatabaseMetrics({ ...market.deps, pool: away.pool })()
  expect(metrics).toMatchObject([
    { name: 'marketplace_database_up', values: [{ labels: {}, value: 0 }] },
  ])
  await away.close()
})

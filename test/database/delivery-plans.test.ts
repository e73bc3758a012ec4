import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM } from '../../src/base/values/actor.ts'
import {
  type Attempted,
  recordFailure,
  recordSuccesses,
} from '../../src/marketplace/webhooks/delivery/record-attempt-service.ts'
import {
  leaseDeliveries,
  type SendingWindow,
} from '../../src/marketplace/webhooks/delivery/sending-window-service.ts'
import {
  countFailedAttempts,
  countFailedAttemptsOfEach,
} from '../../src/marketplace/webhooks/delivery-log/recent-attempts-service.ts'
import { recoverEndpoint } from '../../src/marketplace/webhooks/delivery-log/recover-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author } from '../setup/apps.ts'
import { call, developerToken } from '../setup/client.ts'
import { noteStatements, openExplainer, readTooMuch, type Sent } from '../setup/statements.ts'

const DELIVERIES = 30_000
const LIMIT = 100
/** Far less than all, and more than a page with what belongs to it. */
const BOUNDS = { rows: 1_500, indexRows: 1_500 }
const TABLES = new Set(['webhook_deliveries', 'events', 'webhook_attempts'])
const RARE = '00000000-0000-4000-8000-000000000007'
const COMMON = '00000000-0000-4000-8000-000000000000'
const OLD = '00000000-0000-4000-8000-999999999999'
/** Its ten deliveries were tried over and over. */
const TRIED = '00000000-0000-4000-8000-000000000011'
const TRIED_ATTEMPTS = 900

let market: TestMarketplace
let explainer: pg.Client
let statements: ReturnType<typeof noteStatements>
let path: string
let token: string
beforeAll(async () => {
  market = await startMarketplace()
  statements = noteStatements(market.deps.pool)
  token = await developerToken(market)
  const { body } = await (await author(market)).send('POST', '/price-sync/Webhooks', {
    url: 'https://hooks.example.com/events',
  })
  path = `/v1/Developer/Apps/price-sync/Webhooks/${body.id}/Deliveries`
  explainer = await openExplainer(market.databaseUrl)
  // One a minute until now; half of them of one installation, the oldest others of one, too, and
  // ten of any other.
  await explainer.query(
    `WITH written AS (
       INSERT INTO events (developer_id, app_id, installation_id, party_id, party_type, sequence, type,
         at, position)
       SELECT a.developer_id, a.id,
         CASE WHEN n % 2 = 0 THEN $2 WHEN n < 2000 THEN $3 ELSE ('00000000-0000-4000-8000-' || lpad((n % 3000)::text, 12, '0')) END::uuid, 1, 'Seller', n,
         'installation.settings_changed', now() - (${DELIVERIES} - n) * interval '1 minute', 1000 + n
       FROM apps a, generate_series(1, ${DELIVERIES}) n WHERE a.id = 'price-sync'
       RETURNING *
     )
     INSERT INTO webhook_deliveries (endpoint_id, event_id, position, installation_id, type, status,
       created_at, finished_at)
     SELECT $1, id, position, installation_id, type, 'succeeded', at, at FROM written`,
    [body.id, COMMON, OLD],
  )
  await explainer.query(
    `UPDATE webhook_deliveries SET attempts = CASE installation_id WHEN $1 THEN ${TRIED_ATTEMPTS} ELSE 1 END`,
    [TRIED],
  )
  await explainer.query(
    `INSERT INTO webhook_attempts (delivery_id, number, at, duration_ms, outcome, status, response)
     SELECT id, number, created_at, 12, 'succeeded', 200, repeat('x', 1024)
     FROM webhook_deliveries, generate_series(1, attempts) number`,
  )
  await explainer.query('ANALYZE events, webhook_deliveries, webhook_attempts')
})
afterAll(async () => {
  await explainer?.end()
  await market?.close()
})

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

test.each([
  ['in the future', () => `since=${ago(-60)}`],
  ['a while ago', () => `since=${ago(30)}`],
  ['long ago', () => `since=${ago(DELIVERIES / 2)}`],
  ['before all', () => 'since=2020-01-01T00:00:00Z'],
  ['of a rare installation', () => `installationId=${RARE}`],
  ['of an installation that has most', () => `installationId=${COMMON}`],
  ['of an installation that has old ones only', () => `installationId=${OLD}`],
  ['of an installation whose deliveries were tried very often', () => `installationId=${TRIED}`],
  ['of no installation', () => 'installationId=00000000-0000-4000-9000-000000000000'],
])('a page of deliveries %s reads no more of the log than it shows', async (_what, query) => {
  statements.take()
  const { status } = await call(market, 'GET', `${path}?limit=${LIMIT}&${query()}`, { token })
  expect(status).toBe(200)
  const sent = statements.take().filter(({ text }) => text.includes('webhook_deliveries'))
  expect(sent).toHaveLength(1)
  for (const one of sent) expect(await readTooMuch(explainer, one, TABLES, BOUNDS)).toEqual([])
})

test.each([
  ['that were tried once', { newest: 100, tries: 1 }, 100],
  ['that were tried very often', { newest: 1, tries: TRIED_ATTEMPTS }, 900],
  ['of which one alone was tried more often', { newest: 1, tries: 3_000 }, 1_000],
])(
  'the error rate is of the last thousand attempts, at deliveries %s',
  async (_what, { newest, tries }, failed) => {
    const { developerId, appId, id } = await market.deps.db.webhookEndpoint.findFirstOrThrow()
    const found = await explainer.query<{ id: string }>(
      'SELECT id FROM webhook_deliveries ORDER BY position DESC LIMIT $1',
      [newest],
    )
    const ids = found.rows.map((one) => one.id)
    await explainer.query(
      "UPDATE webhook_attempts SET outcome = 'succeeded' WHERE outcome = 'failed'",
    )
    await explainer.query(
      `INSERT INTO webhook_attempts (delivery_id, number, at, duration_ms, outcome)
     SELECT id, number, now(), 1, 'failed' FROM unnest($1::uuid[]) id, generate_series(1, $2::int) number
     ON CONFLICT (delivery_id, number) DO UPDATE SET outcome = 'failed'`,
      [ids, tries],
    )
    await explainer.query(
      'UPDATE webhook_deliveries SET attempts = $2 WHERE id = ANY($1::uuid[])',
      [ids, tries],
    )
    statements.take()
    const figures = await countFailedAttempts(market.deps, { developerId, appId, endpointId: id })
    const [sent] = statements.take().filter(({ text }) => text.includes('webhook_attempts'))
    expect(
      await readTooMuch(explainer, sent as Sent, TABLES, { rows: 2_000, indexRows: 2_000 }),
    ).toEqual([])
    expect(figures).toEqual({ attempts: 1_000, failed })
  },
)

test('the error rates of all endpoints of an app are read by index, so many attempts of each', async () => {
  const others = await explainer.query<{ id: string }>(
    `INSERT INTO webhook_endpoints (developer_id, app_id, slot, url, secret, event_types, header_names)
     SELECT developer_id, app_id, n, url, secret, event_types, header_names FROM webhook_endpoints, generate_series(2, 16) n
     WHERE slot = 1 RETURNING id`,
  )
  await explainer.query(
    `WITH laid AS (
       INSERT INTO webhook_deliveries (endpoint_id, event_id, position, installation_id, type, status,
         attempts, created_at, finished_at)
       SELECT o.id, d.event_id, d.position, d.installation_id, d.type, 'failed', 1, d.created_at, d.finished_at
       FROM webhook_deliveries d, unnest($1::uuid[]) o (id) WHERE d.position > 1000 + ${DELIVERIES} - 1500
       RETURNING id)
     INSERT INTO webhook_attempts (delivery_id, number, at, duration_ms, outcome)
     SELECT id, 1, now(), 1, 'failed' FROM laid`,
    [others.rows.map(({ id }) => id)],
  )
  await explainer.query('ANALYZE webhook_deliveries, webhook_attempts')
  const all = await explainer.query<{ id: string }>('SELECT id FROM webhook_endpoints')
  const ids = all.rows.map(({ id }) => id)
  expect(ids).toHaveLength(16)
  statements.take()
  const figures = await countFailedAttemptsOfEach(market.deps, ids)
  const [sent] = statements.take().filter(({ text }) => text.includes('webhook_attempts'))
  const bounds = { rows: 2 * 16 * 100, indexRows: 2 * 16 * 100 }
  expect(await readTooMuch(explainer, sent as Sent, TABLES, bounds)).toEqual([])
  const rates = others.rows.map(({ id }) => figures.get(id))
  expect(rates).toEqual(others.rows.map(() => ({ attempts: 100, failed: 100 })))
})

/** After a quiet time: the indexes of what waits were empty when Postgres last looked at them. */
test('what was just sent is found by its id, however much waits since a quiet time', async () => {
  await explainer.query('ALTER TABLE webhook_deliveries SET (autovacuum_enabled = false)')
  await explainer.query('VACUUM ANALYZE webhook_deliveries')
  await explainer.query(
    `UPDATE webhook_deliveries SET status = 'pending', due_at = now(), finished_at = NULL
     WHERE installation_id = $1`,
    [COMMON],
  )
  const { pool, now, config } = market.deps
  const waiting = await explainer.query<{ id: string }>(
    "SELECT id, attempts, tries FROM webhook_deliveries WHERE status = 'pending' LIMIT 6",
  )
  const ended = (outcome: 'succeeded' | 'failed') =>
    waiting.rows.map(
      (delivery) =>
        ({
          delivery,
          url: 'https://hooks.example.com/events',
          startedAt: now(),
          result: { outcome, durationMs: 5, status: 204 },
        }) as Attempted,
    )
  const deps = { pool, now, config, random: () => 0 }
  statements.take()
  await leaseDeliveries(
    deps,
    { windowId: randomUUID() } as SendingWindow,
    waiting.rows.map(({ id }) => id),
  )
  const recorded = await recordSuccesses(deps, ended('succeeded').slice(0, 4))
  expect(recorded).toEqual([true, true, true, true])
  expect(await recordFailure(deps, ended('failed')[4] as Attempted)).toBeDefined()
  const sent = statements.take().filter(({ text }) => text.includes('webhook_deliveries'))
  expect(sent).toHaveLength(3)
  const few = { rows: 100, indexRows: 100 }
  for (const one of sent) {
    expect(await readTooMuch(explainer, one, new Set(['webhook_deliveries']), few)).toEqual([])
  }
})

/** Postgres last looked when nearly all deliveries had been removed, and takes the table for empty. */
test('Recover finds the deliveries of the events that it goes through one by one', async () => {
  await explainer.query('CREATE TEMP TABLE kept AS SELECT * FROM webhook_deliveries')
  await explainer.query('DELETE FROM webhook_attempts')
  await explainer.query('DELETE FROM webhook_deliveries WHERE installation_id <> $1', [RARE])
  await explainer.query('ANALYZE webhook_deliveries')
  await explainer.query('INSERT INTO webhook_deliveries SELECT * FROM kept ON CONFLICT DO NOTHING')
  await explainer.query('UPDATE event_logs SET position = $1', [1000 + DELIVERIES])
  const { developerId, appId, id } = await market.deps.db.webhookEndpoint.findFirstOrThrow()
  statements.take()
  const recovered = await recoverEndpoint(
    market.deps,
    { developerId, appId, endpointId: id },
    { since: new Date(Date.now() - DELIVERIES * 60_000), all: false },
    SYSTEM,
    0,
  )
  expect(recovered).toMatchObject({ complete: false })
  const sent = statements.take()
  const [batch] = sent.filter(({ text }) => text.includes('recovered AS'))
  // A thousand of them, each with the versions of its row that are dead.
  const few = { rows: 5_000, indexRows: 5_000 }
  expect(await readTooMuch(explainer, batch as Sent, new Set(['webhook_deliveries']), few)).toEqual(
    [],
  )
  const [search] = sent.filter(({ text }) => text.includes('RECURSIVE search'))
  const steps = { rows: 50, indexRows: 50 }
  expect(await readTooMuch(explainer, search as Sent, new Set(['events']), steps)).toEqual([])
})

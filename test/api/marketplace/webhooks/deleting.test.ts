import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withDeadline } from '../../../../src/base/fair-share/deadline.ts'
import { removeDeliveries } from '../../../../src/marketplace/webhooks/endpoints/delivery-batches-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import type { Answer } from '../../../setup/client.ts'
import { eventually } from '../../../setup/deliveries.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'
import { appWithWebhooks } from '../../../setup/webhooks.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

let app: Awaited<ReturnType<typeof appWithWebhooks>>
let id: string
beforeEach(async () => {
  app = await appWithWebhooks(developer)
  id = (await app.create()).body.id
})

/** Lets so many deliveries wait for the endpoint. */
async function addPending(count: number): Promise<void> {
  await market.deps.pool.query(
    `WITH made AS (
       INSERT INTO events (developer_id, app_id, type, data)
       SELECT developer_id, id, 'app.listed', '{}' FROM apps, generate_series(1, $2) WHERE id = $1
       RETURNING id
     )
     INSERT INTO webhook_deliveries (endpoint_id, event_id, position, type, due_at)
     SELECT $3, id, row_number() OVER (), 'app.listed', now() FROM made`,
    [app.appId, count, id],
  )
}
const deliveries = (status?: string) =>
  market.deps.db.webhookDelivery.count({ where: { endpointId: id, ...(status && { status }) } })

/** What a deletion answers that waits for somebody who holds rows, and then goes on. */
async function whileHeld(
  sql: string,
  values: unknown[],
  deletion: () => Promise<Answer>,
  meanwhile = async () => {},
): Promise<Answer> {
  const held = await holdRows(market, sql, values)
  try {
    const answer = deletion()
    await untilWaiting(market, 1)
    await meanwhile()
    await held.release()
    return await answer
  } finally {
    await held.release()
  }
}

/** More than one transaction removes. */
const MANY = 5_001
const CHANGE = 'UPDATE webhook_endpoints SET revision = revision + 1 WHERE id = $1'
const WAITS_FOR_LOCK = "datname = current_database() AND wait_event_type = 'Lock'"
const removeAsRead = () => app.send('DELETE', `/${id}`, undefined, { 'if-match': '"1"' })

describe('deleting an endpoint', () => {
  test('removes a long log as well', async () => {
    await addPending(MANY)
    expect((await removeAsRead()).status).toBe(204)
    expect(await deliveries()).toBe(0)
    expectProblem(await app.read(id), 'not_found')
  })

  test.each([3, MANY])(
    'that is refused, because somebody changes it, loses none of %i deliveries',
    async (count) => {
      await addPending(count)
      expectProblem(await whileHeld(CHANGE, [id], removeAsRead), 'precondition_failed')
      expect(await deliveries('pending')).toBe(count)
      expect((await app.read(id)).body.status).toBe('enabled')
    },
  )

  test('that is refused while it removes a long log leaves the endpoint disabled', async () => {
    await addPending(MANY)
    const sql = 'SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 LIMIT 1 FOR UPDATE'
    const answer = await whileHeld(sql, [id], removeAsRead, async () => {
      await market.deps.pool.query(CHANGE, [id])
    })
    expectProblem(answer, 'precondition_failed')
    expect((await app.read(id)).body).toMatchObject({
      status: 'disabled',
      disabledReason: 'developer',
    })
  })

  test('that fails while it removes a long log goes on when the same request is sent again', async () => {
    await addPending(MANY)
    const sql = 'SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 FOR UPDATE'
    const answer = await whileHeld(sql, [id], removeAsRead, async () => {
      await market.deps.pool.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
         WHERE ${WAITS_FOR_LOCK}`,
      )
      await eventually(
        () => market.deps.pool.query(`SELECT 1 FROM pg_stat_activity WHERE ${WAITS_FOR_LOCK}`),
        ({ rowCount }) => rowCount === 0,
      )
    })
    expectProblem(answer, 'unavailable')
    expect((await app.read(id)).body.status).toBe('disabled')
    expect((await removeAsRead()).status).toBe(204)
    expectProblem(await app.read(id), 'not_found')
  })

  test('whose time is nearly over says that a part of the log is gone', async () => {
    await addPending(MANY)
    await app.send('POST', `/${id}/Disable`)
    const deadline = { atMs: performance.now() + 1_500 }
    const removing = withDeadline(deadline, async () => removeDeliveries(market.deps, [id]))
    await expect(removing).rejects.toMatchObject({
      code: 'unavailable',
      message: 'A part of the long log of deliveries is deleted. Send the request again to go on.',
    })
    expect(await deliveries()).toBe(1)
    await removeDeliveries(market.deps, [id])
    expect(await deliveries()).toBe(0)
  })
})

describe('deleting an app', () => {
  test('removes a long log of its webhooks as well', async () => {
    await addPending(MANY)
    expect((await developer.remove(app.appId)).status).toBe(204)
    expect(await deliveries()).toBe(0)
  })

  test.each([3, MANY])(
    'that is refused, because somebody installs it, loses none of %i deliveries',
    async (count) => {
      await addPending(count)
      const sql = `
        WITH held AS (SELECT * FROM apps WHERE id = $1 FOR SHARE)
        INSERT INTO installations (app_id, developer_id, party_id, party_type, purchase_option_id,
          installed_version, permissions)
        SELECT a.id, a.developer_id, p.id, p.type, o.id, o.version,
          ARRAY(SELECT asked ->> 'id' FROM jsonb_array_elements(v.permissions) AS asked)
        FROM held a JOIN purchase_options o ON o.app_id = a.id
        JOIN app_versions v ON v.app_id = a.id AND v.version = o.version, parties p
        WHERE p.type = 'Seller' LIMIT 1`
      const answer = await whileHeld(sql, [app.appId], () => developer.remove(app.appId))
      expectProblem(answer, 'app_in_use')
      expect(await deliveries('pending')).toBe(count)
      expect((await app.read(id)).body.status).toBe('enabled')
    },
  )
})

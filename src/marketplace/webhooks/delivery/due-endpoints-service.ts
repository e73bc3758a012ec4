import type { PoolClient } from 'pg'
import { inSqlTransaction } from '../../../base/database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { placesAt } from './sending-window-service.ts'

/**
 * How many endpoints of one developer are found at once. Where all hang, there is no place for a
 * request to most of them, and their windows would keep those of other developers waiting.
 */
const OF_DEVELOPER_MAX = 64

/**
 * Finds the endpoints with something due that nobody sends: new events, retries, what is sent again,
 * and work of a killed process. One replica looks at a time.
 *
 * @returns up to 64 of each developer, chosen by chance; none while another replica looks
 */
export async function findDueEndpoints({
  pool,
  now,
}: Pick<Deps, 'pool' | 'now'>): Promise<string[]> {
  return inSqlTransaction(pool, async (client) => {
    return (await takeLock(client)) ? findDue(client, now()) : []
  })
}

async function takeLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtext('app-marketplace due endpoints')) AS taken",
  )
  return rows[0]?.taken === true
}

/**
 * For each endpoint that may be sent to now, one look into the index of what is due. Postgres would
 * turn EXISTS into a join that reads everything that waits. An endpoint whose requests all hang is
 * left out: it gets a window when one of them ends.
 */
async function findDue(client: PoolClient, now: Date): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM (
       SELECT id, row_number() OVER (PARTITION BY developer_id ORDER BY random()) AS nth
       FROM webhook_endpoints e
       WHERE disabled_at IS NULL AND coalesce(resting_until <= $1, true)
         AND coalesce(window_until <= $1, true)
         AND (
           SELECT true FROM webhook_deliveries d
           WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.due_at <= $1
             AND coalesce(d.lease_until <= $1, true)
           ORDER BY d.due_at, d.position LIMIT 1
         )
         AND ${placesAt('$1')} > (
           SELECT count(*) FROM webhook_deliveries d
           WHERE d.endpoint_id = e.id AND d.lease IS NOT NULL AND d.lease_until > $1
         )
     ) AS due WHERE nth <= ${OF_DEVELOPER_MAX}`,
    [now],
  )
  return rows.map(({ id }) => id)
}

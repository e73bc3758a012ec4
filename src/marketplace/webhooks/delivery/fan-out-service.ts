import type { PoolClient } from 'pg'
import { inSqlTransaction } from '../../../base/database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import {
  NUMBERED_AT_ONCE,
  type NumberedEvents,
  numberEvents,
} from '../../events/number-events-service.ts'
import { IS_WANTED } from '../endpoints/wanted-events.ts'

/**
 * Numbers up to 250 new events of one developer and creates a delivery for each endpoint that wants
 * one, in one transaction. The transaction holds the developer's event log, so no endpoint is
 * disabled meanwhile.
 *
 * @returns whether there may be more events to number
 */
export async function fanOutBatch(
  { pool, now }: Pick<Deps, 'pool' | 'now'>,
  developerId: string,
): Promise<boolean> {
  return inSqlTransaction(pool, async (client) => {
    const numbered = await numberEvents(client, developerId)
    if (numbered === undefined) return false
    await layOutDeliveries(client, developerId, numbered, now())
    return numbered.count === NUMBERED_AT_ONCE
  })
}

async function layOutDeliveries(
  client: PoolClient,
  developerId: string,
  { count, last }: NumberedEvents,
  now: Date,
): Promise<void> {
  await client.query(
    `INSERT INTO webhook_deliveries
       (endpoint_id, event_id, position, installation_id, type, due_at, created_at)
     SELECT w.id, e.id, e.position, e.installation_id, e.type, $4, $4
     FROM events e JOIN webhook_endpoints w USING (app_id)
     WHERE e.developer_id = $1 AND e.position > $3::bigint - $2::int AND w.disabled_at IS NULL
       AND ${IS_WANTED}`,
    [developerId, count, last, now],
  )
}

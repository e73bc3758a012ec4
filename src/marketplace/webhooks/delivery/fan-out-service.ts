import type { PoolClient } from 'pg'
import { inSqlTransaction } from '../../../base/database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import {
  NUMBERED_AT_ONCE,
  type NumberedEvents,
  numberEvents,
} from '../../events/number-events-service.ts'
import { IS_WANTED } from '../endpoints/wanted-events.ts'

/** The result of one fan-out of a developer's new events. */
export type FannedOut = {
  /** Endpoints that have something to send now. */
  endpointIds: string[]
  /** Whether there may be more events to number. */
  isMore: boolean
}

/**
 * Numbers up to 250 new events of one developer and creates a delivery for each endpoint that wants
 * one, in one transaction. The transaction holds the developer's event log, so no endpoint is
 * disabled meanwhile.
 */
export async function fanOutBatch(
  { pool, now }: Pick<Deps, 'pool' | 'now'>,
  developerId: string,
): Promise<FannedOut> {
  return inSqlTransaction(pool, async (client) => {
    const numbered = await numberEvents(client, developerId)
    if (numbered === undefined) return { endpointIds: [], isMore: false }
    const endpointIds = await layOutDeliveries(client, developerId, numbered, now())
    return { endpointIds, isMore: numbered.count === NUMBERED_AT_ONCE }
  })
}

async function layOutDeliveries(
  client: PoolClient,
  developerId: string,
  { count, last }: NumberedEvents,
  now: Date,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH laid_out AS (
       INSERT INTO webhook_deliveries
         (endpoint_id, event_id, position, installation_id, type, due_at, created_at)
       SELECT w.id, e.id, e.position, e.installation_id, e.type, $4, $4
       FROM events e JOIN webhook_endpoints w USING (app_id)
       WHERE e.developer_id = $1 AND e.position > $3::bigint - $2::int AND w.disabled_at IS NULL
         AND ${IS_WANTED}
       RETURNING endpoint_id
     )
     SELECT DISTINCT endpoint_id AS id FROM laid_out`,
    [developerId, count, last, now],
  )
  return rows.map(({ id }) => id)
}

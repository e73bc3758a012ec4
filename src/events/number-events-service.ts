import type { PoolClient } from 'pg'
import { inSqlTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'

/** Events that one transaction numbers at most. */
const NUMBERED_AT_ONCE = 1_000

type NumberingDeps = Pick<Deps, 'pool' | 'now'>

/**
 * Numbers the new events of one developer and lays them out for the endpoints that want them, in
 * one transaction. Whoever does it holds the row of the developer's log, so that replicas take turns
 * and readers see positions without gaps: a position is given only when all lower ones are visible.
 *
 * The events of one installation were written in the order of their sequence, each after the one
 * before had been committed; numbering in the order of writing therefore never contradicts it.
 *
 * @returns the endpoints that have something to send now
 */
export async function numberEvents(deps: NumberingDeps, developerId: string): Promise<string[]> {
  const endpointIds = new Set<string>()
  for (;;) {
    const { numbered, endpoints } = await numberBatch(deps, developerId)
    for (const id of endpoints) endpointIds.add(id)
    if (numbered < NUMBERED_AT_ONCE) return [...endpointIds]
  }
}

/** As `numberEvents`, up to 1,000 events: those of others wait no longer than that. */
export function numberBatch({ pool, now }: NumberingDeps, developerId: string) {
  return inSqlTransaction(pool, (client) => numberSome(client, developerId, now()))
}

async function numberSome(client: PoolClient, developerId: string, now: Date) {
  await client.query(
    'INSERT INTO event_logs (developer_id) VALUES ($1) ON CONFLICT (developer_id) DO NOTHING',
    [developerId],
  )
  // The lock comes first: what the next statement sees includes all that others have numbered.
  await client.query('SELECT 1 FROM event_logs WHERE developer_id = $1 FOR UPDATE', [developerId])
  const { rowCount } = await client.query(
    `WITH log AS (SELECT position FROM event_logs WHERE developer_id = $1),
     fresh AS (
       SELECT id, row_number() OVER (ORDER BY written) AS nth FROM (
         SELECT id, written FROM events WHERE developer_id = $1 AND position IS NULL
         ORDER BY written LIMIT ${NUMBERED_AT_ONCE}
       ) AS waiting
     )
     UPDATE events e SET position = log.position + fresh.nth
     FROM fresh, log WHERE e.id = fresh.id`,
    [developerId],
  )
  const numbered = rowCount ?? 0
  if (numbered === 0) return { numbered, endpoints: [] }
  const { rows } = await client.query<{ endpoint_id: string }>(
    `WITH log AS (
       UPDATE event_logs SET position = position + $2 WHERE developer_id = $1
       RETURNING position
     ),
     laid_out AS (
       INSERT INTO webhook_deliveries
         (endpoint_id, event_id, position, installation_id, type, due_at, created_at)
       SELECT w.id, e.id, e.position, e.installation_id, e.type, $3, $3
       FROM log, events e JOIN webhook_endpoints w USING (app_id)
       WHERE e.developer_id = $1 AND e.position > log.position - $2 AND w.disabled_at IS NULL
         AND CASE WHEN e.type = 'webhook.test' THEN w.id = e.endpoint_id
             ELSE w.id IS DISTINCT FROM e.endpoint_id
               AND (w.event_types = '{}' OR e.type = ANY (w.event_types)) END
       RETURNING endpoint_id
     )
     SELECT DISTINCT endpoint_id FROM laid_out`,
    [developerId, numbered, now],
  )
  return { numbered, endpoints: rows.map((row) => row.endpoint_id) }
}

/** Developers with events that have no numbers yet: a look into an index of these alone. */
export async function findUnnumbered({ pool }: Pick<Deps, 'pool'>): Promise<string[]> {
  const { rows } = await pool.query<{ developer_id: string }>(
    'SELECT DISTINCT developer_id FROM events WHERE position IS NULL',
  )
  return rows.map((row) => row.developer_id)
}

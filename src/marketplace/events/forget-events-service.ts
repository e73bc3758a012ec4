import type { PoolClient } from 'pg'
import { inSqlTransaction } from '../../base/database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { EVENTS_KEPT_DAYS } from './event-record.ts'

/** Events that one transaction removes at most, with all their deliveries and attempts. */
const FORGOTTEN_AT_ONCE = 500
const DAY_MS = 86_400_000
/** Name of the lock: one replica at a time. */
const LOCK = 'app-marketplace old events'

/**
 * Removes the events that are older than 30 days, with their deliveries, and keeps how far each log
 * is forgotten. A log is forgotten from its beginning on, so that what is kept has no gap: an old
 * event stays while one before it is young, and so do events without a position.
 *
 * Does nothing while another replica is at it.
 *
 * @param signal when it says so, the rest is left for the next time
 * @returns how many events were removed
 */
export async function forgetOldEvents(
  { pool, now }: Pick<Deps, 'pool' | 'now'>,
  signal?: AbortSignal,
): Promise<number> {
  const before = new Date(now().getTime() - EVENTS_KEPT_DAYS * DAY_MS)
  const { rows } = await pool.query<{ developer_id: string }>(
    `SELECT l.developer_id FROM event_logs l
     JOIN events e ON e.developer_id = l.developer_id AND e.position = l.forgotten + 1
     WHERE e.at < $1`,
    [before],
  )
  let sum = 0
  for (const { developer_id } of rows) {
    let forgotten: number
    do {
      if (signal?.aborted) return sum
      forgotten = await inSqlTransaction(pool, (client) => forgetSome(client, developer_id, before))
      sum += forgotten
    } while (forgotten === FORGOTTEN_AT_ONCE)
  }
  return sum
}

async function forgetSome(client: PoolClient, developerId: string, before: Date): Promise<number> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS locked',
    [LOCK],
  )
  if (!rows[0]?.locked) return 0
  const { rowCount } = await client.query(
    `DELETE FROM events e USING (
       SELECT position, bool_and(at < $2) OVER (ORDER BY position) AS is_old FROM (
         SELECT e.position, e.at FROM event_logs l
         JOIN events e ON e.developer_id = l.developer_id AND e.position > l.forgotten
         WHERE l.developer_id = $1
         ORDER BY e.position LIMIT ${FORGOTTEN_AT_ONCE}
       ) AS first
     ) AS oldest
     WHERE e.developer_id = $1 AND e.position = oldest.position AND oldest.is_old`,
    [developerId, before],
  )
  const forgotten = rowCount ?? 0
  await client.query('UPDATE event_logs SET forgotten = forgotten + $2 WHERE developer_id = $1', [
    developerId,
    forgotten,
  ])
  return forgotten
}

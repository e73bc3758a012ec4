import type { Pool, PoolClient } from 'pg'

/** Events that one transaction numbers at most: those of other developers wait for no more. */
export const NUMBERED_AT_ONCE = 250

/** Events that were numbered: how many, and the position of the last one. */
export type NumberedEvents = { count: number; last: string }

/**
 * Numbers the oldest new events of one developer, in the transaction of the caller. It holds the row
 * of the developer's log from then on, so that readers see positions without gaps: a position is
 * given only when all lower ones are visible. Where another server is numbering, it does nothing.
 *
 * The events of one installation were written in the order of their sequence, each after the one
 * before had been committed; numbering in the order of writing therefore never contradicts it.
 *
 * @returns undefined when there is nothing to number, or somebody else is at it
 */
export async function numberEvents(
  client: PoolClient,
  developerId: string,
): Promise<NumberedEvents | undefined> {
  await client.query(
    'INSERT INTO event_logs (developer_id) VALUES ($1) ON CONFLICT (developer_id) DO NOTHING',
    [developerId],
  )
  // The lock comes first: what the next statement sees includes all that others have numbered.
  const { rowCount: held } = await client.query(
    'SELECT 1 FROM event_logs WHERE developer_id = $1 FOR UPDATE SKIP LOCKED',
    [developerId],
  )
  if (held === 0) return undefined
  const { rows } = await client.query<NumberedEvents>(
    `WITH log AS (SELECT position FROM event_logs WHERE developer_id = $1),
     fresh AS (
       SELECT id, row_number() OVER (ORDER BY written) AS nth FROM (
         SELECT id, written FROM events WHERE developer_id = $1 AND position IS NULL
         ORDER BY written LIMIT ${NUMBERED_AT_ONCE}
       ) AS waiting
     ),
     numbered AS (
       UPDATE events e SET position = log.position + fresh.nth
       FROM fresh, log WHERE e.id = fresh.id
       RETURNING 1
     )
     UPDATE event_logs SET position = position + count FROM (SELECT count(*)::int FROM numbered) AS n
     WHERE developer_id = $1 AND count > 0
     RETURNING count, position AS last`,
    [developerId],
  )
  return rows[0]
}

/**
 * Developers with events that have no numbers yet: one step for each through an index of these events
 * alone, however many one has.
 */
export async function findUnnumbered({ pool }: { pool: Pool }): Promise<string[]> {
  const { rows } = await pool.query<{ developer_id: string }>(
    `WITH RECURSIVE waiting AS (
       (SELECT developer_id FROM events WHERE position IS NULL ORDER BY developer_id LIMIT 1)
       UNION ALL
       SELECT next.developer_id FROM waiting CROSS JOIN LATERAL (
         SELECT developer_id FROM events
         WHERE position IS NULL AND developer_id > waiting.developer_id
         ORDER BY developer_id LIMIT 1
       ) AS next
     )
     SELECT developer_id FROM waiting`,
  )
  return rows.map((row) => row.developer_id)
}

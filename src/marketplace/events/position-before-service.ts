import type { Pool } from 'pg'

/**
 * How much earlier than an event before it in the log an event may have begun. `at` is when a
 * transaction began, positions are given after it has ended: transactions take seconds, and clocks of
 * two database servers differ by less.
 */
const DISORDER_MAX_MINUTES = 10

/**
 * Finds a position of a developer's log, of a range of it, after which all events since a time stand:
 * a binary search, because there is no index of times in the order of a log. Up to ten minutes of
 * older events may stand there, too.
 *
 * @param range `after`: the position before the range, also the least that is returned; `head`: its
 *   last position
 */
export async function positionBefore(
  pool: Pool,
  developerId: string,
  since: Date,
  { after, head }: { after: string; head: string },
): Promise<string> {
  const { rows } = await pool.query<{ before: string }>(
    `WITH RECURSIVE search AS (
       SELECT $2::bigint + 1 AS low, $3::bigint + 1 AS high
       UNION ALL
       SELECT CASE WHEN is_old THEN position + 1 ELSE low END, CASE WHEN is_old THEN high ELSE middle END
       FROM search
       CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) AS half
       LEFT JOIN LATERAL (
         SELECT position, at < $4::timestamptz - interval '${DISORDER_MAX_MINUTES} min' AS is_old
         FROM events WHERE developer_id = $1 AND position >= middle ORDER BY position LIMIT 1
       ) AS found ON true
       WHERE low < high
     )
     SELECT low - 1 AS before FROM search WHERE low >= high`,
    [developerId, after, head, since],
  )
  return rows[0]?.before ?? after
}

import type { Pool, PoolClient } from 'pg'
import { inSqlTransaction } from '../../base/database/transaction.ts'
import { recordInstallationEventSql } from '../events/record-event-service.ts'
import { budgetOfDay, NEAR_PERCENT } from './budget.ts'
import { dayText } from './days.ts'
import type { UsageCount } from './held-usage.ts'

/**
 * Adds counts to the days of their installations, in one transaction, with an event for each
 * installation that has come near its budget of a day by them.
 *
 * @param counts in the order of their keys: replicas that write at the same time take the rows in the
 *   same order, and none waits for the other in turn
 * @param limitPerMinute requests of one installation; null without a limit
 */
export async function writeUsage(
  pool: Pool,
  counts: readonly UsageCount[],
  limitPerMinute: number | null,
): Promise<void> {
  await inSqlTransaction(pool, async (client) => {
    await client.query(ADD_COUNTS, [JSON.stringify(counts.map(rowOf))])
    if (limitPerMinute !== null) await tellWhoIsNear(client, counts, limitPerMinute)
  })
}

const ADD_COUNTS = `
  INSERT INTO usage_days AS u
    (installation_id, day, permission, requests, records, refusals, last_used_at)
  SELECT installation_id, day, permission, requests, records, refusals, last_used_at
  FROM json_to_recordset($1) AS r (installation_id uuid, day date, permission text,
    requests bigint, records bigint, refusals jsonb, last_used_at timestamptz)
  ORDER BY installation_id, day, permission
  ON CONFLICT (installation_id, day, permission) DO UPDATE SET
    requests = u.requests + excluded.requests,
    records = u.records + excluded.records,
    last_used_at = greatest(u.last_used_at, excluded.last_used_at),
    refusals = CASE WHEN excluded.refusals = '{}' THEN u.refusals ELSE (
      SELECT jsonb_object_agg(code, count) FROM (
        SELECT key AS code, sum(value::bigint) AS count FROM (
          SELECT * FROM jsonb_each_text(u.refusals)
          UNION ALL SELECT * FROM jsonb_each_text(excluded.refusals)
        ) AS of_both GROUP BY key
      ) AS sums
    ) END`

function rowOf({ installationId, day, permission, usedAtMs, ...counts }: UsageCount) {
  return {
    installation_id: installationId,
    day: dayText(day),
    permission,
    ...counts,
    last_used_at: usedAtMs === null ? null : new Date(usedAtMs),
  }
}

/**
 * Tells the developers of installations that have come near their budget of a day. The row of the
 * installation says for which day its developer was told: of replicas that see it at the same time,
 * one tells. What a replica adds to another permission in the same moment is seen with the next write.
 */
async function tellWhoIsNear(
  client: PoolClient,
  counts: readonly UsageCount[],
  limitPerMinute: number,
): Promise<void> {
  const dayBudget = budgetOfDay(limitPerMinute)
  const { rows } = await client.query<{ id: string; day: string; requests: number }>(NEAR, [
    counts.map(({ installationId }) => installationId),
    counts.map(({ day }) => dayText(day)),
    (dayBudget * NEAR_PERCENT) / 100,
  ])
  for (const { id, day, requests } of rows) {
    const { rowCount } = await client.query(
      `UPDATE installations SET budget_near_on = $2
       WHERE id = $1 AND live AND (budget_near_on IS NULL OR budget_near_on < $2)`,
      [id, day],
    )
    if (rowCount === 0) continue
    const details = { day, percent: NEAR_PERCENT, requests, limitPerMinute, dayBudget }
    await recordInstallationEventSql(client, 'budget.near', id, details)
  }
}

/** Installations in the order of their ids, in which each transaction locks them. */
const NEAR = `
  SELECT i.id, u.day::text, u.requests::float8
  FROM (
    SELECT installation_id, day,
      sum(requests - coalesce((refusals ->> 'too_many_requests')::bigint, 0)) AS requests
    FROM (SELECT DISTINCT id, day FROM unnest($1::uuid[], $2::date[]) AS k (id, day)) AS counted
    JOIN LATERAL (
      SELECT * FROM usage_days d WHERE d.installation_id = counted.id AND d.day = counted.day
    ) AS u USING (day)
    GROUP BY installation_id, day
  ) AS u
  JOIN installations i ON i.id = u.installation_id
  WHERE u.requests >= $3 AND i.live AND (i.budget_near_on IS NULL OR i.budget_near_on < u.day)
  ORDER BY i.id, u.day`

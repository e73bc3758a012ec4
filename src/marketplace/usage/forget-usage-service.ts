import type { Deps } from '../../deps.ts'
import { dayAt, dayText } from './days.ts'
import { USAGE_KEPT_DAYS } from './usage.ts'

/** Counts that one statement removes at most. */
const FORGOTTEN_AT_ONCE = 1_000

/**
 * Removes the counts of days that are no longer kept. What another replica removes at this moment is
 * left to that.
 *
 * @param signal when it says so, the rest is left for the next time
 */
export async function forgetUsage(
  { pool, now }: Pick<Deps, 'pool' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const keptFrom = dayText(dayAt(now()) - USAGE_KEPT_DAYS + 1)
  let count: number
  do {
    if (signal?.aborted) return
    const { rowCount } = await pool.query(
      `DELETE FROM usage_days WHERE (installation_id, day, permission) IN (
         SELECT installation_id, day, permission FROM usage_days WHERE day < $1
         ORDER BY day LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
      [keptFrom],
    )
    count = rowCount ?? 0
  } while (count === FORGOTTEN_AT_ONCE)
}

import type { Deps } from '../../deps.ts'
import { NOTIFICATIONS_KEPT_DAYS, NOTIFICATIONS_MAX } from './notification.ts'

const DAY_MS = 86_400_000
/** Notifications that one statement removes at most. */
const FORGOTTEN_AT_ONCE = 1_000

/**
 * Removes notifications that are older than 90 days, and of each person all but the 200 newest. What
 * another replica removes at this moment is left to that.
 *
 * @param signal when it says so, the rest is left for the next time
 */
export async function forgetNotifications(
  { pool, now }: Pick<Deps, 'pool' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - NOTIFICATIONS_KEPT_DAYS * DAY_MS)
  for (const [which, values] of [
    [OLD, [before]],
    [BEYOND_MAX, []],
  ] as const) {
    let count: number
    do {
      if (signal?.aborted) return
      const { rowCount } = await pool.query(
        `DELETE FROM notifications WHERE id IN (
           SELECT id FROM notifications WHERE id IN (${which}) FOR UPDATE SKIP LOCKED)`,
        [...values],
      )
      count = rowCount ?? 0
    } while (count === FORGOTTEN_AT_ONCE)
  }
}

/** Ids rise with time: the oldest are the first of the primary key. */
const OLD = `
  SELECT id FROM (
    SELECT id, created_at FROM notifications ORDER BY id LIMIT ${FORGOTTEN_AT_ONCE}
  ) AS first WHERE created_at < $1`

const BEYOND_MAX = `
  SELECT n.id FROM (
    SELECT user_id FROM notifications GROUP BY user_id HAVING count(*) > ${NOTIFICATIONS_MAX}
  ) AS full_ones, LATERAL (
    SELECT id FROM notifications WHERE user_id = full_ones.user_id
    ORDER BY id DESC OFFSET ${NOTIFICATIONS_MAX}
  ) AS n LIMIT ${FORGOTTEN_AT_ONCE}`

import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type MinuteWrites, writeEveryMinute } from '../../base/concurrency/every-minute.ts'
import { createOutageLog } from '../../base/log/outage-log.ts'
import { createHeldUsage, type HeldUsage } from './held-usage.ts'
import { writeUsage } from './write-usage-service.ts'

/** Counts that one process holds: an installation has one for each permission that it uses. */
const HELD_MAX = 50_000
/** With so many, they are written before the minute is over. */
const WRITTEN_AT = HELD_MAX / 2
/** They are written in one transaction. */
const ROWS_AT_ONCE = 1_000

/**
 * Counts the requests of installations in memory, and adds the counts to the database once a minute.
 * Counts whose write was committed but not answered, as when a primary is lost, are written twice.
 */
export type UsageCounts = MinuteWrites<Pool> & Pick<HeldUsage, 'add'>

/**
 * The counts of a process.
 *
 * @param limitPerMinute requests of one installation; null without a limit
 */
export function createUsageCounts(
  pool: Pool,
  log: Pick<Logger, 'warn' | 'info'>,
  limitPerMinute: number | null,
): UsageCounts {
  const outage = createOutageLog(log, {
    away: 'the use of permissions was not written; it is kept',
    back: 'the use of permissions is written again',
  })
  const held = createHeldUsage(HELD_MAX)
  let isAway = false
  const writes = writeEveryMinute(pool, async (to) => {
    const counts = held.take()
    for (let first = 0; first < counts.length; first += ROWS_AT_ONCE) {
      const some = counts.slice(first, first + ROWS_AT_ONCE)
      try {
        await writeUsage(to, some, limitPerMinute)
        isAway = false
        outage.succeeded()
      } catch (error) {
        isAway = true
        outage.failed(error)
        held.giveBack(some)
      }
    }
  })
  return {
    ...writes,
    add(installationId, permission, records, refusal, atMs) {
      held.add(installationId, permission, records, refusal, atMs)
      // What could not be written waits for the next minute.
      if (!isAway && held.size() >= WRITTEN_AT) void writes.write()
    },
  }
}

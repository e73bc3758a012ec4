import type { Db } from '../../../base/database/transaction.ts'
import { currentDeadline, NO_DEADLINE } from '../../../base/fair-share/deadline.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'

/** Rows of one statement: far less than a second of work. */
const BATCH_ROWS = 5_000
/** What is left of the time of a request when it removes no further part: it has to say so. */
const ENDING_MS = 2_000
const RETRY_AFTER_SECONDS = 1

/**
 * Fails what waits for a disabled endpoint, in parts. Stops when the endpoint is enabled again, and
 * after the part under way when the signal says so.
 */
export async function failPending(
  { pool, now }: Pick<Deps, 'pool' | 'now'>,
  endpointId: string,
  signal?: AbortSignal,
): Promise<void> {
  let changed: number
  do {
    const { rowCount } = await pool.query(
      `UPDATE webhook_deliveries
       SET status = 'failed', due_at = NULL, lease = NULL, lease_until = NULL, finished_at = $2
       WHERE id = ANY (ARRAY(
         SELECT d.id FROM webhook_deliveries d
         JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.disabled_at IS NOT NULL
         WHERE d.endpoint_id = $1 AND d.status = 'pending'
         LIMIT ${BATCH_ROWS}
         FOR UPDATE OF d
       ))`,
      [endpointId, now()],
    )
    changed = rowCount ?? 0
  } while (changed === BATCH_ROWS && !signal?.aborted)
}

/** Whether endpoints have more deliveries than the transaction that deletes them should remove. */
export async function haveLongLog(db: Db, endpointIds: readonly string[]): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT 1 FROM webhook_deliveries WHERE endpoint_id = ANY (${endpointIds}::uuid[])
    OFFSET ${BATCH_ROWS} LIMIT 1`
  return rows.length > 0
}

/**
 * Removes the deliveries of disabled endpoints with their attempts, in parts. Stops when they are
 * enabled again.
 *
 * @throws AppError unavailable when the time of the request does not suffice; a repetition goes on
 */
export async function removeDeliveries(
  { pool }: Pick<Deps, 'pool'>,
  endpointIds: readonly string[],
): Promise<void> {
  let removed: number
  do {
    const { rowCount } = await pool.query(
      `DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
         SELECT d.id FROM webhook_deliveries d
         JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.disabled_at IS NOT NULL
         WHERE d.endpoint_id = ANY ($1) LIMIT ${BATCH_ROWS}
       ))`,
      [endpointIds],
    )
    removed = rowCount ?? 0
    if (removed === BATCH_ROWS) requireTime()
  } while (removed === BATCH_ROWS)
}

function requireTime(): void {
  const { atMs } = currentDeadline() ?? NO_DEADLINE
  if (performance.now() < atMs - ENDING_MS) return
  throw new AppError('unavailable', {
    detail: 'A part of the long log of deliveries is deleted. Send the request again to go on.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

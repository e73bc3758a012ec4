import type { Deps } from '../../../deps.ts'
import { failPending } from './delivery-batches-service.ts'

/**
 * Cleans up: deliveries that still wait for a disabled endpoint because the process that disabled
 * it was killed, and secrets that no longer sign.
 *
 * @param signal when it says so, the rest is left for the next time
 */
export async function tidyEndpoints(
  deps: Pick<Deps, 'pool' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  await deps.pool.query(
    `UPDATE webhook_endpoints SET
       previous_secret = NULL, previous_secret_until = NULL, previous_secret_sha256 = NULL
     WHERE id = ANY (ARRAY(
       SELECT id FROM webhook_endpoints WHERE previous_secret_until <= $1
       FOR NO KEY UPDATE SKIP LOCKED
     ))`,
    [deps.now()],
  )
  const { rows } = await deps.pool.query<{ id: string }>(
    `SELECT id FROM webhook_endpoints e
     WHERE disabled_at IS NOT NULL AND EXISTS (
       SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'pending'
     )`,
  )
  for (const { id } of rows) {
    if (signal?.aborted) return
    await failPending(deps, id, signal)
  }
}

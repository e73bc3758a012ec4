import type { Pool } from 'pg'

/**
 * Ends the rest of an endpoint that has failed often: somebody wants something sent now. If that
 * fails, too, it rests again.
 */
export async function endRest(pool: Pick<Pool, 'query'>, endpointId: string): Promise<void> {
  await pool.query(
    'UPDATE webhook_endpoints SET resting_until = NULL WHERE id = $1 AND resting_until IS NOT NULL',
    [endpointId],
  )
}

import type { Pool } from 'pg'
import type { Deps } from '../../../deps.ts'
import { failPending } from './delivery-batches-service.ts'
import { type EndpointSubject, findEndpoint, requireEnabled } from './read-endpoints-service.ts'

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

/**
 * Ends the rest of an endpoint whose deliveries are sent again. Sending again keeps nobody from
 * disabling the endpoint; what became due after that fails like everything else that waited.
 *
 * @throws AppError conflict when the endpoint was disabled meanwhile, not_found
 */
export async function endRestUnlessDisabled(
  deps: Pick<Deps, 'db' | 'pool' | 'now'>,
  subject: EndpointSubject,
): Promise<void> {
  const endpoint = await findEndpoint(deps.db, subject)
  if (endpoint.disabledAt !== null) await failPending(deps, subject.endpointId)
  requireEnabled(endpoint)
  await endRest(deps.pool, subject.endpointId)
}

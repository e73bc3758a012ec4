import type { Deps } from '../../../deps.ts'
import { failPending } from './delivery-batches-service.ts'
import { endRest } from './end-rest-service.ts'
import { type EndpointSubject, findEndpoint, requireEnabled } from './read-endpoints-service.ts'
import { wakeEndpoint } from './wake-endpoint-service.ts'

/**
 * Wakes an endpoint whose deliveries are sent again, also when it rests. Sending again keeps nobody
 * from disabling the endpoint; what became due after that fails like everything else that waited.
 *
 * @throws AppError conflict when the endpoint was disabled meanwhile, not_found
 */
export async function wakeUnlessDisabled(
  deps: Pick<Deps, 'db' | 'pool' | 'jobs' | 'now' | 'log'>,
  subject: EndpointSubject,
): Promise<void> {
  const endpoint = await findEndpoint(deps.db, subject)
  if (endpoint.disabledAt !== null) await failPending(deps, subject.endpointId)
  requireEnabled(endpoint)
  await endRest(deps.pool, subject.endpointId)
  await wakeEndpoint(deps, subject.endpointId)
}

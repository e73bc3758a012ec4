import type { Deps } from '../../../deps.ts'
import { type EndpointSubject, findEndpoint } from '../endpoints/read-endpoints-service.ts'
import type { RecentAttempt } from './delivery.ts'

const ATTEMPTS_MAX = 50
/** Deliveries that wait have no attempt: so many of the newest are looked at. */
const DELIVERIES_MAX = 500

/**
 * The last attempts at an endpoint, oldest first: of its newest deliveries.
 *
 * @throws AppError not_found
 */
export async function listRecentAttempts(
  { db }: Pick<Deps, 'db'>,
  subject: EndpointSubject,
): Promise<RecentAttempt[]> {
  const { id } = await findEndpoint(db, subject)
  const attempts = await db.$queryRaw<RecentAttempt[]>`
    SELECT a.at, a.duration_ms AS "durationMs", a.outcome, a.status
    FROM (
      SELECT id FROM (
        SELECT id, attempts, position FROM webhook_deliveries WHERE endpoint_id = ${id}::uuid
        ORDER BY position DESC LIMIT ${DELIVERIES_MAX}
      ) AS newest
      WHERE attempts > 0 ORDER BY position DESC LIMIT ${ATTEMPTS_MAX}
    ) AS d
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_attempts WHERE delivery_id = d.id ORDER BY number DESC LIMIT ${ATTEMPTS_MAX}
    ) AS a
    ORDER BY a.at DESC, a.number DESC LIMIT ${ATTEMPTS_MAX}`
  return attempts.reverse()
}

/**
 * Whether an event about an endpoint, such as a test, is recorded and not laid out as a delivery yet.
 */
export async function hasNewEvent(
  { db }: Pick<Deps, 'db'>,
  { developerId, endpointId }: EndpointSubject,
): Promise<boolean> {
  const where = { developerId, endpointId, position: null }
  return (await db.event.findFirst({ where, select: { id: true } })) !== null
}

import type { Db } from '../../../base/database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { type EndpointSubject, findEndpoint } from '../endpoints/read-endpoints-service.ts'
import type { AttemptFigures, RecentAttempt } from './delivery.ts'

const ATTEMPTS_MAX = 50
/** Deliveries that wait have no attempt: so many of the newest are looked at. */
const DELIVERIES_MAX = 500
/** So many attempts at an endpoint, and deliveries that they are of, are counted. */
const COUNTED = 1_000
/** So many of each, where a list counts for several endpoints. */
const COUNTED_OF_EACH = 100

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
 * How many of the last attempts at an endpoint failed, of those that are kept: of its newest
 * deliveries, as many as have so many attempts together.
 *
 * @throws AppError not_found
 */
export async function countFailedAttempts(
  { db }: Pick<Deps, 'db'>,
  subject: EndpointSubject,
): Promise<AttemptFigures> {
  const { id } = await findEndpoint(db, subject)
  return (await countFailed(db, [id], COUNTED)).get(id) ?? { attempts: 0, failed: 0 }
}

/** The same of fewer attempts, for each of some endpoints: endpoint id -> figures. */
export function countFailedAttemptsOfEach(
  { db }: Pick<Deps, 'db'>,
  ids: readonly string[],
): Promise<Map<string, AttemptFigures>> {
  return countFailed(db, ids, COUNTED_OF_EACH)
}

async function countFailed(
  db: Db,
  ids: readonly string[],
  max: number,
): Promise<Map<string, AttemptFigures>> {
  const rows = await db.$queryRaw<(AttemptFigures & { id: string })[]>`
    SELECT e.id, c.attempts, c.failed
    FROM unnest(${[...ids]}::uuid[]) AS e (id)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS attempts, count(*) FILTER (WHERE outcome <> 'succeeded')::int AS failed
      FROM (
        SELECT a.outcome
        FROM (
          SELECT id, position, attempts, sum(attempts) OVER (ORDER BY position DESC) AS total
          FROM (
            SELECT id, position, attempts FROM webhook_deliveries WHERE endpoint_id = e.id
            ORDER BY position DESC LIMIT ${max}
          ) AS newest
        ) AS d
        CROSS JOIN LATERAL (
          SELECT number, outcome FROM webhook_attempts WHERE delivery_id = d.id
          ORDER BY number DESC LIMIT ${max}
        ) AS a
        WHERE d.attempts > 0 AND d.total - d.attempts < ${max}
        ORDER BY d.position DESC, a.number DESC LIMIT ${max}
      ) AS counted
    ) AS c`
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
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

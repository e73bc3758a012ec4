import { recordAudit } from '../../audit/record-audit-service.ts'
import { createPlaces } from '../../concurrency/places.ts'
import { isMissingReference } from '../../database/failures.ts'
import { type Db, inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Actor } from '../../values/actor.ts'
import { failPending } from '../endpoints/delivery-batches-service.ts'
import {
  type EndpointSubject,
  findEndpoint,
  requireEnabled,
} from '../endpoints/read-endpoints-service.ts'
import { wakeEndpoint } from '../endpoints/wake-endpoint-service.ts'
import { IS_WANTED } from '../endpoints/wanted-events.ts'
import type { DeliveryWithAttempts } from './delivery.ts'
import { type DeliverySubject, deliveryRecord } from './read-deliveries-service.ts'

/** Events that one statement looks at: far less than a second of work, even on a slow machine. */
const BATCH_EVENTS = 1_000
/** A request may take 10 s: no batch begins after this time. */
const RECOVERING_MAX_MS = 5_000
/** As long as events are kept. */
const RECOVERED_DAYS_MAX = 30
const MS_PER_DAY = 86_400_000

/** A request that recovers an endpoint keeps a connection and a core of the database busy. */
const AT_ONCE_MAX = 1
const RETRY_AFTER_SECONDS = 5
const places = createPlaces<string>(AT_ONCE_MAX)

type ResendDeps = Pick<Deps, 'db' | 'pool' | 'jobs' | 'now' | 'log'>

/**
 * Makes a delivery due now, whatever its state. The count of its attempts continues; its retry
 * schedule begins again.
 *
 * @throws AppError not_found; conflict when the endpoint is disabled, the delivery is being sent,
 *   or the endpoint was told that the installation is gone
 */
export async function replayDelivery(
  deps: ResendDeps,
  subject: DeliverySubject,
  actor: Actor,
): Promise<DeliveryWithAttempts> {
  const { db, now } = deps
  const replayed = await inTransaction(db, async (tx) => {
    const endpoint = await findEndpoint(tx, subject)
    requireEnabled(endpoint)
    const { endpointId, deliveryId: id } = subject
    // Before the lock: the end of a turn cannot lease a delivery that is locked.
    await findResting(tx, subject, now())
    await tx.$queryRaw`SELECT 1 FROM webhook_deliveries WHERE id = ${id}::uuid FOR UPDATE`
    const delivery = await findResting(tx, subject, now())
    const { installationId, type } = delivery
    if (installationId !== null) {
      const deletion = await tx.webhookDelivery.count({
        where: {
          ...{ endpointId, status: 'succeeded' },
          event: { installationId, type: 'installation.deleted' },
        },
      })
      if (deletion > 0) throw installationGone(type)
    }
    await tx.webhookDelivery.update({
      where: { id },
      data: { status: 'pending', dueAt: now(), finishedAt: null, tries: 0, ...NO_LEASE },
    })
    await recordAudit(tx, {
      actor,
      action: 'webhook.delivery_replayed',
      subject: { kind: 'webhook', id: endpointId },
      developerId: endpoint.developerId,
      after: { appId: endpoint.appId, deliveryId: id, eventId: delivery.eventId },
    })
    return deliveryRecord(tx, subject)
  })
  await wakeUnlessDisabled(deps, subject)
  return replayed
}

/**
 * Finds a delivery that is not being sent.
 *
 * @throws AppError not_found; conflict when it is being sent
 */
async function findResting(tx: Db, { endpointId, deliveryId: id }: DeliverySubject, now: Date) {
  const delivery = await tx.webhookDelivery.findFirst({
    where: { id, endpointId },
    include: { endpoint: { select: { turnUntil: true } } },
  })
  if (delivery === null) throw new AppError('not_found')
  if (isBeingSent(delivery, now)) {
    throw new AppError('conflict', { detail: 'The delivery is being sent just now.' })
  }
  return delivery
}

/** Whether the delivery is being sent: in the endpoint's turn, or after it under a lease. */
function isBeingSent(
  {
    status,
    dueAt,
    leaseUntil,
    endpoint: { turnUntil },
  }: {
    status: string
    dueAt: Date | null
    leaseUntil: Date | null
    endpoint: { turnUntil: Date | null }
  },
  now: Date,
): boolean {
  const isInTurn = status === 'pending' && dueAt !== null && dueAt <= now
  return [leaseUntil, isInTurn ? turnUntil : null].some((until) => until !== null && until > now)
}

const NO_LEASE = { lease: null, leaseUntil: null }

function installationGone(type: string): AppError {
  return new AppError('conflict', {
    detail: `The endpoint has been told that the installation was uninstalled: nothing more is sent for it, not even a former ${type}.`,
  })
}

/** What is sent again. */
type Recovery = {
  since: Date
  /** Also what the endpoint has received, and what was cancelled. */
  all: boolean
  /** Only events after this position of the log. */
  after?: number | undefined
}

/** How many deliveries became due; `position`: up to where in the log, unless these are all. */
type Recovered = { deliveries: number; complete: boolean; position?: number }

/**
 * Makes due now everything since a time that the endpoint should have received and did not: failed
 * deliveries, those waiting for a retry, and events without a delivery because the endpoint was
 * disabled, did not exist or wanted other types. With `all` everything else of that time, too, for
 * a receiver that has lost its data. Works in batches, each committed by itself.
 *
 * Without `all` it leaves out cancelled deliveries, and installations that the endpoint was told are
 * gone. With `all` it tells the endpoint again that they are, in the transaction that sends anything
 * else of them; it leaves out those whose end the endpoint does not want any more.
 *
 * @param mostMs no batch begins later, except the first
 * @returns when it is not complete, a call with `after: position` continues
 * @throws AppError not_found, also when the endpoint is deleted meanwhile; conflict when the endpoint is disabled, unprocessable;
 *   too_many_requests while this process recovers another endpoint of the developer
 */
export async function recoverEndpoint(
  deps: ResendDeps,
  subject: EndpointSubject,
  recovery: Recovery,
  actor: Actor,
  mostMs = RECOVERING_MAX_MS,
): Promise<Recovered> {
  const giveBack = places.take(subject.developerId)
  if (giveBack === undefined) {
    throw new AppError('too_many_requests', {
      detail: 'A developer can recover one endpoint at a time. Wait until the other one is done.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  try {
    return await recoverWhole(deps, subject, recovery, actor, mostMs)
  } finally {
    giveBack()
  }
}

async function recoverWhole(
  deps: ResendDeps,
  subject: EndpointSubject,
  { since, all, after = 0 }: Recovery,
  actor: Actor,
  mostMs: number,
): Promise<Recovered> {
  const { db, pool, now } = deps
  requireRecoverable(since, now())
  const head = await inTransaction(db, async (tx) => {
    const { id, appId, developerId, ...endpoint } = await findEndpoint(tx, subject)
    requireEnabled(endpoint)
    await recordAudit(tx, {
      actor,
      action: 'webhook.recovered',
      subject: { kind: 'webhook', id },
      developerId,
      after: { appId, since: since.toISOString(), all },
    })
    const log = await tx.eventLog.findUnique({ where: { developerId } })
    return log?.position ?? 0n
  })
  let deliveries = 0
  let last: string | null = String(after)
  const endsAtMs = performance.now() + mostMs
  do {
    const range: Range = { since, all, after: last, head: String(head), now: now() }
    const batch = await recoverBatch(pool, subject, range).catch(async (error: unknown) => {
      if (!isMissingReference(error)) throw error
      // The endpoint was deleted meanwhile, or an event that has become too old: without that event
      // the next batch begins at the same place.
      await findEndpoint(db, subject)
      return { deliveries: 0, last }
    })
    deliveries += batch.deliveries
    last = batch.last
  } while (last !== null && performance.now() < endsAtMs)
  await wakeUnlessDisabled(deps, subject)
  if (last === null) return { deliveries, complete: true }
  return { deliveries, complete: false, position: Number(last) }
}

/**
 * Wakes the endpoint. Recovering does not keep others from disabling the endpoint; what became due
 * after that fails like everything else that waited.
 *
 * @throws AppError conflict when the endpoint was disabled meanwhile, not_found
 */
async function wakeUnlessDisabled(deps: ResendDeps, subject: EndpointSubject): Promise<void> {
  const endpoint = await findEndpoint(deps.db, subject)
  if (endpoint.disabledAt !== null) await failPending(deps, subject.endpointId)
  requireEnabled(endpoint)
  await wakeEndpoint(deps, subject.endpointId)
}

/** @throws AppError unprocessable */
function requireRecoverable(since: Date, now: Date): void {
  const age = now.getTime() - since.getTime()
  const detail =
    age < 0
      ? 'must not lie in the future'
      : age > RECOVERED_DAYS_MAX * MS_PER_DAY
        ? `must lie within the last ${RECOVERED_DAYS_MAX} days: older events are not kept`
        : undefined
  if (detail === undefined) return
  throw new AppError('unprocessable', {
    detail: 'The body has problems.',
    errors: [{ pointer: '/since', detail }],
  })
}

type Range = { since: Date; all: boolean; after: string; head: string; now: Date }

/** SQL: whether a delivery `d` that there is becomes due: it is not yet, and it was missed, or $8. */
const IS_RESENT = `CASE d.status WHEN 'pending' THEN d.due_at > $7 WHEN 'failed' THEN true ELSE $8 END`

/**
 * Goes through the next events of the log and sends again what the endpoint should receive.
 *
 * @returns `last`: up to where; null at the end of the log
 */
async function recoverBatch(
  pool: Deps['pool'],
  { developerId, appId, endpointId }: EndpointSubject,
  { since, all, after, head, now }: Range,
): Promise<{ deliveries: number; last: string | null }> {
  const { rows } = await pool.query<{ deliveries: number; last: string | null }>(
    `WITH range AS (
       SELECT * FROM events
       WHERE developer_id = $2 AND position > $4 AND position <= $5
       ORDER BY position LIMIT ${BATCH_EVENTS}
     ),
     batch AS (
       SELECT w.id AS endpoint_id, e.id, e.position, e.installation_id, e.type
       FROM range e JOIN webhook_endpoints w ON w.id = $1 AND w.disabled_at IS NULL
       LEFT JOIN LATERAL (
         SELECT * FROM webhook_deliveries
         WHERE event_id = e.id AND endpoint_id = w.id AND position = e.position LIMIT 1
       ) AS d ON true
       WHERE e.app_id = $3 AND e.at >= $6 AND ${IS_WANTED}
         AND (d.id IS NULL OR ${IS_RESENT})
     ),
     ends AS (
       SELECT told.* FROM (SELECT DISTINCT installation_id FROM batch) AS i
       CROSS JOIN LATERAL (
         SELECT w.id AS endpoint_id, e.id, e.position, e.installation_id, e.type,
           $8 AND ${IS_WANTED} AS is_told_again
         FROM events e
         JOIN webhook_deliveries d ON d.event_id = e.id AND d.endpoint_id = $1
         JOIN webhook_endpoints w ON w.id = d.endpoint_id
         WHERE e.installation_id = i.installation_id
           AND e.type = 'installation.deleted' AND d.status = 'succeeded'
         LIMIT 1
       ) AS told
     ),
     resent AS (
       SELECT * FROM batch WHERE installation_id IS NULL
         OR installation_id NOT IN (SELECT installation_id FROM ends WHERE NOT is_told_again)
       UNION
       SELECT endpoint_id, id, position, installation_id, type FROM ends WHERE is_told_again
     ),
     recovered AS (
       INSERT INTO webhook_deliveries AS d
         (endpoint_id, event_id, position, installation_id, type, due_at, created_at)
       SELECT endpoint_id, id, position, installation_id, type, $7, $7 FROM resent ORDER BY position
       ON CONFLICT (event_id, endpoint_id) DO UPDATE
         SET status = 'pending', due_at = $7, finished_at = NULL, tries = 0
         WHERE ${IS_RESENT}
       RETURNING 1
     )
     SELECT (SELECT count(*)::int FROM recovered) AS deliveries,
       CASE WHEN count(*) = ${BATCH_EVENTS} THEN max(position) END AS last
     FROM range`,
    [endpointId, developerId, appId, after, head, since, now, all],
  )
  return rows[0] ?? { deliveries: 0, last: null }
}

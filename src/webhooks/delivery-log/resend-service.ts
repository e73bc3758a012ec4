import { recordAudit } from '../../audit/record-audit-service.ts'
import { inTransaction } from '../../database/transaction.ts'
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

/** Events of one statement: far less than a second of work, even on a slow machine. */
const BATCH_EVENTS = 1_000
/** A request may take 10 s: no batch begins after this time. */
const RECOVERING_MAX_MS = 5_000
/** As long as events are kept. */
const RECOVERED_DAYS_MAX = 30
const MS_PER_DAY = 86_400_000

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
    await tx.$queryRaw`SELECT 1 FROM webhook_deliveries WHERE id = ${id}::uuid FOR UPDATE`
    const delivery = await tx.webhookDelivery.findFirst({
      where: { id, endpointId },
      include: { endpoint: { select: { turnUntil: true } } },
    })
    if (delivery === null) throw new AppError('not_found')
    const { installationId, type } = delivery
    if (isBeingSent(delivery, now())) {
      throw new AppError('conflict', { detail: 'The delivery is being sent just now.' })
    }
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

/**
 * Makes due now everything since a time that the endpoint should have received and did not: failed
 * deliveries, those waiting for a retry, and events without a delivery because the endpoint was
 * disabled, did not exist or wanted other types. Works in batches, each committed by itself.
 *
 * Leaves out cancelled deliveries, and installations that the endpoint was told are gone.
 *
 * @returns how many deliveries became due, and whether these are all; when they are not, a repeated
 *   call continues
 * @throws AppError not_found, conflict when the endpoint is disabled, unprocessable
 */
export async function recoverEndpoint(
  deps: ResendDeps,
  subject: EndpointSubject,
  since: Date,
  actor: Actor,
): Promise<{ deliveries: number; complete: boolean }> {
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
      after: { appId, since: since.toISOString() },
    })
    const log = await tx.eventLog.findUnique({ where: { developerId } })
    return log?.position ?? 0n
  })
  let deliveries = 0
  let after: string | null = '0'
  const endsAtMs = performance.now() + RECOVERING_MAX_MS
  while (after !== null && performance.now() < endsAtMs) {
    const from: string = after
    const range = { since, after: from, head: String(head), now: now() }
    const batch = await recoverBatch(pool, subject, range)
    deliveries += batch.deliveries
    after = batch.last
  }
  await wakeUnlessDisabled(deps, subject)
  return { deliveries, complete: after === null }
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

type Range = { since: Date; after: string; head: string; now: Date }

/** Takes the next events of the log that the endpoint should receive. */
async function recoverBatch(
  pool: Deps['pool'],
  { developerId, appId, endpointId }: EndpointSubject,
  { since, after, head, now }: Range,
): Promise<{ deliveries: number; last: string | null }> {
  const { rows } = await pool.query<{ deliveries: number; last: string | null }>(
    `WITH batch AS (
       SELECT e.id, e.position, e.installation_id, e.type, w.id AS endpoint_id
       FROM events e JOIN webhook_endpoints w ON w.id = $1 AND w.disabled_at IS NULL
       LEFT JOIN webhook_deliveries d
         ON d.event_id = e.id AND d.endpoint_id = w.id AND d.position = e.position
       WHERE e.developer_id = $2 AND e.app_id = $3 AND e.position > $4 AND e.position <= $5
         AND e.at >= $6
         AND ${IS_WANTED}
         AND (d.id IS NULL OR d.status = 'failed' OR (d.status = 'pending' AND d.due_at > $7))
       ORDER BY e.position LIMIT ${BATCH_EVENTS}
     ),
     gone AS (
       SELECT i.installation_id
       FROM (SELECT DISTINCT installation_id FROM batch) AS i
       CROSS JOIN LATERAL (
         SELECT 1 FROM events e
         JOIN webhook_deliveries d ON d.event_id = e.id AND d.endpoint_id = $1
         WHERE e.installation_id = i.installation_id
           AND e.type = 'installation.deleted' AND d.status = 'succeeded'
         LIMIT 1
       ) AS told
     ),
     recovered AS (
       INSERT INTO webhook_deliveries AS d
         (endpoint_id, event_id, position, installation_id, type, due_at, created_at)
       SELECT endpoint_id, id, position, installation_id, type, $7, $7 FROM batch
       WHERE installation_id IS NULL OR installation_id NOT IN (SELECT installation_id FROM gone)
       ON CONFLICT (event_id, endpoint_id) DO UPDATE
         SET status = 'pending', due_at = $7, finished_at = NULL, tries = 0
         WHERE d.status = 'failed' OR (d.status = 'pending' AND d.due_at > $7)
       RETURNING 1
     )
     SELECT (SELECT count(*)::int FROM recovered) AS deliveries,
       CASE WHEN count(*) = ${BATCH_EVENTS} THEN max(position) END AS last
     FROM batch`,
    [endpointId, developerId, appId, after, head, since, now],
  )
  return rows[0] ?? { deliveries: 0, last: null }
}

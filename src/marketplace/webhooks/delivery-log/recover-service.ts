import { isMissingReference } from '../../../base/database/failures.ts'
import { inTransaction } from '../../../base/database/transaction.ts'
import { createBound } from '../../../base/fair-share/bound.ts'
import type { Actor } from '../../../base/values/actor.ts'
import { unprocessable } from '../../../base/values/field-errors.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { EVENTS_KEPT_DAYS } from '../../events/event-record.ts'
import { positionBefore } from '../../events/position-before-service.ts'
import { endRestUnlessDisabled } from '../endpoints/end-rest-service.ts'
import {
  type EndpointSubject,
  findEndpoint,
  requireEnabled,
} from '../endpoints/read-endpoints-service.ts'
import { IS_WANTED } from '../endpoints/wanted-events.ts'

/** Events that one statement looks at: far less than a second of work, even on a slow machine. */
const BATCH_EVENTS = 1_000
/** A request may take 10 s: no batch begins after this time. */
const RECOVERING_MAX_MS = 5_000
/**
 * How long the end of an installation waits for the batch that reaches it: longer than a caller needs
 * between two requests.
 */
const END_WAIT_SECONDS = 60
const DAY_MS = 86_400_000

/** A request that recovers an endpoint keeps a connection and a core of the database busy. */
const AT_ONCE_MAX = 1
const RETRY_AFTER_SECONDS = 5
const places = createBound<string>({ each: AT_ONCE_MAX })

type RecoverDeps = Pick<Deps, 'db' | 'pool' | 'now' | 'log'>

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
 * The end of an installation cancels what still waits for it, so it is due after all that is sent of
 * it: until the batch that reaches it, it is put off by a minute, by each call that continues and by
 * each batch with other events of the installation.
 *
 * @param mostMs no batch begins later, except the first
 * @returns when it is not complete, a call with `after: position` continues
 * @throws AppError not_found, also when the endpoint is deleted meanwhile; conflict when the endpoint
 *   is disabled; unprocessable; too_many_requests while this process recovers another endpoint of the
 *   developer
 */
export async function recoverEndpoint(
  deps: RecoverDeps,
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
  deps: RecoverDeps,
  subject: EndpointSubject,
  { since, all, after = 0 }: Recovery,
  actor: Actor,
  mostMs: number,
): Promise<Recovered> {
  const { db, pool, now } = deps
  const { developerId } = subject
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
  const log = { after: String(after), head: String(head) }
  let last: string | null = await positionBefore(pool, developerId, since, log)
  const endsAtMs = performance.now() + mostMs
  if (after > 0) await putOffEnds(pool, subject.endpointId, { ...log, now: now() })
  do {
    const range: Range = { since, all, after: last, head: log.head, now: now() }
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
  await endRestUnlessDisabled(deps, subject)
  if (last === null) return { deliveries, complete: true }
  return { deliveries, complete: false, position: Number(last) }
}

/** @throws AppError unprocessable */
function requireRecoverable(since: Date, now: Date): void {
  const age = now.getTime() - since.getTime()
  const detail =
    age < 0
      ? 'must not lie in the future'
      : age > EVENTS_KEPT_DAYS * DAY_MS
        ? `must lie within the last ${EVENTS_KEPT_DAYS} days: older events are not kept`
        : undefined
  if (detail !== undefined) throw unprocessable([{ pointer: '/since', detail }])
}

/**
 * Puts off again the ends of installations that former calls have put off, and that this call may not
 * reach.
 */
async function putOffEnds(
  pool: Deps['pool'],
  endpointId: string,
  { after, head, now }: Pick<Range, 'after' | 'head' | 'now'>,
): Promise<void> {
  await pool.query(
    `UPDATE webhook_deliveries SET due_at = $3
     WHERE endpoint_id = $1 AND status = 'pending' AND type = 'installation.deleted'
       AND due_at > $5 AND due_at < $3 AND position > $2 AND position <= $4`,
    [endpointId, after, putOffUntil(now), head, now],
  )
}

function putOffUntil(now: Date): Date {
  return new Date(now.getTime() + END_WAIT_SECONDS * 1_000)
}

type Range = { since: Date; all: boolean; after: string; head: string; now: Date }

/** SQL: whether a delivery `d` that there is becomes due: it is not yet, and it was missed, or $8. */
const IS_RESENT = `CASE d.status WHEN 'pending' THEN d.due_at > $7 WHEN 'failed' THEN true ELSE $8 END`
/** SQL: whether the end of an installation is due before what is sent of it now, and is put off. */
const IS_PUT_OFF = `d.type = 'installation.deleted' AND d.status = 'pending'
  AND d.due_at < EXCLUDED.due_at`

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
  const endsAt = putOffUntil(now)
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
           d.status = 'succeeded' AS is_told,
           d.status = 'succeeded' AND $8 AND ${IS_WANTED} AS is_told_again,
           d.status = 'pending' AND d.due_at <= $9 AS is_coming
         FROM events e
         JOIN webhook_deliveries d ON d.event_id = e.id AND d.endpoint_id = $1
         JOIN webhook_endpoints w ON w.id = d.endpoint_id
         WHERE e.installation_id = i.installation_id AND e.type = 'installation.deleted'
         LIMIT 1
       ) AS told
     ),
     resent AS (
       SELECT endpoint_id, id, position, installation_id, type, $7 AS due_at, true AS is_counted
       FROM batch WHERE installation_id IS NULL
         OR installation_id NOT IN (SELECT installation_id FROM ends WHERE is_told AND NOT is_told_again)
       UNION ALL
       SELECT endpoint_id, id, position, installation_id, type,
         CASE WHEN is_reached THEN $7 ELSE $9 END, is_reached AND is_told_again
       FROM ends CROSS JOIN LATERAL (
         SELECT ends.position <= (SELECT max(position) FROM range) AS is_reached
       ) AS reached
       WHERE (is_told_again OR is_coming) AND id NOT IN (SELECT id FROM batch)
     ),
     recovered AS (
       INSERT INTO webhook_deliveries AS d
         (endpoint_id, event_id, position, installation_id, type, due_at, created_at)
       SELECT endpoint_id, id, position, installation_id, type, due_at, $7 FROM resent
       ORDER BY position
       ON CONFLICT (event_id, endpoint_id) DO UPDATE
         SET status = 'pending', due_at = EXCLUDED.due_at, finished_at = NULL,
           tries = CASE WHEN ${IS_RESENT} THEN 0 ELSE d.tries END
         WHERE ${IS_RESENT} OR ${IS_PUT_OFF}
       RETURNING event_id
     )
     SELECT
       (SELECT count(*)::int FROM recovered JOIN resent ON id = event_id AND is_counted) AS deliveries,
       CASE WHEN count(*) = ${BATCH_EVENTS} THEN max(position) END AS last
     FROM range`,
    [endpointId, developerId, appId, after, head, since, now, all, endsAt],
  )
  return rows[0] ?? { deliveries: 0, last: null }
}

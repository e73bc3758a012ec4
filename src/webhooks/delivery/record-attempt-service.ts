import type { Pool } from 'pg'
import { nextAttemptAt, restSeconds } from '../attempts/retry-schedule.ts'
import type { AttemptResult } from '../sending/send-attempt.ts'
import { type ClaimedDelivery, UNSYNCED } from './turn-service.ts'

/** A request that took longer makes its endpoint a slow one. */
const SLOW_MS = 5_000
/**
 * One success after the other is noted on the endpoint once in this time: requests that end together
 * would wait for each other at its row.
 */
const SUCCESS_NOTED_MS = 1_000
/** A fault of our proxy is no attempt of the schedule: the delivery is due again soon. */
const PROXY_RETRY_SECONDS = 30

type RecordDeps = { pool: Pool; now: () => Date; random: () => number }

/** How the endpoint stands after an attempt. */
export type EndpointState = {
  /** The first failure since the last success. */
  failingSince: Date | null
  noticedPercent: number
  failures: number
}

/**
 * Writes down an attempt: in the log, on the delivery with what comes next, and on the endpoint.
 *
 * @returns undefined when the delivery is no longer ours: the endpoint was disabled or deleted, or the
 *   lease ran out
 */
export async function recordAttempt(
  deps: RecordDeps,
  delivery: ClaimedDelivery,
  startedAt: Date,
  result: AttemptResult,
): Promise<EndpointState | undefined> {
  const now = deps.now()
  const { status, tries, dueAt } = outcomeOf(deps, delivery, result, now)
  const failed = result.outcome === 'failed' || result.outcome === 'gone'
  const { rows } = await deps.pool.query<EndpointState>(
    `WITH done AS (
       UPDATE webhook_deliveries
       SET status = $3, tries = $4, due_at = $5, attempts = attempts + 1, lease = NULL,
         lease_until = NULL, finished_at = CASE WHEN $5::timestamptz IS NULL THEN $6::timestamptz END
       WHERE id = $1 AND lease = $2
       RETURNING id, endpoint_id, attempts
     ),
     logged AS (
       INSERT INTO webhook_attempts
         (delivery_id, number, at, duration_ms, outcome, status, response, reason)
       SELECT id, attempts, $7, $8, $9, $10, $11, $12 FROM done
     ),
     noted AS (
       UPDATE webhook_endpoints e SET
         slow = $8 > ${SLOW_MS},
         failures = CASE WHEN $13 THEN failures + 1 WHEN $14 THEN failures ELSE 0 END,
         failing_since =
           CASE WHEN $13 THEN coalesce(failing_since, $6) WHEN $14 THEN failing_since END,
         noticed_percent = CASE WHEN $13 OR $14 THEN noticed_percent ELSE 0 END,
         last_failure_at = CASE WHEN $13 THEN $6 ELSE last_failure_at END,
         last_failure = CASE WHEN $13 THEN $12 ELSE last_failure END,
         last_success_at = CASE WHEN $13 OR $14 THEN last_success_at ELSE $6 END
       FROM done WHERE e.id = done.endpoint_id
         AND ($13 OR $14 OR failures > 0 OR slow <> ($8 > ${SLOW_MS})
           OR coalesce(last_success_at < $15, true))
       RETURNING e.failing_since, e.noticed_percent, e.failures
     )
     SELECT failing_since AS "failingSince", coalesce(noticed_percent, 0) AS "noticedPercent",
       coalesce(failures, 0) AS failures, ${UNSYNCED}
     FROM done LEFT JOIN noted ON true`,
    [
      delivery.id,
      delivery.lease,
      status,
      tries,
      dueAt ?? null,
      now,
      startedAt,
      Math.round(result.durationMs),
      result.outcome,
      result.status ?? null,
      result.response ?? null,
      result.reason?.code ?? null,
      failed,
      result.outcome === 'proxy_failed',
      new Date(now.getTime() - SUCCESS_NOTED_MS),
    ],
  )
  const [state] = rows
  if (state !== undefined && failed) await letRest(deps, delivery, state.failures, now)
  return state
}

/** What becomes of the delivery. */
function outcomeOf(
  { random }: RecordDeps,
  delivery: ClaimedDelivery,
  { outcome, retryAfterSeconds }: AttemptResult,
  now: Date,
): { status: string; tries: number; dueAt?: Date | undefined } {
  if (outcome === 'proxy_failed') {
    const dueAt = new Date(now.getTime() + PROXY_RETRY_SECONDS * 1000)
    return { status: 'pending', tries: delivery.tries, dueAt }
  }
  const tries = delivery.tries + 1
  if (outcome === 'succeeded') return { status: 'succeeded', tries }
  const dueAt = nextAttemptAt(tries, now, retryAfterSeconds, random())
  return dueAt === undefined ? { status: 'failed', tries } : { status: 'pending', tries, dueAt }
}

async function letRest(
  { pool }: RecordDeps,
  { id }: ClaimedDelivery,
  failures: number,
  now: Date,
): Promise<void> {
  const seconds = restSeconds(failures)
  if (seconds === 0) return
  await pool.query(
    `UPDATE webhook_endpoints e SET resting_until = $2
     FROM webhook_deliveries d WHERE d.id = $1 AND e.id = d.endpoint_id`,
    [id, new Date(now.getTime() + seconds * 1000)],
  )
}

/**
 * Nothing is sent for an installation after its `installation.deleted`: what an endpoint has not
 * received by then is cancelled. It stays in the event log.
 */
export async function cancelRest(
  { pool, now }: Pick<RecordDeps, 'pool' | 'now'>,
  endpointId: string,
  installationId: string,
): Promise<void> {
  await pool.query(
    `UPDATE webhook_deliveries
     SET status = 'cancelled', due_at = NULL, lease = NULL, lease_until = NULL, finished_at = $3
     WHERE endpoint_id = $1 AND installation_id = $2 AND status = 'pending'`,
    [endpointId, installationId, now()],
  )
}

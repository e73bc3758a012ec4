import type { Pool } from 'pg'
import type { Deps } from '../../../deps.ts'
import { countedPauseMs, nextAttemptAt, restSeconds } from '../attempts/retry-schedule.ts'
import type { AttemptResult } from '../sending/send-attempt.ts'
import { type DueDelivery, UNSYNCED, WAITS } from './sending-window-service.ts'

/** A request that takes longer makes its endpoint slow. */
const SLOW_MS = 5_000
/**
 * How often successes are noted on the endpoint's row. Requests that end together would wait for
 * each other at that row.
 */
const SUCCESS_NOTED_MS = 1_000
/**
 * A fault of our proxy is not an attempt of the schedule: the delivery is due again after this. An
 * endpoint that has had no success for as long rests until then, so that a broken proxy costs one
 * attempt of each endpoint, whatever waits.
 */
const PROXY_RETRY_SECONDS = 30

/**
 * SQL: whether an attempt of a delivery `d` is recorded: it waits, or it was cancelled while the
 * request was in flight.
 */
const IS_OPEN = `(d.${WAITS} OR d.status = 'cancelled')`

type RecordDeps = Pick<Deps, 'config'> & { pool: Pool; now: () => Date; random: () => number }

/** The state of the endpoint after an attempt. */
export type EndpointState = {
  /** The first failure since the last success, or since a long pause. */
  failingSince: Date | null
  noticedPercent: number
  failures: number
}

/** An attempt that was made. Another URL that the endpoint has by now knows nothing of it. */
export type Attempted = {
  delivery: DueDelivery
  url: string
  startedAt: Date
  result: AttemptResult
}

/**
 * Records successful attempts in one statement: in the log, on the deliveries and on the endpoints.
 * Endpoints are locked in the order of their ids, so that no two batches wait for each other.
 *
 * @param waits whether to wait for another transaction that changes a delivery, or leave it out
 * @returns for each attempt whether it was recorded; false when another transaction changes or has
 *   changed the delivery
 */
export async function recordSuccesses(
  { pool, now: clock }: Pick<RecordDeps, 'pool' | 'now'>,
  attempted: readonly Attempted[],
  { waits = false } = {},
): Promise<boolean[]> {
  const now = clock()
  const column = <Value>(value: (one: Attempted) => Value) => attempted.map(value)
  const { rows } = await pool.query<{ id: string }>(
    `WITH made AS (
       SELECT * FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::int[], $5::int[], $6::text[],
           $8::text[])
         AS made (id, attempts, at, duration_ms, status, response, url)
     ),
     held AS (
       SELECT d.id FROM webhook_deliveries d JOIN made USING (id, attempts)
       WHERE ${IS_OPEN} FOR UPDATE OF d ${waits ? '' : 'SKIP LOCKED'}
     ),
     done AS (
       UPDATE webhook_deliveries d
       SET status = 'succeeded', tries = tries + 1, due_at = NULL, attempts = d.attempts + 1,
         lease = NULL, lease_until = NULL, finished_at = $7
       FROM held WHERE d.id = held.id
       RETURNING d.id, d.endpoint_id, d.attempts
     ),
     logged AS (
       INSERT INTO webhook_attempts (delivery_id, number, at, duration_ms, outcome, status, response)
       SELECT id, done.attempts, at, duration_ms, 'succeeded', status, response
       FROM done JOIN made USING (id)
     ),
     fared AS (
       SELECT endpoint_id AS id, url, bool_or(duration_ms > ${SLOW_MS}) AS slow
       FROM done JOIN made USING (id) GROUP BY endpoint_id, url
     ),
     changed AS (
       SELECT e.id, fared.slow FROM webhook_endpoints e JOIN fared USING (id, url)
       WHERE e.failures > 0 OR e.slow <> fared.slow
         OR coalesce(e.last_success_at < $7::timestamptz - interval '${SUCCESS_NOTED_MS} ms', true)
       ORDER BY e.id FOR NO KEY UPDATE OF e
     ),
     noted AS (
       UPDATE webhook_endpoints e SET slow = changed.slow, failures = 0, failing_since = NULL,
         noticed_percent = 0, last_success_at = $7
       FROM changed WHERE e.id = changed.id
     )
     SELECT id, ${UNSYNCED} FROM done`,
    [
      column(({ delivery }) => delivery.id),
      column(({ delivery }) => delivery.attempts),
      column(({ startedAt }) => startedAt),
      column(({ result }) => Math.round(result.durationMs)),
      column(({ result }) => result.status ?? null),
      column(({ result }) => result.response ?? null),
      now,
      column(({ url }) => url),
    ],
  )
  const written = new Set(rows.map(({ id }) => id))
  return attempted.map(({ delivery }) => written.has(delivery.id))
}

/**
 * Records an attempt that failed, by the receiver's fault or by our proxy's: in the log, on the
 * delivery with its next step, and on the endpoint. A delivery that was cancelled meanwhile has no
 * next step.
 *
 * @returns undefined when there is nothing to record: the endpoint was disabled or deleted, or
 *   another process made the attempt because ours took too long
 */
export async function recordFailure(
  deps: RecordDeps,
  attempted: Attempted,
): Promise<EndpointState | undefined> {
  const { delivery, url, startedAt, result } = attempted
  const now = deps.now()
  const { status, tries, dueAt = null } = outcomeOf(deps, delivery, result, now)
  const isOfProxy = result.outcome === 'proxy_failed'
  const values: unknown[] = []
  const value = (one: unknown) => `$${values.push(one)}`
  const at = `${value(now)}::timestamptz`
  const due = `CASE WHEN d.status <> 'cancelled' THEN ${value(dueAt)}::timestamptz END`
  const durationMs = `${value(Math.round(result.durationMs))}::int`
  const reason = `${value(result.reason?.code ?? null)}::text`
  const endpoint = isOfProxy
    ? restOfProxyFault(now, value)
    : failureOfReceiver(deps, { at, reason }, now, value)
  const { rows } = await deps.pool.query<EndpointState>(
    `WITH done AS (
       UPDATE webhook_deliveries d
       SET status = CASE d.status WHEN 'cancelled' THEN d.status ELSE ${value(status)} END,
         tries = ${value(tries)}, due_at = ${due},
         attempts = attempts + 1, lease = NULL, lease_until = NULL,
         finished_at = CASE WHEN ${due} IS NULL THEN ${at} END
       WHERE id = ${value(delivery.id)} AND ${IS_OPEN} AND attempts = ${value(delivery.attempts)}
       RETURNING id, endpoint_id, attempts
     ),
     logged AS (
       INSERT INTO webhook_attempts
         (delivery_id, number, at, duration_ms, outcome, status, response, reason)
       SELECT id, attempts, ${value(startedAt)}, ${durationMs}, ${value(result.outcome)},
         ${value(result.status ?? null)}, ${value(result.response ?? null)}, ${reason}
       FROM done
     ),
     noted AS (
       UPDATE webhook_endpoints e SET slow = ${durationMs} > ${SLOW_MS}, ${endpoint}
       FROM done WHERE e.id = done.endpoint_id AND e.url = ${value(url)}
       RETURNING e.failing_since, e.noticed_percent, e.failures
     )
     SELECT failing_since AS "failingSince", coalesce(noticed_percent, 0) AS "noticedPercent",
       coalesce(failures, 0) AS failures, ${UNSYNCED}
     FROM done LEFT JOIN noted ON true`,
    values,
  )
  const [state] = rows
  if (state !== undefined && !isOfProxy) await letRest(deps, attempted, state.failures, now)
  return state
}

/** What a failure of the receiver changes on its endpoint. After a long pause it is a first one. */
function failureOfReceiver(
  { config }: RecordDeps,
  { at, reason }: { at: string; reason: string },
  now: Date,
  value: (one: unknown) => string,
): string {
  const pause = value(new Date(now.getTime() - countedPauseMs(config.webhookRetrySeconds)))
  return `failures = failures + 1,
    failing_since =
      CASE WHEN last_failure_at < ${pause} THEN ${at} ELSE coalesce(failing_since, ${at}) END,
    noticed_percent = CASE WHEN last_failure_at < ${pause} THEN 0 ELSE noticed_percent END,
    last_failure_at = ${at},
    last_failure = ${reason}`
}

/** What a fault of our proxy changes on an endpoint: without a recent success it rests. */
function restOfProxyFault(now: Date, value: (one: unknown) => string): string {
  const recent = value(secondsFrom(now, -PROXY_RETRY_SECONDS))
  const until = value(secondsFrom(now, PROXY_RETRY_SECONDS))
  return `resting_until = CASE WHEN coalesce(last_success_at < ${recent}, true)
    THEN greatest(resting_until, ${until}) ELSE resting_until END`
}

/** The delivery's state after an attempt that failed. */
function outcomeOf(
  { random, config }: RecordDeps,
  delivery: DueDelivery,
  { outcome, retryAfterSeconds }: AttemptResult,
  now: Date,
): { status: string; tries: number; dueAt?: Date | undefined } {
  if (outcome === 'proxy_failed') {
    const dueAt = secondsFrom(now, PROXY_RETRY_SECONDS)
    return { status: 'pending', tries: delivery.tries, dueAt }
  }
  const tries = delivery.tries + 1
  const dueAt = nextAttemptAt(config.webhookRetrySeconds, tries, now, retryAfterSeconds, random())
  return dueAt === undefined ? { status: 'failed', tries } : { status: 'pending', tries, dueAt }
}

function secondsFrom(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

async function letRest(
  { pool }: Pick<RecordDeps, 'pool'>,
  { delivery, url }: Attempted,
  failures: number,
  now: Date,
): Promise<void> {
  const seconds = restSeconds(failures)
  if (seconds === 0) return
  await pool.query(
    `UPDATE webhook_endpoints e SET resting_until = $2
     FROM webhook_deliveries d WHERE d.id = $1 AND e.id = d.endpoint_id AND e.url = $3`,
    [delivery.id, secondsFrom(now, seconds), url],
  )
}

/**
 * Cancels what an endpoint has not received when the `installation.deleted` of an installation was
 * delivered: nothing else is sent for it afterwards. Its events stay in the event log. Attempts that
 * are under way are still recorded.
 */
export async function cancelRest(
  { pool, now }: Pick<RecordDeps, 'pool' | 'now'>,
  endpointId: string,
  deletion: DueDelivery,
): Promise<void> {
  await pool.query(
    `UPDATE webhook_deliveries
     SET status = 'cancelled', due_at = NULL, lease = NULL, lease_until = NULL, finished_at = $3
     WHERE endpoint_id = $1 AND installation_id = $2 AND status = 'pending' AND id <> $4`,
    [endpointId, deletion.event.installationId, now(), deletion.id],
  )
}

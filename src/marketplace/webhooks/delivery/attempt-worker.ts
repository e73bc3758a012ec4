import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import { createBatch } from '../../../base/concurrency/batch.ts'
import { passingFailure } from '../../../base/database/failures.ts'
import { deadlineIn } from '../../../base/fair-share/deadline.ts'
import { createOutageLog } from '../../../base/log/outage-log.ts'
import { observe } from '../../../base/measures/latencies.ts'
import { countOne } from '../../../base/measures/measures.ts'
import { endSpan, registeredTracer, traceOf } from '../../../base/traces/trace.ts'
import { parseTraceparent } from '../../../base/traces/traceparent.ts'
import type { Deps } from '../../../deps.ts'
import { eventJson } from '../../events/event-record.ts'
import type { AllowedHosts } from '../addresses/allowed-hosts.ts'
import { signatureHeader } from '../attempts/signature.ts'
import { openHeaders, signingSecrets } from '../endpoints/endpoint-secrets.ts'
import type { Agents } from '../sending/agents.ts'
import {
  type AttemptResult,
  sendAttempt,
  type Timeouts,
  timeoutsOf,
} from '../sending/send-attempt.ts'
import { endGone, followFailing } from './failing-service.ts'
import {
  type Attempted,
  cancelRest,
  recordFailure,
  recordSuccesses,
} from './record-attempt-service.ts'
import { type DueDelivery, type SendingWindow, tellsOfEnd } from './sending-window-service.ts'

/** Longer than what waits for the proxy does: until then a failure may come again. */
const QUIET_MS = 60_000

/** How long to keep trying to record an attempt while the database is away. */
const RECORD_PATIENCE_MS = 10_000
const RECORD_AGAIN_MS = 500
/**
 * Successes within this time are recorded together: planning the statement takes as long as running
 * it.
 */
const GATHER_MS = 10

export type DeliveryDeps = Pick<
  Deps,
  'db' | 'pool' | 'now' | 'secrets' | 'config' | 'log' | 'measures'
> & {
  agents: Agents
  allowedHosts: AllowedHosts
  random: () => number
  timeouts?: Timeouts
}

/** A window with its signing secrets and static headers decrypted. */
export type DecryptedWindow = SendingWindow & {
  secrets: string[]
  staticHeaders: Record<string, string>
}

/**
 * Decrypts what the requests of a window need.
 *
 * @throws SecretBoxError when they were encrypted with a key that is gone
 */
export function decryptWindow(
  { secrets, now }: DeliveryDeps,
  window: SendingWindow,
): DecryptedWindow {
  const endpoint = { ...window, id: window.endpointId }
  return {
    ...window,
    secrets: signingSecrets(secrets, endpoint, now()),
    staticHeaders: openHeaders(secrets, endpoint),
  }
}

/** Sends one delivery. Never rejects. */
export async function makeAttempt(
  {
    now,
    config,
    agents,
    allowedHosts,
    timeouts = timeoutsOf(config.webhookTimeoutSeconds),
  }: DeliveryDeps,
  { url, secrets, staticHeaders }: DecryptedWindow,
  delivery: DueDelivery,
): Promise<Attempted> {
  const { event } = delivery
  const startedAt = now()
  const body = Buffer.from(eventJson(event, config.publicUrl))
  const timestamp = Math.floor(startedAt.getTime() / 1000)
  const signature = signatureHeader({ id: event.id, timestamp, body, secrets })
  const result = await traceDelivery(delivery.traceparent, (traceparent) =>
    sendAttempt({
      url,
      body,
      headers: {
        ...staticHeaders,
        ...(traceparent !== undefined && { traceparent }),
        'webhook-id': event.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      },
      agents,
      allowedHosts,
      timeouts,
    }),
  )
  return { delivery, url, startedAt, result }
}

/** Records attempts and takes the steps that follow from them. */
export type Bookkeeper = {
  /**
   * @returns false when the attempt changed the endpoint's other deliveries: the endpoint fails, or
   *   was told that an installation is gone
   */
  writeDown(window: SendingWindow, attempted: Attempted): Promise<boolean>
}

/** Makes a bookkeeper, which records successes that end at about the same time together. */
export function createBookkeeper(deps: DeliveryDeps): Bookkeeper {
  const recordSuccess = createBatch(
    (attempted: readonly Attempted[]) => recordSuccesses(deps, attempted),
    { patienceMs: RECORD_PATIENCE_MS, gatherMs: GATHER_MS, parallel: 1 },
  )
  const followProxy = createProxyOutage(deps.log)
  return {
    async writeDown(window, attempted) {
      const { delivery, result } = attempted
      countAttempt(deps, delivery, result)
      logFailure(deps, window, result)
      followProxy(result)
      const { outcome } = result
      const isEnd = tellsOfEnd(delivery)
      if (outcome === 'succeeded') {
        // First: a process that is killed in between sends the end once more, and nothing older.
        if (isEnd) await patiently(() => cancelRest(deps, window.endpointId, delivery))
        if (await patiently(() => recordSuccess(attempted))) return !isEnd
        await patiently(() => recordSuccesses(deps, [attempted], { waits: true }))
        return false
      }
      const state = await patiently(() => recordFailure(deps, attempted))
      if (state === undefined) return false
      if (outcome === 'gone') await endGone(deps, window)
      if (outcome === 'failed') await followFailing(deps, window, state)
      return false
    },
  }
}

function countAttempt(
  { measures, now }: DeliveryDeps,
  { event }: DueDelivery,
  { outcome, reason }: AttemptResult,
): void {
  const { webhooks } = measures
  if (outcome === 'succeeded') {
    webhooks.succeeded += 1
    observe(webhooks.latency, Math.max(0, now().getTime() - event.at.getTime()) / 1000)
  } else if (reason !== undefined) countOne(webhooks.failed, reason.code)
}

/** What a receiver does wrong is in its developer's log. What we could not send is our fault. */
function logFailure(
  { log }: DeliveryDeps,
  { endpointId }: SendingWindow,
  { reason, cause: err }: AttemptResult,
): void {
  if (reason?.code === 'not_sent') log.warn({ endpointId, err }, 'a webhook could not be sent')
  else if (err !== undefined) log.debug({ endpointId, err }, 'a webhook failed')
}

/** Waits for a restart of Postgres: an attempt that is not recorded is made twice. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const { atMs } = deadlineIn(RECORD_PATIENCE_MS)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (passingFailure(error) === undefined || performance.now() > atMs) throw error
      await sleep(RECORD_AGAIN_MS)
    }
  }
}

/**
 * Makes an attempt part of the trace of its event, with a span if a tracer provider is registered.
 *
 * @param traceparent of the change that the event is about
 * @param attempt gets the `traceparent` to send on, if there is one
 */
async function traceDelivery(
  traceparent: string | null,
  attempt: (traceparent: string | undefined) => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const tracer = registeredTracer()
  if (tracer === undefined) return attempt(traceparent ?? undefined)
  const cause = parseTraceparent(traceparent)
  const parent = cause && traceOf(cause)?.context
  const span = tracer.startSpan(
    'webhook delivery',
    { kind: SpanKind.CLIENT, attributes: { 'http.request.method': 'POST' } },
    parent ?? ROOT_CONTEXT,
  )
  const result = await attempt(traceOf(span)?.traceparent ?? traceparent ?? undefined)
  if (result.status !== undefined) span.setAttribute('http.response.status_code', result.status)
  endSpan(span, result.outcome !== 'succeeded' && { code: result.reason?.code })
  return result
}

/**
 * Tells the operator that WEBHOOK_PROXY_URL fails, which no developer can mend. A proxy that lets some
 * requests through and refuses others, such as those to one receiver, is one outage.
 *
 * @returns a function to be called with the result of each attempt
 */
export function createProxyOutage(
  log: Parameters<typeof createOutageLog>[0],
  nowMs: () => number = () => performance.now(),
): (result: Pick<AttemptResult, 'outcome' | 'status' | 'cause'>) => void {
  const outage = createOutageLog(log, {
    away: 'the proxy of webhooks fails; what waits for it is sent again',
    back: 'the proxy of webhooks works again',
  })
  let failedAtMs = Number.NEGATIVE_INFINITY
  return ({ outcome, status, cause }) => {
    if (outcome === 'proxy_failed') {
      failedAtMs = nowMs()
      outage.failed(cause)
    } else if (status !== undefined && nowMs() - failedAtMs > QUIET_MS) outage.succeeded()
  }
}

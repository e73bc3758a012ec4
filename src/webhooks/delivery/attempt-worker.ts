import { setTimeout as sleep } from 'node:timers/promises'
import { createBatch } from '../../concurrency/batch.ts'
import { deadlineIn } from '../../concurrency/deadline.ts'
import { passingFailure } from '../../database/failures.ts'
import type { Deps } from '../../deps.ts'
import { eventJson } from '../../events/event-record.ts'
import { observe } from '../../measures/latencies.ts'
import { countOne } from '../../measures/measures.ts'
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
  recordAttempt,
  recordSuccesses,
} from './record-attempt-service.ts'
import { traceDelivery } from './trace-delivery.ts'
import type { DueDelivery, Turn } from './turn-service.ts'

/** How long an attempt that was made waits for the database to be written down. */
const RECORD_PATIENCE_MS = 10_000
const RECORD_AGAIN_MS = 500
/** Successes of so long are written down together: planning takes as long as running the statement. */
const GATHER_MS = 10

export type DeliveryDeps = Pick<
  Deps,
  'db' | 'pool' | 'jobs' | 'now' | 'secrets' | 'config' | 'log' | 'measures'
> & {
  agents: Agents
  allowedHosts: AllowedHosts
  random: () => number
  timeouts?: Timeouts
}

/** A turn with what signs its requests, and its static headers. */
export type OpenTurn = Turn & { secrets: string[]; staticHeaders: Record<string, string> }

/**
 * Decrypts what the requests of a turn need.
 *
 * @throws SecretBoxError when it was encrypted with a key that is gone
 */
export function openTurn({ secrets, now }: DeliveryDeps, turn: Turn): OpenTurn {
  const endpoint = { ...turn, id: turn.endpointId }
  return {
    ...turn,
    secrets: signingSecrets(secrets, endpoint, now()),
    staticHeaders: openHeaders(secrets, endpoint),
  }
}

/** Sends one delivery. Does not fail. */
export async function makeAttempt(
  {
    now,
    config,
    agents,
    allowedHosts,
    timeouts = timeoutsOf(config.webhookTimeoutSeconds),
  }: DeliveryDeps,
  { url, secrets, staticHeaders }: OpenTurn,
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
  return { delivery, startedAt, result }
}

/** Writes down attempts and does what follows from them. */
export type Bookkeeper = {
  /**
   * @returns whether the endpoint's other deliveries stand as they did: they do not when the endpoint
   *   fails, or was told that an installation is gone
   */
  writeDown(turn: Turn, attempted: Attempted): Promise<boolean>
}

/** Successes that end at about the same time are written down together. */
export function createBookkeeper(deps: DeliveryDeps): Bookkeeper {
  const recordSuccess = createBatch(
    (attempted: readonly Attempted[]) => recordSuccesses(deps, attempted),
    { patienceMs: RECORD_PATIENCE_MS, gatherMs: GATHER_MS, parallel: 1 },
  )
  return {
    async writeDown(turn, attempted) {
      const { delivery, result } = attempted
      countAttempt(deps, delivery, result)
      const { installationId, type } = delivery.event
      const { outcome } = result
      if (outcome === 'succeeded' && (await patiently(() => recordSuccess(attempted)))) {
        if (type !== 'installation.deleted' || installationId === null) return true
        await cancelRest(deps, turn.endpointId, installationId)
        return false
      }
      const state = await patiently(() => recordAttempt(deps, attempted))
      if (state === undefined) return false
      if (outcome === 'gone') await endGone(deps, turn)
      if (outcome === 'failed') await followFailing(deps, turn, state)
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

/** A restart of Postgres is waited for: an attempt that is not written down is made twice. */
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

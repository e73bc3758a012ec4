import { setTimeout as sleep } from 'node:timers/promises'
import { deadlineIn } from '../../concurrency/deadline.ts'
import { createPlaces } from '../../concurrency/places.ts'
import { isDatabaseUnavailable } from '../../database/failures.ts'
import type { Deps } from '../../deps.ts'
import { eventJson } from '../../events/event-record.ts'
import { observe } from '../../measures/latencies.ts'
import { countOne } from '../../measures/measures.ts'
import type { AllowedHosts } from '../addresses/allowed-hosts.ts'
import { signatureHeader } from '../attempts/signature.ts'
import { openHeaders, signingSecrets } from '../endpoints/endpoint-secrets.ts'
import type { Agents } from '../sending/agents.ts'
import { type AttemptResult, sendAttempt, type Timeouts } from '../sending/send-attempt.ts'
import { endGone, followFailing } from './failing-service.ts'
import { cancelRest, recordAttempt } from './record-attempt-service.ts'
import { traceDelivery } from './trace-delivery.ts'
import {
  beginTurn,
  type ClaimedDelivery,
  claimDeliveries,
  endTurn,
  releaseDeliveries,
  type Turn,
} from './turn-service.ts'

/** How long a turn waits for receivers; what is slower goes on by itself. */
const TURN_MS = 250
/** How long a turn goes on while nobody waits for one; less than its lease. */
const LONG_TURN_MS = 2_000
/** For so long it begins requests: those to a fast receiver are done when the turn is over. */
const BEGINNING_MS = 200
/** Deliveries that are claimed at once; one where only one request may be in flight. */
const CLAIMED_AT_ONCE = 16
/** Requests in flight of this process. */
const IN_FLIGHT_MAX = 512
/**
 * Of one developer: first ones, one for each endpoint, and further ones. Endpoints that hang take no
 * first place from those that do not.
 */
const FIRST_MAX_OF_DEVELOPER = 128
const FURTHER_MAX_OF_DEVELOPER = 64

export type DeliveryDeps = Pick<
  Deps,
  'db' | 'pool' | 'jobs' | 'now' | 'secrets' | 'config' | 'log' | 'measures'
> & {
  agents: Agents
  allowedHosts: AllowedHosts
  random: () => number
  timeouts?: Timeouts
}

/** Turns that a process takes at once: those of endpoints that hang, too, which last as long as others. */
const TURNS_MAX = 128
/** How long an attempt that was made waits for the database to be written down. */
const RECORD_PATIENCE_MS = 10_000
const RECORD_AGAIN_MS = 500

/** Sends what is due, turn by turn. */
export type Deliverer = {
  /** Begins turns of endpoints; waits while too many are under way. Does not fail. */
  takeTurns(endpointIds: readonly string[]): Promise<void>
  /** Lets requests in flight finish until the time is over, then breaks them off and gives them back. */
  stop(graceMs: number): Promise<void>
}

/**
 * Makes what sends deliveries. In a turn an endpoint has so many requests in flight as it may, for a
 * quarter of a second; then it goes back to the end of the queue, and others have theirs. A slow
 * request goes on under its lease and asks for another turn when it is done.
 */
export function createDeliverer(deps: DeliveryDeps): Deliverer {
  const inFlight = new Map<string, Promise<void>>()
  const turns = new Set<Promise<void>>()
  const first = createPlaces<string>(FIRST_MAX_OF_DEVELOPER)
  const further = createPlaces<string>(FURTHER_MAX_OF_DEVELOPER)
  let isStopping = false
  deps.measures.webhooks.inFlight = () => inFlight.size

  /** Begins a request, or returns undefined while there is no place for it. */
  const begin: Begin = (turn, delivery, isFirst) => {
    if (inFlight.size >= IN_FLIGHT_MAX) return undefined
    const leave = (isFirst ? first : further).take(turn.developerId)
    if (leave === undefined) return undefined
    const work = deliver(deps, turn, delivery, () => isStopping).finally(() => {
      leave()
      inFlight.delete(delivery.lease)
    })
    inFlight.set(
      delivery.lease,
      work.then(
        () => {},
        (err: unknown) => deps.log.warn({ err }, 'an attempt of a webhook was not written down'),
      ),
    )
    return work
  }

  const takeTurn = async (endpointId: string) => {
    try {
      const turn = await beginTurn(deps, endpointId)
      if (turn !== undefined) await serve(deps, turn, begin, () => turns.size >= TURNS_MAX)
    } catch (error) {
      deps.log.warn({ err: error, endpointId }, 'a turn of a webhook endpoint failed')
    }
  }

  return {
    async takeTurns(endpointIds) {
      for (const endpointId of endpointIds) {
        while (turns.size >= TURNS_MAX) await Promise.race(turns)
        // The sweep comes back to those that are passed over.
        if (isStopping || inFlight.size >= IN_FLIGHT_MAX) return
        const turn = takeTurn(endpointId).finally(() => turns.delete(turn))
        turns.add(turn)
      }
    },
    async stop(graceMs) {
      isStopping = true
      await Promise.all(turns)
      const all = Promise.all(inFlight.values())
      await Promise.race([all, sleep(graceMs, undefined, { ref: false })])
      const leases = [...inFlight.keys()]
      deps.agents.close()
      await all
      if (leases.length > 0) await releaseDeliveries(deps, leases)
    },
  }
}

type Begin = (
  turn: Turn,
  delivery: ClaimedDelivery,
  isFirst: boolean,
) => Promise<boolean> | undefined

async function serve(
  deps: DeliveryDeps,
  turn: Turn,
  begin: Begin,
  isCrowded: () => boolean,
): Promise<void> {
  const beganAtMs = performance.now()
  let over = sleep(TURN_MS, 'over' as const, { ref: false })
  let beginsUntilMs = beganAtMs + BEGINNING_MS
  const running = new Set<Promise<unknown>>()
  let places = Math.max(0, turn.places - turn.inFlight)
  const claimedAtOnce = turn.places === 1 ? 1 : CLAIMED_AT_ONCE
  let stock: ClaimedDelivery[] = []
  let isOver = false
  let isMore = false
  try {
    while (!isOver) {
      while (running.size < places) {
        if (performance.now() > beginsUntilMs) {
          isMore = true
          break
        }
        if (stock.length === 0) stock = await claimDeliveries(deps, turn, claimedAtOnce)
        const next = stock.shift()
        if (next === undefined) break
        const work = begin(turn, next, running.size + turn.inFlight === 0)
        if (work === undefined) {
          stock.unshift(next)
          // The sweep comes back to it when there is a place.
          if (running.size === 0) return
          places = running.size
          break
        }
        const watched = work
          .then((succeeded) => {
            if (!succeeded) places = Math.min(places, 1)
          })
          .finally(() => running.delete(watched))
        // Whoever waits for it is told; where the turn has failed before, nobody does.
        watched.catch(() => {})
        running.add(watched)
      }
      if (running.size === 0) break
      isOver = (await Promise.race([...running, over])) === 'over'
      if (!isOver && !isCrowded() && performance.now() < beganAtMs + LONG_TURN_MS - TURN_MS) {
        over = sleep(TURN_MS, 'over' as const, { ref: false })
        beginsUntilMs = performance.now() + BEGINNING_MS
      }
    }
    // What goes on by itself asks for a turn when it is done.
    for (const work of running)
      work.then(() => deps.jobs.askTurns([turn.endpointId])).catch(() => {})
  } finally {
    // Claims that are not given back would take the endpoint's places until their leases end.
    const isWanted = await patiently(() => endTurn(deps, turn, stock))
    if (isMore || isWanted) await deps.jobs.askTurns([turn.endpointId])
  }
}

/**
 * Makes one attempt and writes down what came of it.
 *
 * @returns whether the receiver took it
 */
async function deliver(
  deps: DeliveryDeps,
  turn: Turn,
  delivery: ClaimedDelivery,
  isStopping: () => boolean,
): Promise<boolean> {
  const startedAt = deps.now()
  const result = await traceDelivery(delivery.traceparent, (traceparent) =>
    attempt(deps, turn, delivery, startedAt, traceparent),
  )
  // Broken off by us: it is no failure of the receiver.
  if (isStopping() && result.outcome !== 'succeeded') return false
  countAttempt(deps, delivery, result)
  const state = await patiently(() => recordAttempt(deps, delivery, startedAt, result))
  if (state === undefined) return false
  const { installationId, type } = delivery.event
  if (result.outcome === 'succeeded') {
    if (type === 'installation.deleted' && installationId !== null) {
      await cancelRest(deps, turn.endpointId, installationId)
    }
    return true
  }
  if (result.outcome === 'gone') await endGone(deps, turn)
  if (result.outcome === 'failed') await followFailing(deps, turn, state)
  return result.outcome === 'proxy_failed'
}

function countAttempt(
  { measures, now }: DeliveryDeps,
  { event }: ClaimedDelivery,
  { outcome, reason }: AttemptResult,
): void {
  const { webhooks } = measures
  if (outcome === 'succeeded') {
    webhooks.succeeded += 1
    observe(webhooks.latency, Math.max(0, now().getTime() - event.at.getTime()) / 1000)
  } else if (reason !== undefined) countOne(webhooks.failed, reason.code)
}

/** A restart of Postgres is waited for: an attempt that is not written down is made twice. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const { atMs } = deadlineIn(RECORD_PATIENCE_MS)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > atMs) throw error
      await sleep(RECORD_AGAIN_MS)
    }
  }
}

async function attempt(
  { secrets, config, agents, allowedHosts, timeouts }: DeliveryDeps,
  turn: Turn,
  { event }: ClaimedDelivery,
  startedAt: Date,
  traceparent: string | undefined,
): Promise<AttemptResult> {
  const endpoint = { ...turn, id: turn.endpointId }
  const body = Buffer.from(eventJson(event, config.publicUrl))
  const message = { id: event.id, timestamp: Math.floor(startedAt.getTime() / 1000), body }
  const signature = signatureHeader({
    ...message,
    secrets: signingSecrets(secrets, endpoint, startedAt),
  })
  return sendAttempt({
    url: turn.url,
    body,
    headers: {
      ...openHeaders(secrets, endpoint),
      ...(traceparent !== undefined && { traceparent }),
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': signature,
    },
    agents,
    allowedHosts,
    ...(timeouts === undefined ? {} : { timeouts }),
  })
}

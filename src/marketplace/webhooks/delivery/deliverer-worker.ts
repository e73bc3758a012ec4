import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../../../base/database/failures.ts'
import { createBound } from '../../../base/fair-share/bound.ts'
import { createOutageLog } from '../../../base/log/outage-log.ts'
import { AppError } from '../../../errors.ts'
import {
  createBookkeeper,
  type DeliveryDeps,
  decryptWindow,
  makeAttempt,
  patiently,
} from './attempt-worker.ts'
import {
  closeWindow,
  type DueDelivery,
  openWindow,
  releaseDeliveries,
} from './sending-window-service.ts'
import { type Begin, serveWindow } from './serve-window-worker.ts'

/** Requests in flight of this process, together with attempts that are not recorded yet. */
const IN_FLIGHT_MAX = 512
/**
 * The most requests in flight of one developer: first requests, one per endpoint, and further ones,
 * counted apart. Endpoints that hang take no first places from endpoints that work.
 */
const FIRST_MAX_OF_DEVELOPER = 128
const FURTHER_MAX_OF_DEVELOPER = 64
/** How long an endpoint is passed over to which nothing could be sent, unless one of its requests ends. */
const PASSED_OVER_MS = 1_000
/** Windows that a process takes at once. Windows of hanging endpoints count and last no longer. */
const WINDOWS_MAX = 128

/** Sends what is due, window by window. */
export type Deliverer = {
  /**
   * Gives each endpoint that has something due a window, in the order in which they are named; one that
   * waits already, once. One to which nothing could be sent a moment ago is passed over.
   */
  sendTo(endpointIds: readonly string[]): void
  /** Lets requests in flight finish until the time is over, then ends them and gives them back. */
  stop(graceMs: number): Promise<void>
}

/**
 * Makes the deliverer. In a window an endpoint has up to its number of requests in flight for a
 * quarter of a second; then it goes to the back of the queue. A slower request continues under its
 * lease; when it is done, its endpoint gets another window.
 */
export function createDeliverer(deps: DeliveryDeps): Deliverer {
  const inFlight = new Map<string, Promise<unknown>>()
  const windows = new Set<Promise<void>>()
  /** The endpoints that wait for a window, the first one first. */
  const waiting = new Set<string>()
  /** Endpoints to which nothing could be sent -> until when they are passed over. */
  const passedOver = new Map<string, number>()
  const first = createBound<string>({ each: FIRST_MAX_OF_DEVELOPER })
  const further = createBound<string>({ each: FURTHER_MAX_OF_DEVELOPER })
  const bookkeeper = createBookkeeper(deps)
  const outage = createOutageLog(deps.log, {
    away: 'no webhooks are sent while the database is away',
    back: 'webhooks are sent again',
  })
  let isStopping = false
  deps.measures.webhooks.inFlight = () => inFlight.size

  /** An outage ends all windows and attempts at once: it is logged once. */
  const logFailure = (error: unknown, about: { endpointId?: string }, message: string) => {
    if (isOutage(error)) outage.failed(error)
    else deps.log.warn({ err: error, ...about }, message)
  }

  const begin: Begin = (window, delivery, { isFirst, onAnswer }) => {
    if (isStopping || inFlight.size >= IN_FLIGHT_MAX) return undefined
    const leave = (isFirst ? first : further).take(window.developerId)
    if (leave === undefined) return undefined
    const written = makeAttempt(deps, window, delivery)
      .finally(leave)
      .then(async (attempted) => {
        const { outcome } = attempted.result
        await onAnswer(outcome)
        // We interrupted it, so it is no failure of the receiver.
        if (isStopping && outcome !== 'succeeded') return false
        return bookkeeper.writeDown(window, attempted)
      })
    const ended = written
      .catch((error: unknown) => logFailure(error, {}, 'a webhook attempt was not written down'))
      .finally(() => {
        inFlight.delete(delivery.id)
        beginWindows()
      })
    inFlight.set(delivery.id, ended)
    return written
  }

  const isInFlight = ({ id }: DueDelivery) => inFlight.has(id)

  const sendInWindow = async (endpointId: string) => {
    try {
      const window = await openWindow(deps, endpointId)
      outage.succeeded()
      if (window === undefined) return
      // Where no key opens them, the window is kept until its lease ends: nobody tries again before.
      const open = decryptWindow(deps, window)
      let isMore = false
      let hasBegun = false
      const beginOne: Begin = (...request) => {
        const written = begin(...request)
        hasBegun ||= written !== undefined
        return written
      }
      try {
        const mayGoOn = () => !isStopping && windows.size < WINDOWS_MAX
        const whenFree = () => queue([endpointId])
        isMore = await serveWindow(deps, open, { begin: beginOne, mayGoOn, isInFlight, whenFree })
      } finally {
        await patiently(() => closeWindow(deps, window))
        if (!hasBegun) passedOver.set(endpointId, performance.now() + PASSED_OVER_MS)
        else if (isMore) queue([endpointId])
      }
    } catch (error) {
      logFailure(error, { endpointId }, 'the sending to a webhook endpoint failed')
    }
  }

  const beginWindows = () => {
    for (const endpointId of waiting) {
      if (isStopping || windows.size >= WINDOWS_MAX || inFlight.size >= IN_FLIGHT_MAX) return
      waiting.delete(endpointId)
      const window = sendInWindow(endpointId).finally(() => {
        windows.delete(window)
        beginWindows()
      })
      windows.add(window)
    }
  }
  const queue = (endpointIds: readonly string[]) => {
    for (const id of endpointIds) waiting.add(id)
    beginWindows()
  }

  return {
    sendTo(endpointIds) {
      const nowMs = performance.now()
      for (const [id, untilMs] of passedOver) if (untilMs <= nowMs) passedOver.delete(id)
      queue(endpointIds.filter((id) => !passedOver.has(id)))
    },
    async stop(graceMs) {
      isStopping = true
      await Promise.all(windows)
      const all = Promise.all(inFlight.values())
      await Promise.race([all, sleep(graceMs, undefined, { ref: false })])
      const ids = [...inFlight.keys()]
      deps.agents.close()
      await all
      if (ids.length > 0) await releaseDeliveries(deps, ids)
    },
  }
}

/** The database is away, or took too long. */
function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof AppError && error.code === 'unavailable')
}

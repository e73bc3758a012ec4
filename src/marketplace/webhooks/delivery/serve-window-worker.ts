import type { AttemptResult } from '../sending/send-attempt.ts'
import { type DecryptedWindow, type DeliveryDeps, patiently } from './attempt-worker.ts'
import {
  type DueDelivery,
  leaseDeliveries,
  PLACES,
  PLACES_UNPROVEN,
  readDue,
  tellsOfEnd,
} from './sending-window-service.ts'

/** How long a window waits for receivers; slower requests continue after it. */
const WINDOW_MS = 250
/** How long a window lasts while no other endpoint waits for one; less than its lease. */
const LONG_WINDOW_MS = 2_000
/** A window begins no requests in its last moments, so that most requests end within it. */
const ENDING_MS = 50
/** How many deliveries are read at once. */
const READ_AT_ONCE = 32

type Outcome = AttemptResult['outcome']

/**
 * Begins a request.
 *
 * @param onAnswer called when the outcome is known; the attempt is recorded after its promise
 * @returns undefined when there is no place for the request; otherwise a promise that resolves when
 *   the attempt is recorded, to false when it changed the endpoint's other deliveries
 */
export type Begin = (
  window: DecryptedWindow,
  delivery: DueDelivery,
  request: { isFirst: boolean; onAnswer: (outcome: Outcome) => Promise<void> | undefined },
) => Promise<boolean> | undefined

type Process = {
  begin: Begin
  mayGoOn: () => boolean
  /** Whether the process is sending a delivery: also since an earlier window, without a lease. */
  isInFlight: (delivery: DueDelivery) => boolean
  /** Called when a request that went on after the window is done. */
  whenFree: () => void
}

/**
 * Sends what is due at an endpoint until the window is over or nothing is left. The endpoint gets one
 * request until the first response shows that it works, so that hanging endpoints take no places
 * from others. Requests without a response by the end of the window continue.
 *
 * @returns whether more could have been sent
 */
export async function serveWindow(
  deps: DeliveryDeps,
  window: DecryptedWindow,
  { begin, mayGoOn, isInFlight, whenFree }: Process,
): Promise<boolean> {
  let most = Math.max(0, PLACES - window.inFlight)
  let places = Math.max(0, window.places - window.inFlight)
  if (places === 0) return false
  const read = async (except: readonly string[]) => {
    const due = await readDue(deps, window, { most: READ_AT_ONCE, except })
    return { stock: due.filter((one) => !isInFlight(one)), mayBeMore: due.length === READ_AT_ONCE }
  }
  let { stock, mayBeMore } = await read([])
  // Only now: however slow the database is, each window sends something.
  const beganAtMs = performance.now()
  let endsAtMs = beganAtMs + WINDOW_MS
  let isStale = false
  let failure: { error: unknown } | undefined
  let leasing: Promise<void> | undefined
  const unanswered = new Set<string>()
  const unwritten = new Map<string, Promise<unknown>>()
  /** Installations whose end is on its way: until it is recorded, nothing else of them begins. */
  const ending = new Set<string | null>()
  let change = Promise.withResolvers<void>()

  const tell = () => {
    change.resolve()
    change = Promise.withResolvers()
  }
  const learn = (outcome: Outcome) => {
    if (outcome === 'failed') most = places = Math.min(most, PLACES_UNPROVEN)
    if (outcome === 'succeeded') places = most
    // The endpoint is disabled next, or may rest now. If it is not, the loop finds it.
    if (outcome === 'gone' || outcome === 'proxy_failed') most = places = 0
    if (mayGoOn() && performance.now() < beganAtMs + LONG_WINDOW_MS - WINDOW_MS) {
      endsAtMs = performance.now() + WINDOW_MS
    }
  }
  const send = (delivery: DueDelivery): boolean => {
    const written = begin(window, delivery, {
      isFirst: unanswered.size + window.inFlight === 0,
      onAnswer(outcome) {
        unanswered.delete(delivery.id)
        learn(outcome)
        tell()
        return leasing
      },
    })
    if (written === undefined) return false
    const { installationId } = delivery.event
    if (tellsOfEnd(delivery)) ending.add(installationId)
    const noted = written
      .then(
        (standsAsBefore) => {
          unwritten.delete(delivery.id)
          if (tellsOfEnd(delivery)) ending.delete(installationId)
          isStale ||= !standsAsBefore
          // In order: the next event of the installation is due now.
          mayBeMore ||= window.ordered
        },
        (error: unknown) => {
          unanswered.delete(delivery.id)
          failure = { error }
        },
      )
      .finally(tell)
    unanswered.add(delivery.id)
    unwritten.set(delivery.id, noted)
    return true
  }
  /** Begins requests while there is a place, time and something to send. */
  const fill = async () => {
    while (unanswered.size < places && performance.now() < endsAtMs - ENDING_MS && !failure) {
      if (isStale) {
        isStale = false
        mayBeMore = true
        stock = []
      }
      if (stock.length === 0) {
        if (!mayBeMore) return
        mayBeMore = false
        const next = await read([...unwritten.keys()])
        stock = next.stock
        mayBeMore ||= next.mayBeMore
        continue
      }
      const [next] = stock
      const waits = next === undefined || ending.has(next.event.installationId)
      // There is no place for the request. The loop finds this endpoint when there is one.
      if (!waits && !send(next)) most = places = unanswered.size
      else stock.shift()
    }
  }

  for (;;) {
    // The window ends when every request that it began is recorded or has a lease.
    await fill().catch((error: unknown) => {
      failure = { error }
    })
    if (unwritten.size === 0 || failure || performance.now() >= endsAtMs) break
    const { promise } = change
    const timer = setTimeout(tell, endsAtMs - performance.now())
    await promise
    clearTimeout(timer)
  }
  const isMore = unanswered.size < places && (stock.length > 0 || mayBeMore || isStale)
  const slow = [...unanswered]
  const answered = [...unwritten].filter(([id]) => !unanswered.has(id))
  if (slow.length > 0) leasing = patiently(() => leaseDeliveries(deps, window, slow))
  await Promise.all([leasing, ...answered.map(([, noted]) => noted)])
  for (const id of slow) void unwritten.get(id)?.finally(whenFree)
  if (failure) throw failure.error
  return isMore
}

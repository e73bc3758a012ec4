import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { currentDeadline, deadlineIn, withDeadline } from '../../base/fair-share/deadline.ts'
import { AppError } from '../../errors.ts'

/** Requests of one developer that wait at the same time. */
const PLACES_PER_DEVELOPER = 4
/** Requests of all developers that wait in this process at the same time. */
const PLACES = 1_000
/** How often the logs of those who wait are looked at. */
const LOOK_MS = 250
/** A look that takes longer is given up: the next one follows. */
const LOOK_DEADLINE_MS = 2_000
const RETRY_AFTER_SECONDS = 1

/**
 * Requests that wait for the next event of a developer, each for as long as its caller asks (at most
 * `WAIT_MAX_SECONDS` in `event-routes.ts`). None holds a connection meanwhile.
 */
export type EventWaits = {
  /**
   * Takes a place for a request that is to wait.
   *
   * @throws AppError too_many_requests when the developer has no place left, unavailable when the
   *   process has none
   */
  take(developerId: string): WaitingPlace
  /** How many requests wait just now. */
  waiting(): number
  /** Ends all waits, and those that come later at once; for the end of the process. */
  end(): void
}

type WaitingPlace = {
  /**
   * Waits until the log has gone beyond a position, the time is over, the signal comes or the
   * process ends. The time does not count towards the deadline of the request.
   *
   * @returns whether the log has gone beyond the position
   */
  until(position: number, ms: number, signal: AbortSignal): Promise<boolean>
  leave(): void
}

type Waiter = { developerId: string; position: number; wake(hasMore: boolean): void }

/** Looks at the logs of all who wait with one query, as long as somebody waits. */
export function createEventWaits(pool: Pool): EventWaits {
  const places = new Map<string, number>()
  const waiters = new Set<Waiter>()
  let taken = 0
  let isLooking = false
  let hasEnded = false
  // Looks are for all: they must not end with the deadline of the request that began them.
  const outsideOfRequests = AsyncLocalStorage.snapshot()

  const look = async () => {
    const developerIds = [...new Set([...waiters].map(({ developerId }) => developerId))]
    const { rows } = await withDeadline(deadlineIn(LOOK_DEADLINE_MS), () =>
      pool.query<{ developer_id: string; position: string }>(
        'SELECT developer_id, position FROM event_logs WHERE developer_id = ANY ($1::uuid[])',
        [developerIds],
      ),
    )
    const heads = new Map(rows.map((row) => [row.developer_id, Number(row.position)]))
    for (const { developerId, position, wake } of [...waiters]) {
      if ((heads.get(developerId) ?? 0) > position) wake(true)
    }
  }
  const keepLooking = async () => {
    if (isLooking) return
    isLooking = true
    await sleep(LOOK_MS)
    while (waiters.size > 0) {
      // While the database is away they wait on: who reads afterwards is told.
      await look().catch(() => {})
      await sleep(LOOK_MS)
    }
    isLooking = false
  }

  const wait = (developerId: string, position: number, ms: number, signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      const end = () => waiter.wake(false)
      const timer = setTimeout(end, ms)
      const waiter: Waiter = {
        developerId,
        position,
        wake(hasMore) {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          waiters.delete(waiter)
          resolve(hasMore)
        },
      }
      signal.addEventListener('abort', end)
      waiters.add(waiter)
      if (hasEnded || signal.aborted) end()
      else outsideOfRequests(() => void keepLooking())
    })

  return {
    take(developerId) {
      const own = places.get(developerId) ?? 0
      if (own >= PLACES_PER_DEVELOPER) throw tooManyOfOne()
      if (taken >= PLACES) throw tooManyOfAll()
      taken += 1
      places.set(developerId, own + 1)
      return {
        async until(position, ms, signal) {
          const beganAtMs = performance.now()
          const hasMore = await wait(developerId, position, ms, signal)
          const deadline = currentDeadline()
          if (deadline !== undefined) deadline.atMs += performance.now() - beganAtMs
          return hasMore
        },
        leave() {
          taken -= 1
          const rest = (places.get(developerId) ?? 0) - 1
          if (rest > 0) places.set(developerId, rest)
          else places.delete(developerId)
        },
      }
    },
    waiting: () => waiters.size,
    end() {
      hasEnded = true
      for (const waiter of [...waiters]) waiter.wake(false)
    },
  }
}

function tooManyOfOne(): AppError {
  return new AppError('too_many_requests', {
    detail: `At most ${PLACES_PER_DEVELOPER} requests of a developer wait for events at the same time.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

function tooManyOfAll(): AppError {
  return new AppError('unavailable', {
    detail: 'Too many requests wait for events. Ask without `wait`, or try again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

import { AppError } from '../errors.ts'

const RETRY_AFTER_SECONDS = 2

/** How many may wait in a lane: of each party, and in all. */
type LaneLimits = { each: number; all: number }
type Waiter = { go: () => void; refuse: (error: AppError) => void }

export type Turns<Lane extends string> = {
  /**
   * Runs work when the party's turn has come.
   *
   * @throws AppError unavailable when too many wait already, or the turn takes too long to come
   */
  run<T>(lane: Lane, party: string, work: () => Promise<T>): Promise<T>
  /**
   * For callers that would do some work before.
   *
   * @throws AppError unavailable when too many wait already
   */
  requireRoom(lane: Lane, party: string): void
}

/**
 * Lets `slots` pieces of work run at once. The lanes take turns, and in each lane the parties:
 * whoever asks often waits longer itself, and nobody else does. A full lane still takes a party that
 * has nothing waiting, in the place of the last of the party that has most.
 *
 * @param patienceMs nobody waits longer
 */
export function createTurns<Lane extends string>(
  slots: number,
  limits: Record<Lane, LaneLimits>,
  patienceMs: number,
): Turns<Lane> {
  const lanes = new Map<string, WaitingLane>(
    Object.entries<LaneLimits>(limits).map(([lane, limit]) => [lane, createLane(limit)]),
  )
  const laneOf = (lane: Lane) => lanes.get(lane) as WaitingLane
  let free = slots

  const next = (): Waiter | undefined => {
    for (const [name, lane] of lanes) {
      const waiter = lane.next()
      if (waiter === undefined) continue
      // To the end: it is the other lane's turn.
      lanes.delete(name)
      lanes.set(name, lane)
      return waiter
    }
    return undefined
  }
  const wait = (lane: WaitingLane, party: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiter = {
        go() {
          clearTimeout(timer)
          resolve()
        },
        refuse(error: AppError) {
          clearTimeout(timer)
          reject(error)
        },
      }
      const timer = setTimeout(() => {
        lane.leave(party, waiter)
        reject(tooMany())
      }, patienceMs)
      lane.join(party, waiter)
    })

  return {
    async run(lane, party, work) {
      if (free > 0) free -= 1
      else {
        if (!laneOf(lane).hasRoom(party)) throw tooMany()
        await wait(laneOf(lane), party)
      }
      try {
        return await work()
      } finally {
        const waiter = next()
        if (waiter) waiter.go()
        else free += 1
      }
    },
    requireRoom(lane, party) {
      if (free === 0 && !laneOf(lane).hasRoom(party)) throw tooMany()
    },
  }
}

type WaitingLane = ReturnType<typeof createLane>

function createLane({ each, all }: LaneLimits) {
  // A Map iterates in the order of insertion: the first party is the one whose turn is next.
  const parties = new Map<string, Waiter[]>()
  let size = 0

  const longest = (): Waiter[] => {
    let most: Waiter[] = []
    for (const waiting of parties.values()) if (waiting.length >= most.length) most = waiting
    return most
  }
  return {
    hasRoom(party: string): boolean {
      const own = parties.get(party)?.length ?? 0
      return own < each && (size < all || longest().length > own + 1)
    },
    join(party: string, waiter: Waiter): void {
      if (size < all) size += 1
      else longest().pop()?.refuse(tooMany())
      const waiting = parties.get(party)
      if (waiting) waiting.push(waiter)
      else parties.set(party, [waiter])
    },
    leave(party: string, waiter: Waiter): void {
      const left = parties.get(party)?.filter((one) => one !== waiter) ?? []
      size -= 1
      if (left.length > 0) parties.set(party, left)
      else parties.delete(party)
    },
    next(): Waiter | undefined {
      const [first] = parties
      if (first === undefined) return undefined
      const [party, [waiter, ...others]] = first
      size -= 1
      parties.delete(party)
      if (others.length > 0) parties.set(party, others)
      return waiter
    },
  }
}

function tooMany(): AppError {
  return new AppError('unavailable', {
    detail: 'Too many sign-ins at once. Try again in a moment.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

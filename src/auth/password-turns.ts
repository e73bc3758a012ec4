import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors.ts'

const RETRY_AFTER_SECONDS = 2
/** A refusal at once would let each connection of a flood ask thousands of times a second. */
const REFUSAL_DELAY_MS = 500
/** Refusals that wait; further ones are answered at once. */
const DELAYED_REFUSALS_MAX = 2_000

/** How many may wait in a lane: of each party, and in all. */
type LaneLimits = { each: number; all: number }
type Waiter = { go: () => void; refuse: () => void }

export type PasswordTurns<Lane extends string> = {
  /**
   * Runs work when the party's turn has come.
   *
   * @param prepare what has to be done before, such as queries: no slot stands idle meanwhile
   * @throws AppError unavailable when too many wait already, before anything is prepared where that
   *   is known by then, or when the turn takes too long to come
   */
  run<Prepared, Result>(
    lane: Lane,
    party: string,
    prepare: () => Promise<Prepared>,
    work: (prepared: Prepared) => Promise<Result>,
  ): Promise<Result>
  /** What runs and waits now, and how much was refused since the start. */
  state(): { running: number; waiting: number; refused: number }
}

/**
 * Lets `slots` pieces of work run at once. The lanes take turns, and in each lane the parties take
 * turns: a party that asks often makes only itself wait. A full lane still takes a party that has
 * nothing waiting; it replaces the last entry of the party that has most.
 *
 * @param patienceMs the longest wait for a turn
 */
export function createPasswordTurns<Lane extends string>(
  slots: number,
  limits: Record<Lane, LaneLimits>,
  patienceMs: number,
): PasswordTurns<Lane> {
  const lanes = new Map<string, WaitingLane>(
    Object.entries<LaneLimits>(limits).map(([lane, limit]) => [lane, createLane(limit)]),
  )
  let free = slots
  let delayed = 0
  let refused = 0
  const refusal = () => {
    refused += 1
    return tooMany()
  }

  const refuseLater = async (): Promise<never> => {
    if (delayed < DELAYED_REFUSALS_MAX) {
      delayed += 1
      await sleep(REFUSAL_DELAY_MS)
      delayed -= 1
    }
    throw refusal()
  }
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
  const turn = (lane: WaitingLane, party: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiter = {
        go() {
          clearTimeout(timer)
          resolve()
        },
        refuse() {
          clearTimeout(timer)
          reject(refusal())
        },
      }
      const timer = setTimeout(() => {
        lane.leave(party, waiter)
        waiter.refuse()
      }, patienceMs)
      lane.join(party, waiter)
    })

  return {
    state: () => ({
      running: slots - free,
      waiting: [...lanes.values()].reduce((all, lane) => all + lane.size(), 0),
      refused,
    }),
    async run(name, party, prepare, work) {
      const lane = lanes.get(name) as WaitingLane
      if (lane.isFull(party, free)) return refuseLater()
      const prepared = await lane.preparing(party, prepare)
      if (free > 0) free -= 1
      else await turn(lane, party)
      try {
        return await work(prepared)
      } finally {
        const waiter = next()
        if (waiter) waiter.go()
        else free += 1
      }
    },
  }
}

type WaitingLane = ReturnType<typeof createLane>

function createLane({ each, all }: LaneLimits) {
  // A Map iterates in the order of insertion: the first party is the one whose turn is next.
  const parties = new Map<string, Waiter[]>()
  const underPreparation = new Map<string, number>()
  let size = 0

  const longest = (): Waiter[] => {
    let most: Waiter[] = []
    for (const waiting of parties.values()) if (waiting.length >= most.length) most = waiting
    return most
  }
  const countOf = (party: string) => parties.get(party)?.length ?? 0
  const hasRoom = (party: string) =>
    countOf(party) < each && (size < all || longest().length > countOf(party) + 1)

  return {
    size: () => size,
    /** Those who prepare have their places already, beside as many as need not wait. */
    isFull(party: string, free: number): boolean {
      const preparing = underPreparation.get(party) ?? 0
      return countOf(party) + preparing >= each + free || (free === 0 && !hasRoom(party))
    },
    async preparing<T>(party: string, prepare: () => Promise<T>): Promise<T> {
      underPreparation.set(party, (underPreparation.get(party) ?? 0) + 1)
      try {
        return await prepare()
      } finally {
        const left = (underPreparation.get(party) ?? 1) - 1
        if (left > 0) underPreparation.set(party, left)
        else underPreparation.delete(party)
      }
    },
    join(party: string, waiter: Waiter): void {
      if (!hasRoom(party)) {
        waiter.refuse()
        return
      }
      if (size < all) size += 1
      else longest().pop()?.refuse()
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

import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'

const RETRY_AFTER_SECONDS = 2
/** A refusal at once would let each connection of a flood ask thousands of times a second. */
const REFUSAL_DELAY_MS = 500
/** Refusals that wait; further ones are answered at once. */
const DELAYED_REFUSALS_MAX = 2_000
/** How long the place of a party is kept whose patience ended: it comes back when it was told to. */
const PLACE_KEPT_MS = 10_000

/**
 * How many may wait in a lane: of each party, and in all.
 * `busy`: the lane in which a party is while it has more than one attempt under way.
 */
export type LaneLimits<Lane extends string> = { each: number; all: number; busy?: Lane }
type Waiter = { go: () => void; refuse: () => void }
type Place<Lane> = { lane: Lane; waiting: Waiter[]; kept?: NodeJS.Timeout }

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
 * nothing waiting; it replaces the last entry of the party that has most. A party whose patience
 * ends finds its place again when it comes back soon.
 *
 * @param patienceMs the longest wait for a turn
 */
export function createPasswordTurns<Lane extends string>(
  slots: number,
  limits: Record<Lane, LaneLimits<Lane>>,
  patienceMs: number,
): PasswordTurns<Lane> {
  /** The first lane is the one whose turn is next. */
  const lanes = Object.keys(limits) as Lane[]
  // A Map iterates in the order of insertion: of each lane, the first party is the one whose turn is
  // next. Those without waiters keep a place, or are there for a moment.
  const places = new Map<string, Place<Lane>>()
  /** Attempts of a party that are not answered: being prepared, waiting, running or refused. */
  const underWay = createCounts()
  const preparing = createCounts()
  const preparingIn = createCounts()
  let free = slots
  let delayed = 0
  let refused = 0

  const laneOf = (party: string, { lane }: Pick<Place<Lane>, 'lane'>): Lane =>
    underWay.of(party) > 1 ? (limits[lane].busy ?? lane) : lane
  const waitingIn = (lane: Lane): Waiter[][] =>
    [...places].flatMap(([party, place]) =>
      laneOf(party, place) === lane && place.waiting.length > 0 ? [place.waiting] : [],
    )
  const longest = (lane: Lane): Waiter[] =>
    waitingIn(lane).reduce((most, one) => (one.length >= most.length ? one : most), [])
  const sizeOf = (lane: Lane) => waitingIn(lane).reduce((all, { length }) => all + length, 0)
  const countOf = (party: string) => places.get(party)?.waiting.length ?? 0
  const isLaneFull = (lane: Lane) => sizeOf(lane) >= limits[lane].all
  const hasRoom = (lane: Lane, party: string) => {
    const count = countOf(party)
    const shared = laneOf(party, { lane })
    if (count >= limits[lane].each) return false
    // Its place was counted when it came first.
    if (places.get(party)?.kept !== undefined) return true
    return !isLaneFull(shared) || longest(shared).length > count + 1
  }
  /** Those who prepare have their places already, beside as many as need not wait. */
  const isFull = (lane: Lane, party: string) => {
    if (countOf(party) + preparing.of(party) >= limits[lane].each + free) return true
    const shared = laneOf(party, { lane })
    const taken = sizeOf(shared) + preparingIn.of(shared)
    if (taken < limits[shared].all + free || places.get(party)?.kept !== undefined) return false
    return longest(shared).length <= countOf(party) + 1
  }

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

  const join = (lane: Lane, party: string, waiter: Waiter): void => {
    if (!hasRoom(lane, party)) {
      waiter.refuse()
      return
    }
    const shared = laneOf(party, { lane })
    if (isLaneFull(shared) && longest(shared).length > 1) longest(shared).pop()?.refuse()
    const place = places.get(party) ?? { lane, waiting: [] }
    place.lane = lane
    place.waiting.push(waiter)
    places.set(party, place)
    dropEmpty()
  }
  /** Keeps the place of a party that has waited in vain for a while. */
  const leave = (party: string, waiter: Waiter): void => {
    const place = places.get(party)
    if (place === undefined) return
    place.waiting = place.waiting.filter((one) => one !== waiter)
    clearTimeout(place.kept)
    place.kept = setTimeout(() => {
      delete place.kept
      dropEmpty()
    }, PLACE_KEPT_MS).unref()
  }
  const dropEmpty = () => {
    for (const [party, { waiting, kept }] of places) {
      if (waiting.length === 0 && kept === undefined) places.delete(party)
    }
  }
  const turn = (lane: Lane, party: string): Promise<void> =>
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
        leave(party, waiter)
        waiter.refuse()
      }, patienceMs)
      join(lane, party, waiter)
    })
  const next = (): Waiter | undefined => {
    for (const lane of lanes) {
      for (const [party, place] of places) {
        if (place.waiting.length === 0 || laneOf(party, place) !== lane) continue
        // To the end: it is the turn of the other lanes, and of the other parties in this one.
        lanes.push(...lanes.splice(lanes.indexOf(lane), 1))
        clearTimeout(place.kept)
        places.delete(party)
        const [waiter, ...waiting] = place.waiting
        if (waiting.length > 0) places.set(party, { lane: place.lane, waiting })
        return waiter
      }
    }
    return undefined
  }

  return {
    state: () => ({
      running: slots - free,
      waiting: [...places.values()].reduce((all, { waiting }) => all + waiting.length, 0),
      refused,
    }),
    run: (lane, party, prepare, work) =>
      underWay.during(party, async () => {
        if (isFull(lane, party)) return refuseLater()
        const prepared = await preparingIn.during(laneOf(party, { lane }), () =>
          preparing.during(party, prepare),
        )
        if (free > 0) free -= 1
        else await turn(lane, party)
        try {
          return await work(prepared)
        } finally {
          const waiter = next()
          if (waiter) waiter.go()
          else free += 1
        }
      }),
  }
}

/** How many of each are there now. */
function createCounts() {
  const counts = new Map<string, number>()
  return {
    of: (key: string) => counts.get(key) ?? 0,
    async during<T>(key: string, work: () => Promise<T>): Promise<T> {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      try {
        return await work()
      } finally {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}

function tooMany(): AppError {
  return new AppError('unavailable', {
    detail: 'Too many sign-ins at once. Try again in a moment.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

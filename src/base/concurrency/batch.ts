import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../../errors.ts'
import {
  currentDeadline,
  type Deadline,
  NO_DEADLINE,
  withoutDeadline,
} from '../fair-share/deadline.ts'
import { createFairQueue } from '../fair-share/fair-queue.ts'

/** How many calls share one load; more calls make several loads. */
const BATCH_LIMIT = 500
/** While so many queries are under way further calls wait and share the next one. */
const PARALLEL = 2
/** How long a call waits for its value; shorter where the deadline of its request is. */
const PATIENCE_MS = 5_000
/** Calls that wait for a load to begin; of more each is refused at once. */
const WAITING_MAX = 10 * BATCH_LIMIT
/** How often calls are looked for that have waited too long. */
const LOOK_MS = 250
const RETRY_AFTER_SECONDS = 2

/**
 * A load serves many requests, so it must not end with the deadline of the request that started it.
 */
const outsideOfRequests = AsyncLocalStorage.snapshot()

export type BatchLimits = {
  /** How many calls share one load: fewer where their values may be large. */
  batchLimit?: number
  patienceMs?: number
  waitingMax?: number
  /** How long calls are gathered before a load begins; by default two ticks of the event loop. */
  gatherMs?: number
  /** Loads that are under way at once. */
  parallel?: number
  /** Whose turns the loads take at the connections to the database; its own unless given. */
  caller?: symbol
}

/**
 * Makes a function that gathers calls into one `load`: those of two ticks of the event loop or of a
 * given time, and those that come while earlier loads are under way. A load only ever begins after
 * all of its calls were made. Calls with the same key (the same object) share one entry. Behind those
 * that the next load takes, callers (of `withDeadline`) take turns.
 *
 * @param load answers one value per key, in the order of the keys; when it fails, every call of
 *   the batch fails with its error
 * @returns rejects with AppError unavailable when the value takes too long, or too many wait
 */
export function createBatch<Key, Value>(
  load: Load<Key, Value>,
  limits: BatchLimits = {},
): (key: Key) => Promise<Value> {
  const batch = new Batch(load, limits)
  return (key) => batch.valueOf(key)
}

type Load<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>

type Call<Key, Value> = {
  key: Key
  caller: Deadline['caller']
  untilMs: number
  /**
   * Undefined once there is one. V8 may keep an old backing store of the Maps below until the next
   * full collection, and that store must not keep a value alive.
   */
  result: PromiseWithResolvers<Value> | undefined
}

class Batch<Key, Value> {
  private readonly load: Load<Key, Value>
  private readonly limits
  private readonly waiting = new Map<Key, Call<Key, Value>>()
  /** What the next load takes, in the order of arrival; the rest waits in a fair queue. */
  private next: Call<Key, Value>[] = []
  private readonly rest = createFairQueue<Deadline['caller'], Call<Key, Value>>()
  private readonly underWay = new Set<readonly Call<Key, Value>[]>()
  private isScheduled = false
  private isLooking = false
  /** Runs work as the batch: the calls of a load have several callers, and it acts for none of them. */
  private readonly asBatch

  constructor(
    load: Load<Key, Value>,
    {
      batchLimit = BATCH_LIMIT,
      patienceMs = PATIENCE_MS,
      waitingMax = WAITING_MAX,
      gatherMs,
      parallel = PARALLEL,
      caller = Symbol('batch'),
    }: BatchLimits,
  ) {
    this.load = load
    this.limits = { batchLimit, patienceMs, waitingMax, gatherMs, parallel }
    this.asBatch = outsideOfRequests(() =>
      withoutDeadline(() => AsyncLocalStorage.snapshot(), caller),
    )
  }

  valueOf(key: Key): Promise<Value> {
    const same = this.waiting.get(key)?.result
    if (same !== undefined) return same.promise
    const { batchLimit, patienceMs, waitingMax } = this.limits
    if (this.waiting.size >= waitingMax) return Promise.reject(tooLate())
    const deadline: Deadline = currentDeadline() ?? NO_DEADLINE
    const untilMs = Math.min(performance.now() + patienceMs, deadline.atMs)
    const isNext = this.next.length < batchLimit
    // Nobody asks whose the calls of the next load are.
    const caller = isNext ? undefined : deadline.caller
    const result = Promise.withResolvers<Value>()
    const call: Call<Key, Value> = { key, caller, untilMs, result }
    this.waiting.set(key, call)
    if (isNext) this.next.push(call)
    else this.rest.add(caller, call)
    this.schedule()
    if (!this.isLooking) this.lookLater()
    return result.promise
  }

  private schedule(): void {
    const { parallel, gatherMs } = this.limits
    if (this.isScheduled || this.waiting.size === 0 || this.underWay.size >= parallel) return
    this.isScheduled = true
    const begin = () => this.asBatch(() => this.flush())
    // In the next tick but one: the calls of all requests that have arrived by then share a load.
    if (gatherMs === undefined) setImmediate(() => setImmediate(begin))
    else setTimeout(begin, gatherMs)
  }

  private flush(): void {
    this.isScheduled = false
    while (this.next.length > 0 && this.underWay.size < this.limits.parallel) {
      const calls = this.next
      for (const { key } of calls) this.waiting.delete(key)
      this.next = []
      this.fillNext()
      void this.run(calls)
    }
  }

  private fillNext(): void {
    while (this.next.length < this.limits.batchLimit) {
      const call = this.rest.next()
      if (call === undefined) return
      this.next.push(call)
    }
  }

  private async run(calls: readonly Call<Key, Value>[]): Promise<void> {
    this.underWay.add(calls)
    try {
      const values = await this.load(calls.map(({ key }) => key))
      if (values.length !== calls.length) throw new Error('a batch lost some of its answers')
      for (const [index, call] of calls.entries()) resolve(call, values[index] as Value)
    } catch (error) {
      for (const call of calls) reject(call, error)
    } finally {
      this.underWay.delete(calls)
      this.schedule()
    }
  }

  /** Refuses calls that have waited too long. */
  private look(): void {
    const nowMs = performance.now()
    for (const [key, call] of this.waiting) {
      if (call.untilMs <= nowMs) {
        this.waiting.delete(key)
        this.rest.leave(call.caller, call)
        reject(call, tooLate())
      }
    }
    this.next = this.next.filter(({ result }) => result !== undefined)
    this.fillNext()
    for (const calls of this.underWay) {
      for (const call of calls) if (call.untilMs <= nowMs) reject(call, tooLate())
    }
    if (this.waiting.size > 0 || this.underWay.size > 0) this.lookLater()
    else this.isLooking = false
  }

  /** One timer for all calls: most are answered long before it fires. */
  private lookLater(): void {
    this.isLooking = true
    setTimeout(() => this.look(), Math.min(LOOK_MS, this.limits.patienceMs)).unref()
  }
}

function resolve<Value>(call: Call<unknown, Value>, value: Value): void {
  call.result?.resolve(value)
  call.result = undefined
}

function reject<Value>(call: Call<unknown, Value>, error: unknown): void {
  call.result?.reject(error)
  call.result = undefined
}

function tooLate(): AppError {
  return new AppError('unavailable', {
    detail: 'The database takes too long to answer.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

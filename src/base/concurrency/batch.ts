import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../../errors.ts'
import { currentDeadline, type Deadline, NO_DEADLINE, withoutDeadline } from './deadline.ts'
import { createFairQueue } from './fair-queue.ts'

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
  /** How long calls are gathered before a load begins; by default two turns of the event loop. */
  gatherMs?: number
  /** Loads that are under way at once. */
  parallel?: number
  /** Whose turns the loads take at the connections to the database; its own unless given. */
  caller?: symbol
}

/**
 * Makes a function that gathers calls into one `load`: those of two turns of the event loop or of a
 * given time, and those that come while earlier loads are under way. A load only ever begins after
 * all of its calls were made. Calls with the same key (the same object) share one entry. Behind those
 * that the next load takes, callers (of `withDeadline`) take turns.
 *
 * @param load answers one value per key, in the order of the keys; when it fails, every call of
 *   the batch fails with its error
 * @returns rejects with AppError unavailable when the value takes too long, or too many wait
 */
export function createBatch<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  {
    batchLimit = BATCH_LIMIT,
    patienceMs = PATIENCE_MS,
    waitingMax = WAITING_MAX,
    gatherMs,
    parallel = PARALLEL,
    caller: callerOfLoads = Symbol('batch'),
  }: BatchLimits = {},
): (key: Key) => Promise<Value> {
  type Call = {
    key: Key
    caller: Deadline['caller']
    untilMs: number
    /**
     * Undefined once there is one. V8 may keep an old backing store of the Maps below until the next
     * full collection, and that store must not keep a value alive.
     */
    result: PromiseWithResolvers<Value> | undefined
  }
  const waiting = new Map<Key, Call>()
  /** What the next load takes, in the order of arrival; the rest waits in turns. */
  let next: Call[] = []
  const rest = createFairQueue<Deadline['caller'], Call>()
  const underWay = new Set<readonly Call[]>()
  let isScheduled = false
  let isLooking = false
  // The calls of a load have several callers: it takes the turns of the batch, not those of one.
  const asBatch = outsideOfRequests(() =>
    withoutDeadline(() => AsyncLocalStorage.snapshot(), callerOfLoads),
  )

  const resolve = (call: Call, value: Value) => {
    call.result?.resolve(value)
    call.result = undefined
  }
  const reject = (call: Call, error: unknown) => {
    call.result?.reject(error)
    call.result = undefined
  }
  const run = async (calls: readonly Call[]) => {
    underWay.add(calls)
    try {
      const values = await load(calls.map(({ key }) => key))
      if (values.length !== calls.length) throw new Error('a batch lost some of its answers')
      for (const [index, call] of calls.entries()) resolve(call, values[index] as Value)
    } catch (error) {
      for (const call of calls) reject(call, error)
    } finally {
      underWay.delete(calls)
      schedule()
    }
  }
  const fillNext = () => {
    while (next.length < batchLimit) {
      const call = rest.next()
      if (call === undefined) return
      next.push(call)
    }
  }
  const flush = () => {
    isScheduled = false
    while (next.length > 0 && underWay.size < parallel) {
      const calls = next
      for (const { key } of calls) waiting.delete(key)
      next = []
      fillNext()
      void run(calls)
    }
  }
  const schedule = () => {
    if (isScheduled || waiting.size === 0 || underWay.size >= parallel) return
    isScheduled = true
    const begin = () => asBatch(flush)
    // In the next turn but one: the calls of all requests that have arrived by then share a load.
    if (gatherMs === undefined) setImmediate(() => setImmediate(begin))
    else setTimeout(begin, gatherMs)
  }
  /** One timer for all calls: most are answered long before it fires. */
  const look = () => {
    const nowMs = performance.now()
    for (const [key, call] of waiting) {
      if (call.untilMs <= nowMs) {
        waiting.delete(key)
        rest.leave(call.caller, call)
        reject(call, tooLate())
      }
    }
    next = next.filter(({ result }) => result !== undefined)
    fillNext()
    for (const calls of underWay) {
      for (const call of calls) if (call.untilMs <= nowMs) reject(call, tooLate())
    }
    if (waiting.size > 0 || underWay.size > 0) lookLater()
    else isLooking = false
  }
  const lookLater = () => {
    isLooking = true
    setTimeout(look, Math.min(LOOK_MS, patienceMs)).unref()
  }
  return (key) => {
    const same = waiting.get(key)?.result
    if (same !== undefined) return same.promise
    if (waiting.size >= waitingMax) return Promise.reject(tooLate())
    const deadline: Deadline = currentDeadline() ?? NO_DEADLINE
    const untilMs = Math.min(performance.now() + patienceMs, deadline.atMs)
    const isNext = next.length < batchLimit
    // Nobody asks whose the calls of the next load are.
    const caller = isNext ? undefined : deadline.caller
    const result = Promise.withResolvers<Value>()
    const call: Call = { key, caller, untilMs, result }
    waiting.set(key, call)
    if (isNext) next.push(call)
    else rest.add(caller, call)
    schedule()
    if (!isLooking) lookLater()
    return result.promise
  }
}

function tooLate(): AppError {
  return new AppError('unavailable', {
    detail: 'The database takes too long to answer.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

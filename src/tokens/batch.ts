/** Bounds the arrays of one query; more calls make several queries. */
const BATCH_LIMIT = 500
/** While so many queries are under way further calls wait and share the next one. */
const PARALLEL = 2

/**
 * Makes a function that gathers calls into one `load`: those of two turns of the event loop, and
 * those that come while earlier loads are under way. A load only ever begins after all of its
 * calls were made. Calls with the same key (the same object) share one entry.
 *
 * @param load answers one value per key, in the order of the keys; when it fails, every call of
 *   the batch fails with its error
 */
export function createBatch<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  type Call = { promise: Promise<Value>; resolve: (v: Value) => void; reject: (e: unknown) => void }
  let waiting = new Map<Key, Call>()
  let underWay = 0
  let isScheduled = false

  const run = async (calls: readonly (readonly [Key, Call])[]) => {
    underWay += 1
    try {
      const values = await load(calls.map(([key]) => key))
      if (values.length !== calls.length) throw new Error('a batch lost some of its answers')
      for (const [index, [, call]] of calls.entries()) call.resolve(values[index] as Value)
    } catch (error) {
      for (const [, call] of calls) call.reject(error)
    } finally {
      underWay -= 1
      schedule()
    }
  }
  const flush = () => {
    isScheduled = false
    while (waiting.size > 0 && underWay < PARALLEL) {
      const calls = [...waiting]
      waiting = new Map(calls.slice(BATCH_LIMIT))
      void run(calls.slice(0, BATCH_LIMIT))
    }
  }
  const schedule = () => {
    if (isScheduled || waiting.size === 0 || underWay >= PARALLEL) return
    isScheduled = true
    // In the next turn but one: the calls of all requests that have arrived by then share a load.
    setImmediate(() => setImmediate(flush))
  }
  return (key) => {
    const same = waiting.get(key)
    if (same !== undefined) return same.promise
    const call: Call = Promise.withResolvers<Value>()
    waiting.set(key, call)
    schedule()
    return call.promise
  }
}

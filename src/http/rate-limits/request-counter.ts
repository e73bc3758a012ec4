/** What is left of a budget after a request was counted. */
export type RequestCount = {
  remaining: number
  /** Whole seconds until the budget is full again. */
  ttlInSeconds: number
  isExceeded: boolean
}

/** Counts one request of the consumer `key`, who may send `max` in a window. */
export type RequestCounter = (key: string, max: number) => RequestCount

type Window = { count: number; endsAtMs: number }

/**
 * Makes a counter in fixed windows, each of which begins with its consumer's first request. Ours
 * because `@fastify/rate-limit` takes a promise for each request, and finds the consumer by itself.
 *
 * @param windowMs length of a window
 * @param consumersMax when more consumers are active, those whose windows end first are forgotten
 * @param nowMs a clock in milliseconds
 */
export function createRequestCounter(
  windowMs: number,
  consumersMax: number,
  nowMs = () => Date.now(),
): RequestCounter {
  // A Map iterates in the order of insertion: the first window is the one that ends first.
  const windows = new Map<string, Window>()

  const dropEnded = (now: number) => {
    for (const [key, { endsAtMs }] of windows) {
      if (endsAtMs > now && windows.size < consumersMax) return
      windows.delete(key)
    }
  }
  const begin = (key: string, now: number): Window => {
    windows.delete(key)
    dropEnded(now)
    const window = { count: 0, endsAtMs: now + windowMs }
    windows.set(key, window)
    return window
  }
  return (key, max) => {
    const now = nowMs()
    const current = windows.get(key)
    // This also covers a clock that was set back.
    const isRunning = current && current.endsAtMs > now && current.endsAtMs - now <= windowMs
    const window = isRunning ? current : begin(key, now)
    window.count += 1
    return {
      remaining: Math.max(0, max - window.count),
      ttlInSeconds: Math.ceil((window.endsAtMs - now) / 1000),
      isExceeded: window.count > max,
    }
  }
}

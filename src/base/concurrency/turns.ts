import { currentDeadline, type Deadline } from './deadline.ts'
import { createFairQueue } from './fair-queue.ts'

/** Does a piece of work when its turn has come. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Makes turns for work outside of the event loop, so many pieces at once. Callers (of `withDeadline`)
 * take turns: one that has much to do makes only itself wait.
 */
export function createTurns(atOnceMax: number): Turns {
  const waiting = createFairQueue<Deadline['caller'], { begin: () => void }>()
  let free = atOnceMax

  return async (work) => {
    if (free > 0) free -= 1
    else {
      const { promise, resolve: begin } = Promise.withResolvers<void>()
      waiting.add(currentDeadline()?.caller, { begin })
      await promise
    }
    try {
      return await work()
    } finally {
      const next = waiting.next()
      if (next === undefined) free += 1
      else next.begin()
    }
  }
}

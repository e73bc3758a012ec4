import { setImmediate as nextIteration } from 'node:timers/promises'

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Resolves in the next turn of the event loop that is free for a piece of long work: one piece in
 * each turn, however much work there is, so that other requests are served in between.
 */
export function nextTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => nextIteration())
  return lastTurn
}

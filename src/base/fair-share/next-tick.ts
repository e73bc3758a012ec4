import { currentDeadline, type Deadline } from './deadline.ts'
import { createFairQueue } from './fair-queue.ts'

/** Reading, checking or writing more characters than this takes milliseconds. */
export const LONG_CHARACTERS = 65_536

/** So many ticks are left to others between two pieces: a short request takes a few of them. */
export const TICKS_BETWEEN = 4

type Waiter = {
  deadline: Deadline | undefined
  begin: () => void
  refuse: (error: Error) => void
}

const waiting = createFairQueue<Deadline['caller'], Waiter>()
let isScheduled = false
let ticksLeft = 0

/**
 * Resolves in a tick of the event loop that is free for a piece of long work: one piece in a tick,
 * and some ticks without any after it, however much work there is. Other requests are served in
 * between. Callers (of `withDeadline`) take turns: one that has much to do makes only itself wait.
 *
 * @throws Error when the client has hung up meanwhile, as a stream whose reader has gone
 */
export function nextTick(): Promise<void> {
  const { promise, resolve: begin, reject: refuse } = Promise.withResolvers<void>()
  const deadline = currentDeadline()
  waiting.add(deadline?.caller, { deadline, begin, refuse })
  if (!isScheduled) {
    isScheduled = true
    setImmediate(serve)
  }
  return promise
}

function serve(): void {
  if (ticksLeft > 0) ticksLeft -= 1
  else {
    const next = nextWanted()
    if (next === undefined) {
      isScheduled = false
      return
    }
    ticksLeft = TICKS_BETWEEN
    next.begin()
  }
  setImmediate(serve)
}

function nextWanted(): Waiter | undefined {
  for (let next = waiting.next(); next !== undefined; next = waiting.next()) {
    if (!next.deadline?.isOver) return next
    const gone = new Error('the client hung up')
    next.refuse(Object.assign(gone, { code: 'ERR_STREAM_PREMATURE_CLOSE' }))
  }
  return undefined
}

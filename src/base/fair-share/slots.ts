import { createFairQueue } from './fair-queue.ts'

/** Does long work outside of the event loop, so many pieces at once. */
export type Slots<Caller> = {
  /** Does a piece of work when its turn has come. */
  run<Result>(caller: Caller, work: () => Promise<Result>): Promise<Result>
  /** Pieces now. */
  state(): { running: number; waiting: number }
}

type Options = {
  /** The longest wait for a turn, without an end unless given; `refusal` is thrown after it. */
  patience?: { ms: number; refusal: () => Error }
}

/** Makes slots. Callers take turns: one that has much to do makes mostly itself wait. */
export function createSlots<Caller>(atOnce: number, { patience }: Options = {}): Slots<Caller> {
  const waiting = createFairQueue<Caller, { begin: () => void }>()
  let free = atOnce

  const turnOf = (caller: Caller): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let timer: NodeJS.Timeout | undefined
    const waiter = {
      begin() {
        clearTimeout(timer)
        resolve()
      },
    }
    waiting.add(caller, waiter)
    if (patience !== undefined) {
      timer = setTimeout(() => {
        waiting.leave(caller, waiter)
        reject(patience.refusal())
      }, patience.ms)
    }
    return promise
  }
  return {
    state: () => ({ running: atOnce - free, waiting: waiting.size() }),
    async run(caller, work) {
      if (free > 0) free -= 1
      else await turnOf(caller)
      try {
        return await work()
      } finally {
        const next = waiting.next()
        if (next === undefined) free += 1
        else next.begin()
      }
    },
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** When the work under way has to be done, in milliseconds of `performance.now()`. */
export type Deadline = { atMs: number }

const deadlines = new AsyncLocalStorage<Deadline | undefined>()

/** For work that sets limits of its own. */
export const NO_DEADLINE: Deadline = { atMs: Number.POSITIVE_INFINITY }

/** A deadline so many milliseconds from now. */
export function deadlineIn(ms: number): Deadline {
  return { atMs: performance.now() + ms }
}

/**
 * Does the work under a deadline. All waits of the work (for a connection, a statement, a batch)
 * end then, so that the steps of a request together take no longer. Prisma begins a statement when
 * it is awaited, so the work awaits it itself.
 */
export function withDeadline<T>(deadline: Deadline, work: () => T): T {
  return deadlines.run(deadline, work)
}

/**
 * Does work that may take as long as it needs, such as an import, while each of its statements has
 * the limit of a statement without a deadline.
 */
export function withoutDeadline<T>(work: () => T): T {
  return deadlines.run(undefined, work)
}

/** The deadline of the work that this is called for; undefined outside of `withDeadline`. */
export function currentDeadline(): Deadline | undefined {
  return deadlines.getStore()
}

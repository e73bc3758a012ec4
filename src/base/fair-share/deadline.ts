import { AsyncLocalStorage } from 'node:async_hooks'

/** When the work under way has to be done. */
export type Deadline = {
  /** In milliseconds of `performance.now()`. */
  atMs: number
  /** How long each of its statements may take, in milliseconds; the database's limit otherwise. */
  statementMs?: number | undefined
  /** Whom the work is done for: callers take turns where they wait for a connection. */
  readonly caller?: string | symbol | undefined
  /** Whether nobody waits for the work any longer: its client has hung up. */
  readonly isOver?: boolean
  /** Whether something long was noted: see `hold`. */
  readonly holdsMuch?: boolean
  /**
   * Notes how long the longest thing is that the work has in memory.
   *
   * @param how.isUndone whether the work so far is undone when it fails now
   * @param how.isAnswer whether it is the whole answer, which the client has to read in time
   * @throws AppError too_many_requests when the caller's work holds too much already; work that may
   *   have changed something goes on all the same
   */
  hold?(bytes: number, how: { isUndone?: boolean; isAnswer?: boolean }): void
}

const deadlines = new AsyncLocalStorage<Deadline>()

/** For work that sets limits of its own. */
export const NO_DEADLINE = {
  atMs: Number.POSITIVE_INFINITY,
  statementMs: Number.POSITIVE_INFINITY,
} satisfies Deadline

/**
 * A deadline so many milliseconds from now, for work with statements of the given limit. Unless
 * given, the caller is the one of the work under way.
 */
export function deadlineIn(
  ms: number,
  { statementMs, caller = currentDeadline()?.caller }: Omit<Deadline, 'atMs'> = {},
): Deadline {
  return { atMs: performance.now() + ms, statementMs, caller }
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
 *
 * @param caller the one of the work under way unless given
 */
export function withoutDeadline<T>(work: () => T, caller = currentDeadline()?.caller): T {
  return deadlines.run({ atMs: NO_DEADLINE.atMs, caller }, work)
}

/** The deadline of the work that this is called for; undefined outside of `withDeadline`. */
export function currentDeadline(): Deadline | undefined {
  return deadlines.getStore()
}

/** Notes a long thing that the work under way has in memory: see `Deadline.hold`. */
export function hold(bytes: number, how: { isUndone?: boolean; isAnswer?: boolean } = {}): void {
  currentDeadline()?.hold?.(bytes, how)
}

/** How much of something callers may have at once: requests under way, bytes in memory. */
export type Bound<Caller> = {
  /** Takes one; returns what gives it back, or undefined when there is none for this caller. */
  take(caller: Caller): (() => void) | undefined
  /**
   * Makes what a caller has of one thing more or less.
   *
   * @returns false when there is no room for more: nothing has changed then
   */
  resize(caller: Caller, from: number, to: number): boolean
}

/**
 * Makes a bound: `each` for one caller, `all` for all of them. A caller gets never more than it leaves
 * to others: who comes when much is taken finds room for less, but finds some.
 */
export function createBound<Caller>({
  each,
  all = Number.POSITIVE_INFINITY,
}: {
  each: number
  all?: number
}): Bound<Caller> {
  const had = new Map<Caller, number>()
  let taken = 0
  const resize = (caller: Caller, from: number, to: number) => {
    const own = (had.get(caller) ?? 0) + to - from
    if (to > from && own > Math.min(each, all - taken)) return false
    taken += to - from
    if (own > 0) had.set(caller, own)
    else had.delete(caller)
    return true
  }
  return {
    resize,
    take(caller) {
      if (!resize(caller, 0, 1)) return undefined
      let isTaken = true
      return () => {
        if (isTaken) resize(caller, 1, 0)
        isTaken = false
      }
    },
  }
}

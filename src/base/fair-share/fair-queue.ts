/** A queue in which callers take turns. */
export type FairQueue<Caller, Item extends object> = {
  add(caller: Caller, item: Item): void
  /** Takes out an item that waits no longer; no effect when its turn has come. */
  leave(caller: Caller, item: Item): void
  /** Takes out the item whose turn it is, among the callers that may have one now. */
  next(mayHave?: (caller: Caller) => boolean): Item | undefined
  size(): number
}

/**
 * Makes a queue in which each caller has a line of its own and the lines take turns: a caller that
 * adds many items makes only itself wait. A single caller has all turns.
 */
export function createFairQueue<Caller, Item extends object>(): FairQueue<Caller, Item> {
  // Maps and Sets iterate in the order of insertion: the first line is the one whose turn is next.
  const lines = new Map<Caller, Set<Item>>()
  let size = 0

  const takeOut = (caller: Caller, line: Set<Item>, item: Item) => {
    line.delete(item)
    if (line.size === 0) lines.delete(caller)
    size -= 1
  }
  return {
    add(caller, item) {
      const line = lines.get(caller)
      if (line) line.add(item)
      else lines.set(caller, new Set([item]))
      size += 1
    },
    leave(caller, item) {
      const line = lines.get(caller)
      if (line?.has(item)) takeOut(caller, line, item)
    },
    next(mayHave) {
      for (const [caller, line] of lines) {
        if (mayHave?.(caller) === false) continue
        // To the end: it is the turn of the others.
        lines.delete(caller)
        lines.set(caller, line)
        for (const item of line) {
          takeOut(caller, line, item)
          return item
        }
      }
      return undefined
    },
    size: () => size,
  }
}

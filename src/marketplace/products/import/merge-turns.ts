/** Work that waits in lines, one line for each key: so many at a time, the rest in order. */
export type MergeTurns<Key extends object> = {
  /** Does the work when its turn has come; at most `max` run at once. */
  take<T>(key: Key, max: number, work: () => Promise<T>): Promise<T>
}

/** Makes the lines, one for each key. */
export function createMergeTurns<Key extends object>(): MergeTurns<Key> {
  const lines = new WeakMap<Key, { working: number; waiting: (() => void)[] }>()
  return {
    async take(key, max, work) {
      const line = lines.get(key) ?? { working: 0, waiting: [] }
      lines.set(key, line)
      if (line.working < max) line.working += 1
      // A merge that ends hands its place over.
      else await new Promise<void>((resolve) => line.waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = line.waiting.shift()
        if (next === undefined) line.working -= 1
        else next()
      }
    },
  }
}

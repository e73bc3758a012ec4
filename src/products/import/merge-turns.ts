/** Work that waits for its turn, by what it is done with: so much at a time, the rest in line. */
export type MergeTurns<Key extends object> = {
  /** Does the work when its turn has come, with at most `max` others. */
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
      // Whoever ends hands its place over.
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

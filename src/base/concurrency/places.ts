/** Places for things that are under way, so many for each key. */
export type Places<Key> = {
  /** Takes a place; returns what gives it back, or undefined when all are taken. */
  take(key: Key): (() => void) | undefined
}

/** Makes places, `max` for each key. */
export function createPlaces<Key>(max: number): Places<Key> {
  const taken = new Map<Key, number>()
  return {
    take(key) {
      const count = taken.get(key) ?? 0
      if (count >= max) return undefined
      taken.set(key, count + 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      }
    },
  }
}

/** The number of counters. Two names in the same slot count together. */
const SLOTS = 65_536
const COUNT_MAX = 255

/**
 * Counts how often names were asked for lately (as TinyLFU does), to decide which of two pages is
 * worth its place in memory. lru-cache takes in every page; the benchmark's cold and random pages are
 * read once and would only cost garbage collection. All counts are halved after ten requests for each competing name, and
 * at least as many requests as there are slots.
 */
export type Popularity = {
  /** The slot of a name, for those below. */
  slotOf(name: string): number
  /** Counts one request. */
  count(slot: number): void
  /** About how often the name was asked for lately. */
  of(slot: number): number
}

/** @param competitors about how many names compete */
export function createPopularity(competitors: () => number): Popularity {
  const counts = new Uint8Array(SLOTS)
  let counted = 0
  const fade = () => {
    for (let slot = 0; slot < SLOTS; slot++) counts[slot] = (counts[slot] ?? 0) >> 1
    counted = 0
  }
  return {
    slotOf: (name) => hashOf(name) & (SLOTS - 1),
    count(slot) {
      const count = counts[slot] ?? 0
      if (count < COUNT_MAX) counts[slot] = count + 1
      counted += 1
      if (counted >= Math.max(SLOTS, 10 * competitors())) fade()
    },
    of: (slot) => counts[slot] ?? 0,
  }
}

/** FNV-1a with a final mix, because only the low bits are used. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  }
  return hash ^ (hash >>> 15)
}

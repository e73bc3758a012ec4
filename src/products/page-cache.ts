/** What an entry costs beside its bytes: key, object, links of the list. An estimate. */
const ENTRY_OVERHEAD_BYTES = 512

/** Keeps what was used last, as many bytes of it as allowed. */
export type ByteCache<Value> = {
  /** The value, which thereby becomes the one used last. */
  get(key: string): Value | undefined
  /** Keeps a value in place of its key's former one; one that is over the bound alone is not kept. */
  set(key: string, value: Value, bytes: number): void
  /** Adds to the size of an entry, unless another value took its place. */
  grow(key: string, value: Value, bytes: number): void
  /** Bytes in use, keys and overhead included. */
  bytes(): number
  entries(): number
}

/**
 * Makes a cache that forgets the least recently used entries when it has more than `maxBytes`.
 *
 * @param maxBytes 0 keeps nothing
 */
export function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  // A Map iterates in the order of insertion: the first key is the least recently used.
  const kept = new Map<string, { value: Value; bytes: number }>()
  let total = 0

  const forget = (key: string) => {
    const entry = kept.get(key)
    if (entry === undefined) return
    kept.delete(key)
    total -= entry.bytes
  }
  const shrink = () => {
    for (const key of kept.keys()) {
      if (total <= maxBytes) return
      forget(key)
    }
  }
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      kept.delete(key)
      kept.set(key, entry)
      return entry.value
    },
    set(key, value, bytes) {
      forget(key)
      const cost = bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES
      if (cost > maxBytes) return
      kept.set(key, { value, bytes: cost })
      total += cost
      shrink()
    },
    grow(key, value, bytes) {
      const entry = kept.get(key)
      if (entry === undefined || entry.value !== value) return
      entry.bytes += bytes
      total += bytes
      shrink()
    },
    bytes: () => total,
    entries: () => kept.size,
  }
}

/**
 * What an entry costs beside its bytes: 600 bytes of heap for a page, 150 more for each coding of
 * it, and what malloc adds to each buffer. Measured with 20,000 pages of 300 bytes.
 */
export const ENTRY_OVERHEAD_BYTES = 1024

/** Keeps what was used last, as many bytes of it as allowed. */
export type ByteCache<Value> = {
  /** The value, which thereby becomes the one used last. */
  get(key: string): Value | undefined
  /** Keeps a value in place of its key's former one; one that is over the bound alone is not kept. */
  set(key: string, value: Value, bytes: number): void
  /** Adds to the size of an entry, unless another value took its place. */
  grow(key: string, value: Value, bytes: number): void
  /** Forgets an entry, unless another value took its place. */
  remove(key: string, value: Value): void
  /** The value that would be forgotten next. */
  oldest(): Value | undefined
  /** Bytes in use, keys and overhead included. */
  bytes(): number
  entries(): number
}

type Entry<Value> = {
  key: string
  /** Taken away when it is forgotten: former copies of the Map may go on pointing to the entry. */
  value: Value | undefined
  bytes: number
  older: Entry<Value> | undefined
  newer: Entry<Value> | undefined
}

/**
 * Makes a cache that forgets the least recently used entries when it has more than `maxBytes`.
 *
 * @param maxBytes 0 keeps nothing
 */
export function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  const kept = new Map<string, Entry<Value>>()
  // A list in the order of use, so that a hit moves an entry without touching the Map.
  let oldest: Entry<Value> | undefined
  let newest: Entry<Value> | undefined
  let total = 0

  const unlink = ({ older, newer }: Entry<Value>) => {
    if (older === undefined) oldest = newer
    else older.newer = newer
    if (newer === undefined) newest = older
    else newer.older = older
  }
  const link = (entry: Entry<Value>) => {
    entry.older = newest
    entry.newer = undefined
    if (newest === undefined) oldest = entry
    else newest.newer = entry
    newest = entry
  }
  const forget = (entry: Entry<Value>) => {
    unlink(entry)
    kept.delete(entry.key)
    total -= entry.bytes
    entry.value = undefined
  }
  const shrink = () => {
    while (total > maxBytes && oldest !== undefined) forget(oldest)
  }
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      if (entry !== newest) {
        unlink(entry)
        link(entry)
      }
      return entry.value
    },
    set(key, value, bytes) {
      const former = kept.get(key)
      if (former !== undefined) forget(former)
      const cost = bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES
      if (cost > maxBytes) return
      const entry = { key, value, bytes: cost, older: undefined, newer: undefined }
      kept.set(key, entry)
      link(entry)
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
    remove(key, value) {
      const entry = kept.get(key)
      if (entry?.value === value) forget(entry)
    },
    oldest: () => oldest?.value,
    bytes: () => total,
    entries: () => kept.size,
  }
}

import { LRUCache } from 'lru-cache'

/**
 * What an entry costs beside its bytes: 600 bytes of heap for a page, 150 more for each coding of
 * it, and what malloc adds to each buffer. Measured with 20,000 pages of 300 bytes.
 */
export const ENTRY_OVERHEAD_BYTES = 1024

export type ByteCache<Value extends object | string | number> = ReturnType<
  typeof createByteCache<Value>
>

/**
 * Makes a cache that forgets the least recently used entries when it has more than `maxBytes`, keys
 * and overhead included.
 *
 * @param maxBytes 0 keeps nothing
 */
export function createByteCache<Value extends object | string | number>(maxBytes: number) {
  // To lru-cache 0 is no bound. Each entry is larger than 1.
  const kept = new LRUCache<string, Value>({ maxSize: Math.max(maxBytes, 1) })
  return {
    /** The value, which thereby becomes the one used last. */
    get: (key: string): Value | undefined => kept.get(key),
    /** Keeps a value in place of its key's former one; one that is over the bound alone is not kept. */
    set(key: string, value: Value, bytes: number): void {
      kept.set(key, value, { size: bytes + key.length * 2 + ENTRY_OVERHEAD_BYTES })
    },
    /** Adds to the size of an entry, unless another value took its place. */
    grow(key: string, value: Value, bytes: number): void {
      if (kept.peek(key) !== value) return
      const size = (kept.info(key)?.size ?? 0) + bytes
      // lru-cache takes a size only with a new value.
      kept.delete(key)
      kept.set(key, value, { size })
    },
    /** Forgets an entry, unless another value took its place. */
    remove(key: string, value: Value): void {
      if (kept.peek(key) === value) kept.delete(key)
    },
    /** The value that would be forgotten next. */
    oldest(): Value | undefined {
      const [value] = kept.rvalues()
      return value
    },
    /** Bytes in use. */
    bytes: () => kept.calculatedSize,
    entries: () => kept.size,
  }
}

/** Slots are cleared when half of them are taken, so that what nobody asks for any more is forgotten. */
const SLOTS = 131_072

/**
 * Makes a function that tells whether a key was seen before, and sees it: the admission to a cache
 * whose entries are dear to make and of which most are asked for only once (the doorkeeper of
 * TinyLFU). It takes a byte a slot; two keys in one slot are taken for one.
 *
 * @param slots a power of two
 */
export function createDoorkeeper(slots = SLOTS): (key: string) => boolean {
  const seen = new Uint8Array(slots)
  let taken = 0
  return (key) => {
    const slot = hashOf(key) & (slots - 1)
    if (seen[slot] === 1) return true
    if (taken >= slots / 2) {
      seen.fill(0)
      taken = 0
    }
    seen[slot] = 1
    taken += 1
    return false
  }
}

/** FNV-1a with a last mix, because only the low bits are used. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return hash ^ (hash >>> 15)
}

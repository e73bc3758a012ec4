/** Bounds what can be told apart; a byte each. */
const SLOTS = 131_072

/**
 * Makes a function that tells whether a key was seen lately, and sees it: the admission to a cache
 * whose entries are dear to make and of which most are asked for only once (the doorkeeper of
 * TinyLFU). Two keys in one slot are taken for one.
 *
 * @param window after so many keys all are forgotten; at most half of the slots
 */
export function createDoorkeeper(window: () => number): (key: string) => boolean {
  const seen = new Uint8Array(SLOTS)
  let taken = 0
  return (key) => {
    const slot = hashOf(key) & (SLOTS - 1)
    if (seen[slot] === 1) return true
    if (taken >= Math.min(SLOTS / 2, window())) {
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

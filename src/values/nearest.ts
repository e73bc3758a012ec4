/** At most this many typing errors still count as the same word. */
const NEAR_DISTANCE = 3
/** Of words this long it is worth asking; it also keeps a huge input cheap. */
const WORD_MAX_LENGTH = 64
/** A part of a word says little below this length. */
const PART_MIN_LENGTH = 3

/**
 * What of a list somebody meant who wrote an unknown word: those that differ in case, else those
 * that it is a part of, else the closest by its typing errors. Empty when nothing is near.
 */
export function nearest(unknown: string, known: readonly string[]): readonly string[] {
  if (unknown.length > WORD_MAX_LENGTH) return []
  const word = unknown.trim().toLowerCase()
  const alike = known.filter((one) => one.toLowerCase() === word)
  if (alike.length > 0) return alike
  const parts = known.filter((one) => {
    const other = one.toLowerCase()
    return (
      Math.min(word.length, other.length) >= PART_MIN_LENGTH &&
      (other.includes(word) || word.includes(other))
    )
  })
  if (parts.length > 0) return parts
  let found: string[] = []
  // Of a short word, more typing errors make another word.
  let best = Math.min(NEAR_DISTANCE, Math.floor(word.length / 2)) + 1
  for (const one of known) {
    // The distance is at least the difference in length.
    if (Math.abs(word.length - one.length) >= best) continue
    const distance = editDistance(word, one.toLowerCase())
    if (distance >= best) continue
    best = distance
    found = [one]
  }
  return found
}

/** `did you mean "Seller"?`, or null when nothing is near. */
export function didYouMean(unknown: string, known: readonly string[]): string | null {
  const found = nearest(unknown, known)
  if (found.length === 0 || found.length > 3) return null
  return `did you mean ${found.map((one) => JSON.stringify(one)).join(' or ')}?`
}

/** Levenshtein distance, one row of the table at a time. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const removed = (previous[column] ?? 0) + 1
      const added = (current[column - 1] ?? 0) + 1
      current.push(Math.min(replaced, removed, added))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

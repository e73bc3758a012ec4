const READING_ORDER = new Intl.Collator('en')

type Named = { id: number | string; name: string }

/**
 * The order in which people look for a name: `alpha`, `Beta`, `Émile`, `Zeta`. The ID decides
 * between equal names. Not the order of Postgres, which depends on the collation of the database.
 */
export function byName(a: Named, b: Named): number {
  return READING_ORDER.compare(a.name, b.name) || (a.id < b.id ? -1 : 1)
}

/** No name is longer. Normalising takes a time that grows with the square of the length. */
export const NAME_MAX_LENGTH = 400

/**
 * The key by which app names are unique: NFKC, without regard to case and to the dot of İ, without zero-width and other
 * default-ignorable characters, white space trimmed and collapsed. `Acme`, `ACME`, full-width
 * letters, a trailing or a zero-width space: one key. Empty when the name shows nothing.
 * Longer texts than a name can be come back as they are.
 */
export function nameKey(name: string): string {
  if (name.length > NAME_MAX_LENGTH) return name
  let key = name
  // Folding can bring out characters that fold again; it settles after a round or two.
  for (let round = 0; round < 4; round++) {
    const folded = foldOnce(key)
    if (folded === key) break
    key = folded
  }
  return key
}

function foldOnce(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // Lower then upper folds what one direction leaves apart: final sigma, sharp s, dotless i.
      .toLowerCase()
      .toUpperCase()
      .normalize('NFKC')
      // Turkish and Azerbaijani tell it from I; where names are compared, it looks like one.
      .replaceAll('\u0130', 'I')
      // U+2800 (blank Braille pattern) shows nothing either.
      .replace(/[\s\u2800]+/gu, ' ')
      .trim()
  )
}

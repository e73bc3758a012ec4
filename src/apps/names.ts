/**
 * The key by which app names are unique: NFKC, without regard to case, without zero-width and other
 * default-ignorable characters, white space trimmed and collapsed. `Acme`, `ACME`, full-width
 * letters, a trailing or a zero-width space: one key. Empty when the name shows nothing.
 */
export function nameKey(name: string): string {
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
      // U+2800 (blank Braille pattern) shows nothing either.
      .replace(/[\s\u2800]+/gu, ' ')
      .trim()
  )
}

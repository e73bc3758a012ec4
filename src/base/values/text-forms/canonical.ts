import { IGNORABLE, INVISIBLE } from './joiners.ts'

/*
 * The one form in which texts that people compare are kept: names, keys of products, and what is
 * looked for among them. The same words from another keyboard or program are the same text.
 */

/** More than any script writes on a letter (UAX #15, 13: stream-safe text). */
const MARKS_MAX = 30
const TOO_MANY_MARKS = /\p{M}{31}/u
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

/**
 * A text in NFC. One with too many marks in a row comes back as it is: putting them in order takes a
 * time that grows with the square of their number.
 */
export function canonicalText(text: string): string {
  return PRINTABLE_ASCII.test(text) || TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC')
}

/** A line in NFC, with plain spaces for all others, and none around it. */
export function canonicalLine(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.trim()
  return canonicalText(text)
    .replaceAll(/\p{Zs}/gu, ' ')
    .trim()
}

/** What is looked for among canonical lines: the line without what nobody sees in it. */
export function searchForm(text: string): string {
  return canonicalLine(canonicalLine(text).replaceAll(IGNORABLE, ''))
}

/** Why a canonical line could pass for another one that looks the same, or null. */
export function invisibleProblem(line: string): string | null {
  if (PRINTABLE_ASCII.test(line)) return null
  if (TOO_MANY_MARKS.test(line)) {
    return `must not have more than ${MARKS_MAX} combining marks in a row`
  }
  const [found] = INVISIBLE.exec(line) ?? []
  return found === undefined
    ? null
    : `must not contain invisible characters; it has ${codeOf(found)}`
}

/** A selector of a look behind what has only one. */
const NEEDLESS_LOOK = /(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f](?!\u20e3)/u

/** What is wrong with a line that no folded key keeps apart, as `nameKey` does names. */
export function keyProblem(line: string): string | null {
  const problem = invisibleProblem(line)
  if (problem !== null) return problem
  const [found] = NEEDLESS_LOOK.exec(line) ?? []
  return found === undefined
    ? null
    : `must not contain invisible characters; it has ${codeOf(found)}`
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

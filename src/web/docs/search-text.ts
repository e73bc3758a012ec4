/** Terms of one search that count; further ones are left out. */
const TERMS_MAX = 10

/** Characters of a text that are shown around what was found. */
const EXCERPT_LENGTH = 220

/**
 * A text as it is compared: `Größe`, `GROSSE` and `grosse` are the same, and so are composed and
 * decomposed letters.
 */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .toUpperCase()
}

/** The words of a search as they are compared, each once. */
export function termsOf(query: string): string[] {
  const words = folded(query).split(/\s+/).filter(Boolean)
  return [...new Set(words)].slice(0, TERMS_MAX)
}

/** A part of a text, and whether it was searched for. */
export type ExcerptPart = { text: string; isFound: boolean }

/** What is shown of a text: where it first has one of the terms, with all of them apart. */
export function excerptOf(text: string, terms: readonly string[]): ExcerptPart[] {
  const places = placesOf(text, terms)
  const first = places[0]?.start ?? 0
  const from = first < EXCERPT_LENGTH / 2 ? 0 : wordStart(text, first - EXCERPT_LENGTH / 3)
  const to = wordEnd(text, from)
  const parts: ExcerptPart[] = [{ text: from > 0 ? '… ' : '', isFound: false }]
  let end = from
  for (const place of places) {
    if (place.start < end || place.end > to) continue
    parts.push({ text: text.slice(end, place.start), isFound: false })
    parts.push({ text: text.slice(place.start, place.end), isFound: true })
    end = place.end
  }
  parts.push({ text: `${text.slice(end, to)}${to < text.length ? ' …' : ''}`, isFound: false })
  return parts.filter((part) => part.text !== '')
}

/** The start of the word at or after a place. */
function wordStart(text: string, place: number): number {
  const at = text.indexOf(' ', Math.round(place))
  return at === -1 ? 0 : at + 1
}

/** The end of an excerpt: between two words, where it is not in the middle of a very long one. */
function wordEnd(text: string, from: number): number {
  const to = from + EXCERPT_LENGTH
  if (to >= text.length) return text.length
  const at = text.lastIndexOf(' ', to)
  return at > from ? at : to
}

type Place = { start: number; end: number }

/** Where the terms stand in a text, in order. Folding changes lengths, so each letter is followed. */
function placesOf(text: string, terms: readonly string[]): Place[] {
  const origins: Place[] = []
  let key = ''
  let start = 0
  for (const character of text) {
    const part = folded(character)
    const end = start + character.length
    for (const _unit of part.split('')) origins.push({ start, end })
    key += part
    start = end
  }
  const places: Place[] = []
  for (const term of terms) {
    for (let at = key.indexOf(term); at !== -1; at = key.indexOf(term, at + term.length)) {
      const [first, last] = [origins[at], origins[at + term.length - 1]]
      if (first !== undefined && last !== undefined) {
        places.push({ start: first.start, end: last.end })
      }
    }
  }
  return places.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** A place on the way to what is looked for, by the steps that lead on from it. */
type Place = { pointer?: string; below: Map<string, Place> }

/** An object or a list that is open and holds something that is looked for. */
type Open = {
  place: Place
  /** The place of the member or entry that is read, when something there is looked for. */
  current: Place | undefined
  /** In a list: the entry that is read, and whether it has yet to begin. */
  index?: number
  awaitsEntry?: boolean
}

/**
 * The lines on which values of a JSON text stand. Of an object's member it is the line of the colon
 * after its name; of several with the same name the last one counts, as for the parser.
 *
 * @param text valid JSON
 * @param pointers to the values (RFC 6901); one that leads nowhere has no line
 * @returns pointer -> line; no more entries than pointers
 */
export function linesOf(text: string, pointers: readonly string[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  const open: Open[] = []
  const root = placesOf(pointers)
  let line = 1
  let key = ''
  /** How many objects and lists are open in which nothing is looked for. */
  let skipped = 0
  const reach = (within: Open, step: string) => {
    within.current = within.place.below.get(step)
    if (within.current?.pointer !== undefined) lines.set(within.current.pointer, line)
  }
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] as string
    if (mark === '\n') line += 1
    if (mark === ' ' || mark === '\n' || mark === '\r' || mark === '\t') continue
    const within = skipped === 0 ? open.at(-1) : undefined
    if (within?.awaitsEntry && mark !== ']') {
      within.awaitsEntry = false
      reach(within, String(within.index))
    }
    if (mark === '"') {
      const start = at
      at = endOfString(text, start)
      if (within !== undefined && within.index === undefined) key = text.slice(start, at + 1)
    } else if (mark === ':') {
      if (within !== undefined) reach(within, JSON.parse(key))
    } else if (mark === ',') {
      if (within?.index === undefined) continue
      within.index += 1
      within.awaitsEntry = true
    } else if (mark === '{' || mark === '[') {
      const place = open.length === 0 ? root : within?.current
      if (place === undefined) skipped += 1
      else if (mark === '{') open.push({ place, current: undefined })
      else open.push({ place, current: undefined, index: 0, awaitsEntry: true })
    } else if (mark === '}' || mark === ']') {
      if (skipped > 0) skipped -= 1
      else open.pop()
    }
  }
  return lines
}

function placesOf(pointers: readonly string[]): Place {
  const root: Place = { below: new Map() }
  for (const pointer of pointers) {
    let place = root
    for (const part of pointer.split('/').slice(1)) {
      const step = part.replaceAll('~1', '/').replaceAll('~0', '~')
      const next: Place = place.below.get(step) ?? { below: new Map() }
      place.below.set(step, next)
      place = next
    }
    place.pointer = pointer
  }
  return root
}

/** The position of the quote that ends the string which begins at a position. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

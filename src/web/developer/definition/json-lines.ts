import { jsonPointer } from '../../../errors.ts'

/** Deeper places are not told apart; no definition goes so deep. */
const DEPTH_MAX = 12

/** Strings, marks, line ends, and the other literals. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:\n]|[^\s"{}[\],:]+/g

/**
 * The line on which each value of a JSON text stands, by its pointer (RFC 6901). Of an object's
 * members it is the line of the key.
 *
 * @param text valid JSON
 */
export function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  /** The objects and lists that are open; `index` is the place in a list. */
  const open: { base: string; index: number | undefined }[] = []
  let line = 1
  let path = ''
  let lastToken = ''
  const enter = (list: boolean) => {
    open.push({ base: path, index: list ? 0 : undefined })
    if (list && open.length <= DEPTH_MAX) path = `${path}/0`
  }
  for (const [token] of text.matchAll(TOKEN)) {
    const within = open.length <= DEPTH_MAX ? open.at(-1) : undefined
    if (token === '\n') {
      line += 1
    } else if (token === ':') {
      if (within !== undefined) path = within.base + jsonPointer([JSON.parse(lastToken)])
      // The key may stand on a line before, which is rare and no harm.
      if (within !== undefined) lines.set(path, line)
    } else if (token === ',') {
      if (within?.index !== undefined) {
        within.index += 1
        path = `${within.base}/${within.index}`
      }
    } else if (token === '}' || token === ']') {
      open.pop()
    } else {
      if (within?.index !== undefined) lines.set(path, line)
      if (token === '{' || token === '[') enter(token === '[')
      else lastToken = token
    }
  }
  return lines
}

/** A longer text is cut to the part that differs. */
const SHOWN_MAX = 80
/** How many equal characters are shown before and after what differs. */
const CONTEXT = 20

/**
 * A change of a value in words, of bounded length. Of long texts the parts that differ are shown;
 * `…` stands for what was left out, `none` for no value.
 */
export function fromTo(from: unknown, to: unknown): string {
  const [before, after] =
    typeof from === 'string' && typeof to === 'string' ? differing(from, to) : [from, to]
  return `changed from ${shown(before)} to ${shown(after)}`
}

/** The parts of two texts that differ, each with a little of what is around it. */
function differing(from: string, to: string): [string, string] {
  const shorter = Math.min(from.length, to.length)
  if (Math.max(from.length, to.length) <= SHOWN_MAX) return [from, to]
  let start = 0
  while (start < shorter && from.charCodeAt(start) === to.charCodeAt(start)) start++
  let end = 0
  while (
    end < shorter - start &&
    from.charCodeAt(from.length - 1 - end) === to.charCodeAt(to.length - 1 - end)
  ) {
    end++
  }
  const left = Math.max(0, start - CONTEXT)
  const right = Math.max(0, end - CONTEXT)
  const part = (text: string) =>
    `${left > 0 ? '…' : ''}${wholeCharacters(text, left, text.length - right)}${right > 0 ? '…' : ''}`
  return [part(from), part(to)]
}

/** A piece of a text without the half of a surrogate pair at its ends. */
function wholeCharacters(text: string, from: number, to: number): string {
  return text.slice(isInPair(text, from) ? from + 1 : from, isInPair(text, to) ? to - 1 : to)
}

/** Whether the code units before and at the place are one character. */
function isInPair(text: string, place: number): boolean {
  return place > 0 && (text.codePointAt(place - 1) ?? 0) > 0xffff
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value !== 'string' || value.length <= SHOWN_MAX) return JSON.stringify(value)
  return JSON.stringify(`${wholeCharacters(value, 0, SHOWN_MAX - 1)}…`)
}

/** Of longer texts, only the part that differs is shown. */
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
  const [a, b] = [[...from], [...to]]
  const shorter = Math.min(a.length, b.length)
  if (Math.max(a.length, b.length) <= SHOWN_MAX) return [from, to]
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [Math.max(0, start - CONTEXT), Math.max(0, end - CONTEXT)]
  const part = (text: string[]) =>
    `${left > 0 ? '…' : ''}${text.slice(left, text.length - right).join('')}${right > 0 ? '…' : ''}`
  return [part(a), part(b)]
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value !== 'string') return JSON.stringify(value)
  const characters = [...value]
  const isLong = characters.length > SHOWN_MAX
  return JSON.stringify(isLong ? `${characters.slice(0, SHOWN_MAX - 1).join('')}…` : value)
}

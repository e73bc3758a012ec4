import { hold } from '../fair-share/deadline.ts'
import { nextTick } from '../fair-share/next-tick.ts'

/** So many characters of JSON are written at once: that takes up to a millisecond. */
const PIECE_LENGTH = 65_536
/** An object of fewer characters is written at once. */
const SHORT_LENGTH = 4096

/**
 * The JSON of a value, as `JSON.stringify` writes it, a piece in a tick of the event loop.
 *
 * @throws AppError too_many_requests when the caller holds too much already
 */
export async function jsonInTicks(value: unknown): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  await nextTick()
  for (const piece of jsonPieces(value)) {
    const part = Buffer.from(piece)
    parts.push(part)
    bytes += part.length
    hold(bytes, { isAnswer: true })
    await nextTick()
  }
  return Buffer.concat(parts, bytes)
}

/** The JSON of a value in pieces of some tens of thousands of characters. */
export function* jsonPieces(value: unknown): Generator<string> {
  let written = ''
  function* write(one: unknown): Generator<string> {
    if (!isContainer(one) || isShort(one)) written += JSON.stringify(one) ?? 'null'
    else if (Array.isArray(one)) {
      for (const [index, entry] of one.entries()) {
        written += index === 0 ? '[' : ','
        yield* write(entry)
      }
      written += ']'
    } else {
      let separator = '{'
      for (const [name, member] of Object.entries(one)) {
        if (member === undefined) continue
        written += `${separator}${JSON.stringify(name)}:`
        separator = ','
        yield* write(member)
      }
      written += separator === '{' ? '{}' : '}'
    }
    if (written.length >= PIECE_LENGTH) {
      yield written
      written = ''
    }
  }
  yield* write(value)
  yield written
}

/** Whether a value has members that may be written one by one. */
function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}

/** Whether it is written at once: it holds nothing but a few short values. */
function isShort(container: object): boolean {
  let length = 0
  for (const member of Object.values(container)) {
    if (isContainer(member)) return false
    length += typeof member === 'string' ? member.length : 1
  }
  return length < SHORT_LENGTH
}

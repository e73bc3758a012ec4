import { hasDoubledNames } from '../../../base/values/hostile-json.ts'
import type { FieldError } from '../../../errors.ts'
import { type CheckedRow, checkRow } from './check-row.ts'
import {
  EMPTY_LINES_MAX,
  LINE_MAX_BYTES,
  type RowReader,
  type RowSink,
  TOO_MANY_EMPTY,
} from './row-sink.ts'

/**
 * The most bytes of a JSON text, because it is parsed in one go; no good record is nearly as long.
 */
const JSON_MAX_BYTES = 65_536

/** How many pieces of an unfinished line are kept apart; each costs more than its bytes. */
const PIECES_MAX = 1024

const LF = 0x0a
const CR = 0x0d

/** Reads one JSON record per line. */
export function ndjsonReader(sink: RowSink): RowReader {
  let line = 0
  let rest: Buffer[] = []
  let restBytes = 0
  let emptyLines = 0
  const skip = (): boolean => {
    emptyLines += 1
    if (emptyLines <= EMPTY_LINES_MAX) return true
    sink.fatal(line, TOO_MANY_EMPTY)
    return false
  }
  /** Returns whether to read on. */
  const take = (bytes: Buffer): boolean => {
    line += 1
    if (bytes.length === 0) return skip()
    if (bytes.length > LINE_MAX_BYTES) {
      sink.fatal(line, `is longer than ${LINE_MAX_BYTES} bytes`)
      return false
    }
    if (bytes.length > JSON_MAX_BYTES) {
      const detail = `is longer than ${JSON_MAX_BYTES} bytes`
      return sink.row(line, { errors: [{ pointer: '', detail }] })
    }
    const text = bytes.toString('utf8', line === 1 ? bomLength(bytes) : 0)
    return text.trim() === '' ? skip() : sink.row(line, checkLine(text))
  }
  return {
    write(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      let from = 0
      for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, from)) {
        const piece = bytes.subarray(from, bytes[at - 1] === CR && at > from ? at - 1 : at)
        if (!take(restBytes === 0 ? piece : Buffer.concat([...rest, piece]))) return
        rest = []
        restBytes = 0
        from = at + 1
      }
      if (from < bytes.length) {
        rest.push(bytes.subarray(from))
        restBytes += bytes.length - from
        if (rest.length > PIECES_MAX) rest = [Buffer.concat(rest)]
      }
      if (restBytes > LINE_MAX_BYTES) sink.fatal(line + 1, `is longer than ${LINE_MAX_BYTES} bytes`)
    },
    async end() {
      if (restBytes > 0) take(Buffer.concat(rest))
    },
  }
}

function bomLength(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

function checkLine(text: string): CheckedRow {
  try {
    const row: unknown = JSON.parse(text)
    if (hasDoubledNames(Buffer.from(text), row)) {
      return { errors: [{ pointer: '', detail: 'has a name twice' }] satisfies FieldError[] }
    }
    return checkRow(row)
  } catch {
    return { errors: [{ pointer: '', detail: 'is not JSON' }] satisfies FieldError[] }
  }
}

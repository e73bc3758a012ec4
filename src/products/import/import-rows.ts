import { finished } from 'node:stream/promises'
import { type CsvError, type InfoRecord, type Parser, parse } from 'csv-parse'
import type { FieldError } from '../../errors.ts'
import { PRODUCT_FIELDS, type ProductField } from '../pages/product-query.ts'
import { type CheckedRow, checkRow } from './check-row.ts'

/** The most bytes of a row, also of one that spans several lines. */
const LINE_MAX_BYTES = 1_048_576

/**
 * The most bytes of a JSON text, because it is parsed in one go; no good record is nearly as long.
 */
const JSON_MAX_BYTES = 65_536
/** How many empty lines a file may have; they count neither as rows nor as problems. */
const EMPTY_LINES_MAX = 10_000
const TOO_MANY_EMPTY = `is one of more than ${EMPTY_LINES_MAX} empty lines; what follows was not read`

/** Takes the rows of a file as they are found. */
type RowSink = {
  /**
   * @param line on which the row ends, from 1
   * @returns whether to read on
   */
  row(line: number, checked: CheckedRow): boolean
  /** The file cannot be read on. */
  fatal(line: number, detail: string): void
}

/** Reads a file piece by piece, and passes each row and problem to the sink at once. */
type RowReader = {
  write(chunk: Uint8Array): void
  end(): Promise<void>
}

export const IMPORT_FORMATS = { 'text/csv': csvReader, 'application/x-ndjson': ndjsonReader }
export type ImportFormat = keyof typeof IMPORT_FORMATS

const REQUIRED: readonly ProductField[] = ['brand', 'partNumber', 'inStock']

/** How many misplaced quotes of one line are reported; each costs time. */
const STRAY_QUOTES_MAX = 10

/**
 * Reads CSV (RFC 4180) whose first row names the columns, in any order and case. An empty cell is
 * null.
 */
function csvReader(sink: RowSink): RowReader {
  let columns: ProductField[] | undefined
  /** Where the last row ended. */
  let lastLine = 0
  let rowsEnded = 0
  /** Bytes since the last row ended, without the rest of the piece in which it ended. */
  let openBytes = 0
  let strayLine = 0
  let strayQuotes = 0
  let isStopped = false
  /** Ends the parser. */
  const stop = () => {
    isStopped = true
    throw new Error('the file is not read on')
  }
  const refuse = (line: number, detail: string) => {
    sink.fatal(line, detail)
    stop()
  }
  const parser: Parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: LINE_MAX_BYTES,
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (cells: string[], { lines }: InfoRecord) => {
      lastLine = lines
      rowsEnded += 1
      if (columns === undefined) {
        columns = columnsOf(cells, (problem) => refuse(lines, problem))
      } else if (!sink.row(lines, checkCells(columns, cells))) {
        stop()
      }
      return null
    },
    on_skip: (error: CsvError | undefined) => {
      const line = Number(error?.lines ?? 1)
      // After any other problem the parser does not know where rows end.
      if (error?.code !== 'INVALID_OPENING_QUOTE') refuse(line, csvProblem(error?.code, lastLine))
      rowsEnded += 1
      strayQuotes = line === strayLine ? strayQuotes + 1 : 1
      strayLine = line
      if (strayQuotes === 1) {
        const detail = 'has a quote inside a cell that does not begin with one'
        if (!sink.row(line, { errors: [{ pointer: '', detail }] })) stop()
      } else if (strayQuotes > STRAY_QUOTES_MAX) {
        refuse(line, `has more than ${STRAY_QUOTES_MAX} such quotes`)
      }
    },
  })
  // What it ends by is asked for at the end.
  parser.on('error', () => {})
  return {
    // The parser takes a piece at once and keeps only an unfinished row.
    write(chunk) {
      const before = rowsEnded + parser.info.empty_lines
      withoutStacks(() => parser.write(chunk))
      const hasEnded = rowsEnded + parser.info.empty_lines > before
      openBytes = hasEnded ? 0 : openBytes + chunk.length
      if (parser.info.empty_lines > EMPTY_LINES_MAX) sink.fatal(parser.info.lines, TOO_MANY_EMPTY)
      // The parser itself bounds the characters of a row, but not its cells.
      if (openBytes > LINE_MAX_BYTES) sink.fatal(parser.info.lines, tooLong(lastLine))
    },
    async end() {
      parser.end()
      await finished(parser, { readable: false }).catch((error: unknown) => {
        if (!isStopped) throw error
      })
      if (columns === undefined) sink.fatal(1, 'must name the columns')
    },
  }
}

/**
 * For most bad rows the parser would make an error, whose stack takes five times as long as the
 * rest.
 */
function withoutStacks(work: () => void): void {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function tooLong(lastLine: number): string {
  return `is longer than ${LINE_MAX_BYTES} bytes, or has a quote since line ${lastLine + 1} that is never closed`
}

function csvProblem(code: string | undefined, lastLine: number): string {
  switch (code) {
    case 'CSV_MAX_RECORD_SIZE':
      return tooLong(lastLine)
    case 'CSV_QUOTE_NOT_CLOSED':
      return `has a quote since line ${lastLine + 1} that is never closed`
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `has text behind a closing quote, in the row since line ${lastLine + 1}; inside of quotes a quote is written twice`
    default:
      return 'is not CSV'
  }
}

/** The field that each column is. */
function columnsOf(names: string[], refuse: (problem: string) => void): ProductField[] {
  const columns = names.map((name) => {
    const known = name.trim().toLowerCase()
    return FIELD_OF.get(known)
  })
  const unknown = names.filter((_name, index) => columns[index] === undefined)
  const missing = REQUIRED.filter((field) => !columns.includes(field))
  const twice = columns.filter((field, index) => columns.indexOf(field) !== index)
  const problem =
    unknown.length > 0
      ? `names unknown columns: ${unknown.slice(0, 5).map(quoted).join(', ')}`
      : missing.length > 0
        ? `must name the columns ${missing.join(', ')}`
        : twice.length > 0
          ? `names a column twice: ${twice[0]}`
          : undefined
  if (problem !== undefined) refuse(problem)
  return columns as ProductField[]
}

const quoted = (name: string) => JSON.stringify(name.slice(0, 50))

const FIELD_OF: ReadonlyMap<string, ProductField> = new Map(
  PRODUCT_FIELDS.map((field) => [field.toLowerCase(), field]),
)

function checkCells(columns: readonly ProductField[], cells: readonly string[]): CheckedRow {
  if (cells.length !== columns.length) {
    const detail = `must have ${columns.length} cells, not ${cells.length}`
    return { errors: [{ pointer: '', detail }] }
  }
  const record: Partial<Record<ProductField, unknown>> = {}
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] as string
    const field = columns[index] as ProductField
    record[field] = cellValue(field, cell)
  }
  return checkRow(record)
}

/** The value of a cell. A text in place of a number stays a text, and the rules refuse it. */
function cellValue(field: ProductField, cell: string): unknown {
  switch (field) {
    case 'brand':
    case 'partNumber':
      return cell
    case 'shortDescription':
      return cell === '' ? null : cell
    case 'upc':
      return cell.trim() || null
    case 'id':
    case 'inStock':
    case 'msrp':
    case 'mapPrice': {
      const text = cell.trim()
      if (text === '') return field === 'inStock' ? undefined : null
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
    }
  }
}

/** Collects a line that arrives in several pieces. */
const PIECES_MAX = 1024

const LF = 0x0a
const CR = 0x0d

/** Reads one JSON record per line. */
function ndjsonReader(sink: RowSink): RowReader {
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
        // Each piece costs more than its bytes.
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
    return checkRow(JSON.parse(text))
  } catch {
    return { errors: [{ pointer: '', detail: 'is not JSON' }] satisfies FieldError[] }
  }
}

import { finished } from 'node:stream/promises'
import { type CsvError, type InfoRecord, type Parser, parse } from 'csv-parse'
import { exactNumber } from '../../../base/values/text-forms/numbers.ts'
import { PRODUCT_FIELDS, type ProductField } from '../pages/product-query.ts'
import { type CheckedRow, checkRow } from './check-row.ts'
import {
  EMPTY_LINES_MAX,
  LINE_MAX_BYTES,
  type RowReader,
  type RowSink,
  TOO_MANY_EMPTY,
} from './row-sink.ts'

const REQUIRED: readonly ProductField[] = ['brand', 'partNumber', 'inStock']

/** How many misplaced quotes of one line are reported; each costs time. */
const STRAY_QUOTES_MAX = 10

/** The field of each column; columns without a name are passed over. */
type Columns = readonly (ProductField | undefined)[]

/**
 * Reads CSV (RFC 4180) whose first row names the columns, in any order and case. An empty cell is
 * null. Columns without a name and rows of empty cells, which spreadsheets write around a table, are
 * passed over.
 */
export function csvReader(sink: RowSink): RowReader {
  let columns: Columns | undefined
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
      if (cells.every(isBlank)) return null
      if (columns === undefined) {
        columns = columnsOf(cells, (problem) => refuse(lines, problem))
      } else if (!sink.row(lines, checkCells(columns, cells))) {
        stop()
      }
      return null
    },
    on_skip: (error: CsvError | undefined) => {
      const line = Number(error?.lines ?? 1)
      // After any other problem the parser does not know where the next row begins.
      if (error?.code !== 'INVALID_OPENING_QUOTE') refuse(line, csvProblem(error?.code, lastLine))
      lastLine = line
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
  // `end` reports how the parser ended.
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
 * Runs the parser without recording stacks. It makes an error for most bad rows, whose stack takes
 * five times as long as the rest.
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
      return `has text after a closing quote, in the row since line ${lastLine + 1}; inside of quotes a quote is written twice`
    default:
      return 'is not CSV'
  }
}

const isBlank = (cell: string) => cell.trim() === ''

function columnsOf(names: string[], refuse: (problem: string) => void): Columns {
  const columns = names.map((name) => FIELD_OF.get(name.trim().toLowerCase()))
  const named = columns.filter((field) => field !== undefined)
  const unknown = names.filter((name, index) => columns[index] === undefined && !isBlank(name))
  const missing = REQUIRED.filter((field) => !named.includes(field))
  const twice = named.filter((field, index) => named.indexOf(field) !== index)
  const problem =
    unknown.length > 0
      ? `names unknown columns: ${unknown.slice(0, 5).map(quoted).join(', ')}; there are ${PRODUCT_FIELDS.join(', ')}`
      : missing.length > 0
        ? `must name the columns ${missing.join(', ')}`
        : twice.length > 0
          ? `names a column twice: ${twice[0]}`
          : undefined
  if (problem !== undefined) refuse(problem)
  return columns
}

const quoted = (name: string) => JSON.stringify(name.slice(0, 50))

const FIELD_OF: ReadonlyMap<string, ProductField> = new Map(
  PRODUCT_FIELDS.map((field) => [field.toLowerCase(), field]),
)

function checkCells(columns: Columns, cells: readonly string[]): CheckedRow {
  const lastNamed = columns.findLastIndex((field) => field !== undefined)
  if (cells.length <= lastNamed || !cells.slice(columns.length).every(isBlank)) {
    const detail = `must have ${columns.length} cells, not ${cells.length}`
    return { errors: [{ pointer: '', detail }] }
  }
  const record: Partial<Record<ProductField, unknown>> = {}
  for (let index = 0; index <= lastNamed; index++) {
    const field = columns[index]
    if (field !== undefined) record[field] = cellValue(field, cells[index] as string)
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
    case 'inStock': {
      const text = cell.trim()
      if (text === '') return field === 'inStock' ? undefined : null
      return (/^-?\d{1,15}(?:\.\d{0,100})?$/.test(text) ? exactNumber(text) : undefined) ?? text
    }
    case 'msrp':
    case 'mapPrice': {
      const text = cell.trim()
      return text === '' ? null : (exactNumber(text) ?? text)
    }
  }
}

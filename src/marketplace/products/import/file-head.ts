import type { RowReader, RowSink } from './row-sink.ts'

/** The first line names all columns in less. */
const HEAD_MAX_BYTES = 4_096
const LF = 0x0a
const CR = 0x0d

/**
 * Looks at the beginning of a file before its rows are read, because what is not the text that it is
 * taken for has a thousand problems, none of which says what to do.
 *
 * @param problemOf why a file with these first bytes is not read, in words that continue "line 1"
 */
export function withHeadCheck(
  sink: RowSink,
  reader: RowReader,
  problemOf: (head: Buffer) => string | undefined,
): RowReader {
  let head: Buffer | undefined = Buffer.alloc(0)
  const begin = (bytes: Buffer) => {
    head = undefined
    const problem = problemOf(bytes)
    if (problem === undefined) reader.write(bytes)
    else sink.fatal(1, problem)
  }
  return {
    write(chunk) {
      if (head === undefined) return reader.write(chunk)
      head = Buffer.concat([head, chunk])
      if (head.length >= HEAD_MAX_BYTES || hasLine(head)) begin(head)
    },
    async end() {
      if (head !== undefined) begin(head)
      await reader.end()
    },
  }
}

/** Whether a line has ended that is not empty. */
function hasLine(bytes: Buffer): boolean {
  const start = bytes.findIndex((byte) => byte !== LF && byte !== CR)
  return start !== -1 && (bytes.includes(LF, start) || bytes.includes(CR, start))
}

const ZIP = 'is a zip file or a workbook (.xlsx): save the sheet as CSV UTF-8, or unpack the file'

/** First bytes of files that are no text. */
const NO_TEXT: readonly (readonly [bytes: readonly number[], problem: string])[] = [
  [[0xff, 0xfe], 'is in UTF-16: save the file in UTF-8'],
  [[0xfe, 0xff], 'is in UTF-16: save the file in UTF-8'],
  [[0, 0, 0xfe, 0xff], 'is in UTF-32: save the file in UTF-8'],
  [
    [0x1f, 0x8b],
    'is compressed with gzip, and nothing says so: send it with Content-Encoding: gzip, or give it a name that ends in .gz',
  ],
  [[0x50, 0x4b, 3], ZIP],
  [[0x50, 0x4b, 5], ZIP],
  [[0x50, 0x4b, 7], ZIP],
  [[0xd0, 0xcf, 0x11, 0xe0], 'is a workbook (.xls): save the sheet as CSV UTF-8'],
]

/** Why the beginning of a file is no text in UTF-8; undefined when it may be. */
export function noTextProblem(head: Buffer): string | undefined {
  const known = NO_TEXT.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))
  if (known !== undefined) return known[1]
  return firstLine(head).includes('\0')
    ? 'has NUL bytes, as a file in UTF-16 has: save the file in UTF-8'
    : undefined
}

/** The first line that is not empty, a byte for a character. */
function firstLine(head: Buffer): string {
  return /[^\r\n]+/.exec(head.toString('latin1'))?.[0] ?? ''
}

/** Separators that programs write instead of commas, as CSV or by another name. */
const OTHER_SEPARATORS = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
] as const

/** Why the beginning of a file is no CSV whose first row names the columns. */
export function noCsvProblem(head: Buffer): string | undefined {
  const problem = noTextProblem(head)
  if (problem !== undefined) return problem
  const line = firstLine(head)
  if (/^(?:\xef\xbb\xbf)?"?sep=/i.test(line)) {
    return 'only says how cells are separated, which spreadsheets read: delete it, and separate with commas'
  }
  if (line.includes(',')) return undefined
  const other = OTHER_SEPARATORS.find(([separator]) => line.includes(separator))
  return other && `is separated by ${other[1]}: save the file with commas`
}

import { z } from 'zod'
import { Timestamp } from '../../../base/values/shapes.ts'
import { ErrorCode, type FieldError, LineError } from '../../../errors.ts'

/** The most problems that the answer to an import lists. */
export const REPORTED_MAX = 100

/**
 * A file with more bad rows than this is not read further: a bad row costs more time than a good
 * one, and such a file is probably the wrong one.
 */
export const REFUSED_ROWS_MAX = 100_000

/** How long the record of an import is kept. */
export const IMPORT_RECORD_DAYS = 30

const counts = {
  rowsRead: z.int().describe('Records in the file, bad ones included.').meta({ example: 1200 }),
  rowsCreated: z.int().meta({ example: 1000 }),
  rowsUpdated: z.int().meta({ example: 150 }),
  rowsUnchanged: z
    .int()
    .describe('Records of products that were so already; counted at the end.')
    .meta({ example: 49 }),
  rowsRefused: z.int().describe('Records with problems.').meta({ example: 1 }),
  errorCount: z.int().describe('All problems; a record can have several.').meta({ example: 1 }),
  errors: z
    .array(LineError)
    .describe(
      `The first ${REPORTED_MAX} problems. Where a file could not be read on, the last one says why.`,
    )
    .meta({ example: [{ line: 17, pointer: '/inStock', detail: 'must be at least 0' }] }),
  warnings: z
    .array(LineError)
    .optional()
    .describe(`The first ${REPORTED_MAX} things that look wrong and were taken.`),
}
const importId = z.uuid().meta({ example: '0f8fad5b-d9cb-469f-a165-70867728950e' })

/** What an import did. */
export const ImportResult = z
  .object({
    importId,
    status: z.literal('completed'),
    ...counts,
  })
  .meta({ id: 'ImportResult', description: 'What an import did.' })
export type ImportResult = z.infer<typeof ImportResult>

/** Why an import failed: the problem that its request was answered with. */
export type ImportProblem = { code: ErrorCode; detail: string }

/** The problem of an import that its server did not bring to an end. */
export const DIED: ImportProblem = {
  code: 'unavailable',
  detail:
    'The server stopped during the import, or lost its database. Nothing was imported: send the file again.',
}

/** An import as it goes on. */
export const ImportRecord = z
  .object({
    importId,
    status: z
      .enum(['running', 'completed', 'refused', 'failed'])
      .describe(
        '`refused`: the file has problems; `failed`: the upload broke off, or the server or its database went away. Both left nothing behind.',
      )
      .meta({ example: 'running' }),
    bytesRead: z.int().describe('Bytes read so far, decompressed.').meta({ example: 183_500 }),
    ...counts,
    problem: z
      .object({
        code: ErrorCode.describe('As in the error that the import was answered with.'),
        detail: z.string(),
      })
      .nullable()
      .describe('Why it left nothing behind; null while it runs and when it is completed.')
      .meta({ example: null }),
    startedAt: Timestamp,
    updatedAt: Timestamp.describe('While it runs, raised about every second.'),
    finishedAt: Timestamp.nullable().describe('Null while it runs.'),
  })
  .meta({ id: 'ImportRecord', description: 'An import: its progress, and how it ended.' })
export type ImportRecord = z.infer<typeof ImportRecord>

/** What is known of a file while it is read. */
export type ImportReport = {
  bytesRead: number
  rowsRead: number
  rowsRefused: number
  errors: LineError[]
  /** The number of all problems, also of those that are not listed. */
  errorCount: number
  warnings: LineError[]
  /** Why the file cannot be read further. */
  fatal: LineError | undefined
}

/** The report on a file before its first row. */
export function newReport(): ImportReport {
  return {
    bytesRead: 0,
    rowsRead: 0,
    rowsRefused: 0,
    errors: [],
    errorCount: 0,
    warnings: [],
    fatal: undefined,
  }
}

type RowCounts = Pick<ImportResult, 'rowsRead' | 'rowsCreated' | 'rowsUpdated' | 'rowsRefused'>

/** How many rows of a completed import changed nothing. */
export function unchangedOf(counts: RowCounts): number {
  return counts.rowsRead - counts.rowsCreated - counts.rowsUpdated - counts.rowsRefused
}

/** Notes the problems of one line. */
export function noteErrors(
  report: ImportReport,
  line: number,
  errors: readonly FieldError[],
): void {
  report.errorCount += errors.length
  note(report.errors, line, errors)
}

/** Notes why the file cannot be read further: the first such problem, which is always listed. */
export function noteFatal(report: ImportReport, line: number, detail: string): void {
  if (report.fatal !== undefined) return
  report.fatal = { line, pointer: '', detail }
  report.errorCount += 1
  report.errors.splice(REPORTED_MAX - 1)
  report.errors.push(report.fatal)
}

/** Notes what looks wrong on a line. */
export function noteWarnings(
  report: ImportReport,
  line: number,
  warnings: readonly FieldError[],
): void {
  note(report.warnings, line, warnings)
}

function note(list: LineError[], line: number, found: readonly FieldError[]): void {
  for (const { pointer, detail } of found) {
    if (list.length < REPORTED_MAX) list.push({ line, pointer, detail })
  }
}

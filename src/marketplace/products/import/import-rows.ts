import { csvReader } from './csv-rows.ts'
import { noCsvProblem, noTextProblem, withHeadCheck } from './file-head.ts'
import { ndjsonReader } from './ndjson-rows.ts'
import type { RowSink } from './row-sink.ts'

/** Media type of a file -> the reader of its rows. */
export const IMPORT_FORMATS = {
  'text/csv': (sink: RowSink) => withHeadCheck(sink, csvReader(sink), noCsvProblem),
  'application/x-ndjson': (sink: RowSink) => withHeadCheck(sink, ndjsonReader(sink), noTextProblem),
}
export type ImportFormat = keyof typeof IMPORT_FORMATS

import { csvReader } from './csv-rows.ts'
import { ndjsonReader } from './ndjson-rows.ts'

/** Media type of a file -> the reader of its rows. */
export const IMPORT_FORMATS = { 'text/csv': csvReader, 'application/x-ndjson': ndjsonReader }
export type ImportFormat = keyof typeof IMPORT_FORMATS

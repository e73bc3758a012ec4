import type { CheckedRow } from './check-row.ts'

/** The most bytes of a row, also of one that spans several lines. */
export const LINE_MAX_BYTES = 1_048_576

/** How many empty lines a file may have; they count neither as rows nor as problems. */
export const EMPTY_LINES_MAX = 10_000
export const TOO_MANY_EMPTY = `is one of more than ${EMPTY_LINES_MAX} empty lines; what follows was not read`

/** Takes the rows of a file as they are found. */
export type RowSink = {
  /**
   * @param line on which the row ends, from 1
   * @returns whether to read on
   */
  row(line: number, checked: CheckedRow): boolean
  /** The rest of the file cannot be read. */
  fatal(line: number, detail: string): void
}

/** Reads a file piece by piece, and passes each row and problem to the sink at once. */
export type RowReader = {
  write(chunk: Uint8Array): void
  end(): Promise<void>
}

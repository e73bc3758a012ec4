import { nextTick } from '../../../base/fair-share/next-tick.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { copyLine } from './copy-text.ts'
import {
  type ImportReport,
  noteErrors,
  noteFatal,
  noteWarnings,
  REFUSED_ROWS_MAX,
} from './import-record.ts'
import { IMPORT_FORMATS, type ImportFormat } from './import-rows.ts'

/** A file: its format, its bytes, and a function that is told how far it was read. */
export type RowSource = {
  format: ImportFormat
  source: AsyncIterable<Uint8Array>
  onProgress?: (report: Readonly<ImportReport>) => void
}

/** Good rows in the text format of COPY: chunks in the database, and the last rows in memory. */
export type StagedRows = { chunks: number; rest: string }

const TOO_MANY = `is one of more than ${REFUSED_ROWS_MAX} with problems; what follows was not read`

/** So much is read at once: some good rows, hundreds of bad ones. */
const PIECE_BYTES = 2_048
/** The longest time that reading a file may block other requests. */
const TICK_MS = 5
/** Rows of a file that are kept in memory before they go to the database. */
const CHUNK_CHARACTERS = 1_048_576

/**
 * Reads a file piece by piece, no faster than the database takes its good rows; the rows of a small
 * file stay in memory. It holds no connection while it waits for the next piece. Problems go into
 * the report.
 *
 * @throws AppError import_refused when the file cannot be read on; payload_too_large; whatever the
 *   source throws when it breaks off
 */
export async function stageRows(
  { pool, config: { importMaxBytes } }: Pick<Deps, 'pool' | 'config'>,
  importId: string,
  { source, format, onProgress }: RowSource,
  report: ImportReport,
): Promise<StagedRows> {
  const rows = createChunks((number, lines) =>
    pool.query('INSERT INTO import_chunks (import_id, number, lines) VALUES ($1, $2, $3)', [
      importId,
      number,
      lines,
    ]),
  )
  const reader = readerOf(format, report, rows.add)
  const refuseFatal = () => {
    if (report.fatal !== undefined) throw new AppError('import_refused')
  }
  let tickEndsAtMs = performance.now() + TICK_MS
  try {
    for await (const bytes of source) {
      report.bytesRead += bytes.length
      if (report.bytesRead > importMaxBytes) {
        throw new AppError('payload_too_large', {
          detail: `Imports may have at most ${importMaxBytes} bytes, decompressed.`,
        })
      }
      for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
        reader.write(bytes.subarray(from, from + PIECE_BYTES))
        refuseFatal()
        if (rows.isFull()) await rows.store()
        if (performance.now() > tickEndsAtMs) {
          await nextTick()
          tickEndsAtMs = performance.now() + TICK_MS
        }
      }
      onProgress?.(report)
    }
    await reader.end()
    refuseFatal()
    return await rows.end()
  } catch (error) {
    await rows.end().catch(() => {})
    throw error
  }
}

/** Collects rows; a chunk is stored while the next one is collected. */
function createChunks(insert: (number: number, lines: string) => Promise<unknown>) {
  let lines: string[] = []
  let characters = 0
  let chunks = 0
  let storing: Promise<unknown> = Promise.resolve()
  return {
    add(line: string) {
      lines.push(line)
      characters += line.length
    },
    isFull: () => characters >= CHUNK_CHARACTERS,
    async store() {
      await storing
      storing = insert(chunks, lines.join(''))
      // The failure reaches the caller that waits for the chunk.
      storing.catch(() => {})
      chunks += 1
      lines = []
      characters = 0
    },
    async end(): Promise<StagedRows> {
      await storing
      return { chunks, rest: lines.join('') }
    },
  }
}

function readerOf(format: ImportFormat, report: ImportReport, add: (line: string) => void) {
  return IMPORT_FORMATS[format]({
    row(line, checked) {
      report.rowsRead += 1
      if (checked.errors !== undefined) {
        report.rowsRefused += 1
        noteErrors(report, line, checked.errors)
        if (report.rowsRefused <= REFUSED_ROWS_MAX) return true
        noteFatal(report, line, TOO_MANY)
        return false
      }
      if (checked.warnings.length > 0) noteWarnings(report, line, checked.warnings)
      add(copyLine(line, checked.record, checked.id))
      return true
    },
    fatal: (line, detail) => noteFatal(report, line, detail),
  })
}

import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { AppError } from '../errors.ts'
import { copyLine } from './copy-text.ts'
import {
  type ImportReport,
  noteErrors,
  noteFatal,
  noteWarnings,
  REFUSED_ROWS_MAX,
} from './import.ts'
import { IMPORT_FORMATS, type ImportFormat } from './import-rows.ts'

/** A file: its form, its bytes, and who wants to know how far it was read. */
export type RowSource = {
  format: ImportFormat
  source: AsyncIterable<Uint8Array>
  onProgress?: (report: Readonly<ImportReport>) => void
}

const TOO_MANY = `is one of more than ${REFUSED_ROWS_MAX} with problems; what follows was not read`

/** So much is read at once: a hundred good rows, thousands of bad ones. */
const PIECE_BYTES = 4_096
/** Others wait for no longer than this while a file is read. */
const TURN_MS = 20

/**
 * Reads a file piece by piece and copies its good rows into the table `staged` of the caller's
 * transaction, no faster than the database takes them. Problems go into the report.
 *
 * @throws AppError payload_too_large; whatever the source throws when it breaks off
 */
export async function stageRows(
  client: PoolClient,
  { source, format, onProgress }: RowSource,
  report: ImportReport,
  maxBytes: number,
): Promise<void> {
  const copy = client.query(copyFrom('COPY staged FROM STDIN'))
  const ended = finished(copy)
  // Whoever waits for it hears of the failure; nobody may.
  ended.catch(() => {})
  const lines: string[] = []
  const flush = async () => {
    if (lines.length === 0) return
    const hasRoom = copy.write(lines.join(''))
    lines.length = 0
    if (!hasRoom) await Promise.race([once(copy, 'drain'), ended])
  }
  const reader = readerOf(format, report, lines)
  const refuseFatal = () => {
    if (report.fatal !== undefined) throw new AppError('import_refused')
  }
  let turnEndsAtMs = performance.now() + TURN_MS
  try {
    for await (const chunk of source) {
      report.bytesRead += chunk.length
      if (report.bytesRead > maxBytes) {
        throw new AppError('payload_too_large', {
          detail: `Imports may have at most ${maxBytes} bytes, decompressed.`,
        })
      }
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        reader.write(chunk.subarray(from, from + PIECE_BYTES))
        refuseFatal()
        if (performance.now() > turnEndsAtMs) {
          await nextTurn()
          turnEndsAtMs = performance.now() + TURN_MS
        }
      }
      await flush()
      onProgress?.(report)
    }
    await reader.end()
    refuseFatal()
    await flush()
    copy.end()
    await ended
  } catch (error) {
    copy.destroy()
    await ended.catch(() => {})
    throw error
  }
}

function readerOf(format: ImportFormat, report: ImportReport, lines: string[]) {
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
      lines.push(copyLine(line, checked.record))
      return true
    },
    fatal: (line, detail) => noteFatal(report, line, detail),
  })
}

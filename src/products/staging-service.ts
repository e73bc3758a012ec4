import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { AppError } from '../errors.ts'
import { copyLine } from './copy-text.ts'
import { type ImportReport, noteErrors, noteWarnings } from './import.ts'
import { IMPORT_FORMATS, type ImportFormat } from './import-rows.ts'

/** A file: its form, its bytes, and who wants to know how far it was read. */
export type RowSource = {
  format: ImportFormat
  source: AsyncIterable<Uint8Array>
  onProgress?: (report: Readonly<ImportReport>) => void
}

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
  try {
    for await (const chunk of source) {
      report.bytesRead += chunk.length
      if (report.bytesRead > maxBytes) {
        throw new AppError('payload_too_large', {
          detail: `Imports may have at most ${maxBytes} bytes, decompressed.`,
        })
      }
      reader.write(chunk)
      if (report.isFatal) throw new AppError('import_refused')
      await flush()
      onProgress?.(report)
    }
    await reader.end()
    if (report.isFatal) throw new AppError('import_refused')
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
        return
      }
      if (checked.warnings.length > 0) noteWarnings(report, line, checked.warnings)
      lines.push(copyLine(line, checked.record))
    },
    fatal(line, detail) {
      if (report.isFatal) return
      report.isFatal = true
      noteErrors(report, line, [{ pointer: '', detail }])
    },
  })
}

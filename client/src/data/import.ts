import { errorOfResponse, hasCode } from '../errors.ts'
import { readImport } from '../generated/sdk.gen.ts'
import type { ImportRecord, ImportResult } from '../generated/types.gen.ts'
import type { Connection } from '../transport/connection.ts'

const PROGRESS_PAUSE_MS = 1000

/** Products to import, and how. */
export type ImportRequest = {
  file: Blob | string
  type: 'text/csv' | 'application/x-ndjson'
  /** The file is compressed. */
  gzip?: boolean
  /** Rows with problems refuse the whole file, or are left out. Default: `refuse`. */
  onError?: 'refuse' | 'skip'
  /** Is told how far the import is, about once a second. */
  onProgress?: (record: ImportRecord) => void
}

/**
 * Imports a file of products; resolves when all of it has taken effect.
 *
 * @throws MarketplaceError import_refused with `errors`, import_running, payload_too_large, ...
 */
export async function importFile(
  { baseUrl, send, client, wait }: Connection,
  { file, type, gzip = false, onError = 'refuse', onProgress }: ImportRequest,
): Promise<ImportResult> {
  const importId = crypto.randomUUID()
  const query = new URLSearchParams({ importId, onError })
  const headers = { 'content-type': type, ...(gzip && { 'content-encoding': 'gzip' }) }
  const done = new AbortController()
  const watch = async (tell: (record: ImportRecord) => void) => {
    while (!done.signal.aborted) {
      await wait(PROGRESS_PAUSE_MS, done.signal)
      const read = readImport({ client, path: { importId }, signal: done.signal })
      // There is no record before the marketplace has the beginning of the file.
      const answer = await read.catch((error) => ignoreUnknown(error))
      if (answer !== undefined) tell(answer.data)
    }
  }
  const watching = onProgress && watch(onProgress).catch(() => undefined)
  try {
    const response = await send(
      () =>
        new Request(`${baseUrl}/v1/Products/Import?${query}`, {
          method: 'POST',
          headers,
          body: file,
        }),
    )
    if (!response.ok) throw await errorOfResponse(response)
    return (await response.json()) as ImportResult
  } finally {
    done.abort()
    await watching
  }
}

function ignoreUnknown(error: unknown): undefined {
  if (!hasCode(error, 'not_found')) throw error
}

import { errorOfResponse, hasCode } from '../errors.ts'
import { readImport } from '../generated/sdk.gen.ts'
import type { ImportRecord, ImportResult } from '../generated/types.gen.ts'
import type { Connection } from '../transport/connection.ts'

const PROGRESS_PAUSE_MS = 1000

/** Products to import, and how to import them. */
export type ImportRequest = {
  file: Blob | string
  type: 'text/csv' | 'application/x-ndjson'
  /** Whether the file is compressed. */
  gzip?: boolean
  /** Whether a row with problems refuses the whole file or is skipped. Default: `refuse`. */
  onError?: 'refuse' | 'skip'
  /** Called with the progress of the import, about once a second. */
  onProgress?: (record: ImportRecord) => void
}

/**
 * Imports a file of products. Resolves when the whole file has taken effect.
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
      // There is no record until the marketplace has the beginning of the file.
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

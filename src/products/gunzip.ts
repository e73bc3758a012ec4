import { once } from 'node:events'
import { createGunzip } from 'node:zlib'
import { AppError } from '../errors.ts'

const CHUNK_BYTES = 65_536

/**
 * Decompresses gzip piece by piece, as fast as the pieces are used.
 *
 * @throws AppError invalid_request when it is not gzip or ends too early; what the source throws
 */
export async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES })
  const abort = new AbortController()
  let failure: unknown
  const feed = async () => {
    for await (const chunk of source) {
      if (abort.signal.aborted) return
      if (!unzip.write(chunk)) await once(unzip, 'drain', { signal: abort.signal })
    }
    unzip.end()
  }
  feed().catch((error: unknown) => {
    failure = error
    unzip.destroy(error as Error)
  })
  try {
    yield* unzip
  } catch (error) {
    if (failure instanceof AppError) throw failure
    throw new AppError('invalid_request', {
      detail: 'The body is not gzip, or not all of it.',
      cause: error,
    })
  } finally {
    // A source that waits for its next piece is left at that; whoever waits here has an answer.
    abort.abort()
    unzip.destroy()
  }
}

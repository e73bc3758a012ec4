import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AppError } from '../../../errors.ts'

const CHUNK_BYTES = 65_536
/** How many times longer than the input the output may be; the first MiB of output is free. */
const RATIO_MAX = 200
const RATIO_FREE_BYTES = 1_048_576

/**
 * Decompresses gzip piece by piece, as fast as the pieces are used: one member or several (RFC
 * 1952, 2.2).
 *
 * @throws AppError invalid_request when the input is not gzip, ends too early or continues with
 *   something else, zeros included; payload_too_large when it is a bomb; and what the source throws
 */
export async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let taken = 0
  let given = 0
  async function* counted() {
    for await (const piece of source) {
      taken += piece.length
      yield piece
    }
  }
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES })
  // What goes wrong is thrown where the output is read. Nobody waits for the source at an early end:
  // it may wait for its client.
  pipeline(counted, unzip).catch(() => {})
  try {
    for await (const output of unzip) {
      given += output.length
      if (given > Math.max(RATIO_FREE_BYTES, unzip.bytesWritten * RATIO_MAX)) throw bomb()
      yield output
    }
    // Node stops at a zero behind a member, and says nothing.
    if (unzip.bytesWritten < taken) throw notGzip()
  } catch (error) {
    throw isOfZlib(error) ? notGzip(error) : error
  } finally {
    unzip.destroy()
  }
}

function isOfZlib(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function notGzip(cause?: Error): AppError {
  const detail =
    'The body is not valid gzip: it is damaged, incomplete, or followed by something else.'
  return new AppError('invalid_request', { detail, cause })
}

function bomb(): AppError {
  return new AppError('payload_too_large', {
    detail: `The decompressed body is more than ${RATIO_MAX} times as long as the compressed one.`,
  })
}

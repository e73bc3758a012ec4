import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Coding } from './content-coding.ts'

/** An export is compressed once and as fast as it is read: higher levels gain little of its text. */
const GZIP_LEVEL = 1
const BROTLI_QUALITY = 1
/** Bounds what one export takes: 256 KiB, where brotli would look back over 4 MiB. */
const BROTLI_WINDOW_BITS = 18
const CHUNK_BYTES = 64 * 1024

/**
 * Makes a stream that compresses. What is written comes out at once, not when enough has gathered:
 * who reads a slow export sees the rows that there are.
 */
export function createEncoder(coding: Coding): Transform {
  switch (coding) {
    case 'gzip':
      return createGzip({
        level: GZIP_LEVEL,
        chunkSize: CHUNK_BYTES,
        flush: constants.Z_SYNC_FLUSH,
      })
    case 'br':
      return createBrotliCompress({
        chunkSize: CHUNK_BYTES,
        flush: constants.BROTLI_OPERATION_FLUSH,
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        },
      })
  }
}

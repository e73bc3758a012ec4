import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { AppError } from '../../errors.ts'

/** So many chunks of a body may be as small as they like. */
export const SMALL_CHUNKS_MAX = 8_192
/**
 * The chunks of a body with more have to hold more than this on average. One whose bytes do not
 * arrive together counts as two. An import of so many rows has longer ones, and some clients send
 * each by itself.
 */
export const SMALL_CHUNK_BYTES = 8

/**
 * Refuses bodies that come in many chunks of few bytes (RFC 9112, 7.1), and hangs up. Each chunk
 * takes Node a microsecond or more, however little it holds, whether anybody reads the body or not:
 * 1 MiB in chunks of one byte would hold the event loop for more than a second. The chunks are
 * counted where Node's parser hands them on, because a body that waits to be read is parsed, too.
 */
export function limitSmallChunks(server: Server): void {
  server.prependListener('request', (request, response) => {
    if (request.headers['transfer-encoding'] !== undefined) count(server, request, response)
  })
}

function count(server: Server, request: IncomingMessage, response: ServerResponse): void {
  let chunks = 0
  let bytes = 0
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null)
    chunks += 1
    bytes += chunk.length
    if (chunks <= SMALL_CHUNKS_MAX || bytes >= chunks * SMALL_CHUNK_BYTES) return push(chunk)
    // What has arrived already is passed over. False asks Node to read no more.
    request.push = () => false
    const { socket } = request
    // It has its answer, or it is not the turn of its answer yet.
    if (response.socket === null) socket.destroy()
    else server.emit('clientError', tooSmall(), socket)
    return false
  }
}

function tooSmall(): AppError {
  const few = SMALL_CHUNKS_MAX.toLocaleString('en')
  return new AppError('invalid_request', {
    detail:
      `The body comes in too many small chunks: those of a body with more than ${few} ` +
      `have to hold more than ${SMALL_CHUNK_BYTES} bytes on average.`,
  })
}

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A client that has taken nothing of a file for this long is taken to be gone. */
const STALLED_MS = 20_000

/**
 * Answers with a file that is read while it is sent, as fast as the client takes it. A failure cuts
 * the connection, so that the client sees that the file is incomplete.
 */
export function sendStreamedFile(
  reply: FastifyReply,
  content: Readable,
  { mediaType, fileName }: { mediaType: string; fileName: string },
): FastifyReply {
  // A reset also drops what the kernel still holds.
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.socket?.resetAndDestroy())
  reply.headers({
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="${fileName}"`,
    'content-type': mediaType,
  })
  // For HEAD, Fastify would read the whole stream and send nothing of it.
  return reply.send(reply.request.method === 'HEAD' ? Readable.from([]) : content)
}

import { finished, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { createBound } from '../../base/fair-share/bound.ts'
import { AppError } from '../../errors.ts'

/** A client that has taken nothing of a file for this long is taken to be gone. */
const STALLED_MS = 20_000
/** How many files a process sends to one person at once: of each it holds a part of a megabyte. */
const AT_ONCE_MAX = 4
const RETRY_AFTER_SECONDS = 10

const places = createBound<string>({ each: AT_ONCE_MAX })

type StreamedFile = {
  mediaType: string
  fileName: string
  /** The person who gets the file. */
  userId: string
  open: () => Promise<Readable>
}

/**
 * Answers with a file that is read while it is sent, as fast as the client takes it. A failure cuts
 * the connection, so that the client sees that the file is incomplete.
 *
 * @throws AppError too_many_requests
 */
export async function sendStreamedFile(
  reply: FastifyReply,
  { mediaType, fileName, userId, open }: StreamedFile,
): Promise<FastifyReply> {
  const giveBack = places.take(userId)
  if (giveBack === undefined) {
    throw new AppError('too_many_requests', {
      detail: `You may have ${AT_ONCE_MAX} files under way at once, and the next one when one of them has ended.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  finished(reply.raw, giveBack)
  const content = await open()
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

import { pipeline, Readable, type Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Media type of one JSON text per line. */
export const NDJSON_TYPE = 'application/x-ndjson'
/**
 * A client that has taken nothing of an answer for this long is taken to be gone. Node checks the
 * socket at this interval, so a client that stops right after a check is cut off at the second one.
 */
const STALLED_MS = 20_000

/** Whether the client prefers one JSON text per line to JSON (RFC 9110, 12.5.1). */
export function wantsLines({ headers }: FastifyRequest): boolean {
  const accept = headers.accept?.toLowerCase() ?? ''
  if (!accept.includes(NDJSON_TYPE)) return false
  const weights = new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
      const quality = parameters.map((part) => /^q\s*=(.*)$/.exec(part)?.[1]).find(Boolean)
      return [type, quality === undefined ? 1 : Number(quality) || 0]
    }),
  )
  const weight = weights.get(NDJSON_TYPE) ?? 0
  return weight > 0 && weight >= (weights.get('application/json') ?? 0)
}

/** A content coding, and what encodes a stream in it. */
export type Encoding = { coding: string; encoder: Transform }

/**
 * Answers with a stream of lines, as fast as the client takes them. The stream ends when the client
 * hangs up or stalls. When the stream fails, the server cuts the connection, so that the client
 * sees that the answer is incomplete; a compressed stream is not finished either.
 *
 * @param stalledMs after which a client that takes nothing is cut off, at the latest at twice that
 */
export function sendLines(
  reply: FastifyReply,
  lines: Readable,
  encoding?: Encoding,
  stalledMs = STALLED_MS,
): FastifyReply {
  // When the connection ends, the stream ends. A reset also drops what the kernel still holds.
  reply.raw.setTimeout(stalledMs, () => reply.raw.socket?.resetAndDestroy())
  reply.headers({ 'cache-control': 'private, no-store', 'content-type': NDJSON_TYPE })
  // For HEAD, Fastify would read the whole stream and send nothing of it.
  const body = reply.request.method === 'HEAD' ? Readable.from([]) : lines
  return reply.send(encoding === undefined ? body : encoded(reply, body, encoding))
}

function encoded(reply: FastifyReply, lines: Readable, { coding, encoder }: Encoding): Transform {
  reply.header('content-encoding', coding)
  // Until the first line is sent, a failure is answered as an uncompressed problem.
  lines.once('error', () => {
    reply.removeHeader('content-encoding')
    if (!reply.raw.headersSent) reply.raw.removeHeader('content-encoding')
  })
  // The two streams end each other; the reply that sends the encoder sees its failure.
  pipeline(lines, encoder, () => {})
  return encoder
}

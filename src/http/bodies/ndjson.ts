import { pipeline, Readable, type Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Media type of one JSON text per line. */
export const NDJSON_TYPE = 'application/x-ndjson'
/**
 * A client that takes nothing of an answer for so long has gone. Node looks at this interval
 * whether the socket took anything: who stops right after a look is closed at the second one.
 */
const STALLED_MS = 20_000

/** Whether the client asks for one JSON text per line, and not rather for JSON (RFC 9110, 12.5.1). */
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

/** A content coding and what brings a stream into it. */
export type Encoding = { coding: string; encoder: Transform }

/**
 * Answers with a stream of lines, as fast as the client takes them. One that hangs up or stalls
 * ends the stream; when the stream fails, the connection is cut, so that the client sees that the
 * answer is not whole: a compressed one too is never brought to its end.
 *
 * @param stalledMs after which a client that takes nothing is cut off, at the latest at twice that
 */
export function sendLines(
  reply: FastifyReply,
  lines: Readable,
  encoding?: Encoding,
  stalledMs = STALLED_MS,
): FastifyReply {
  // The end of the connection ends the stream. A reset gives up what the kernel holds as well.
  reply.raw.setTimeout(stalledMs, () => reply.raw.socket?.resetAndDestroy())
  reply.headers({ 'cache-control': 'private, no-store', 'content-type': NDJSON_TYPE })
  // Fastify would read to the end what HEAD does not answer.
  const body = reply.request.method === 'HEAD' ? Readable.from([]) : lines
  return reply.send(encoding === undefined ? body : encoded(reply, body, encoding))
}

function encoded(reply: FastifyReply, lines: Readable, { coding, encoder }: Encoding): Transform {
  reply.header('content-encoding', coding)
  // Before the first line another answer tells the failure, which is not compressed.
  lines.once('error', () => {
    reply.removeHeader('content-encoding')
    if (!reply.raw.headersSent) reply.raw.removeHeader('content-encoding')
  })
  // Each ends the other; whoever sends the encoder hears of its failure.
  pipeline(lines, encoder, () => {})
  return encoder
}

import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Media type of one JSON text per line. */
export const NDJSON_TYPE = 'application/x-ndjson'
/** A client that takes nothing of an answer for so long has gone. */
const STALLED_MS = 120_000

/** Whether the client asks for one JSON text per line, and not rather for JSON (RFC 9110, 12.5.1). */
export function wantsLines({ headers }: FastifyRequest): boolean {
  const accept = headers.accept?.toLowerCase() ?? ''
  if (!accept.includes(NDJSON_TYPE)) return false
  const weights = new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
      const quality = parameters.map((part) => /^q\s*=\s*(.*)$/.exec(part)?.[1]).find(Boolean)
      return [type, quality === undefined ? 1 : Number(quality) || 0]
    }),
  )
  const weight = weights.get(NDJSON_TYPE) ?? 0
  return weight > 0 && weight >= (weights.get('application/json') ?? 0)
}

/**
 * Answers with a stream of lines, as fast as the client takes them. One that hangs up or stalls
 * ends the stream; when the stream fails, the connection is cut, so that the client sees that the
 * answer is not whole.
 */
export function sendLines(reply: FastifyReply, lines: Readable): FastifyReply {
  reply.raw.setTimeout(STALLED_MS, () => lines.destroy(new Error('the client takes nothing')))
  return reply
    .headers({
      'cache-control': 'private, no-store',
      'content-type': NDJSON_TYPE,
      // The same address answers JSON to who asks for that.
      vary: 'Origin, Accept, Authorization',
    })
    .send(lines)
}

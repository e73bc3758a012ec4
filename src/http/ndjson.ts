import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Media type of one JSON text per line. */
export const NDJSON_TYPE = 'application/x-ndjson'
/** A client that takes nothing of an answer for so long has gone. */
const STALLED_MS = 120_000

/** Whether the client asks for one JSON text per line. */
export function wantsLines({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.toLowerCase().split(';')
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter))
    return type.trim() === NDJSON_TYPE && !isRefused
  })
}

/**
 * Answers with a stream of lines, as fast as the client takes them. One that hangs up or stalls
 * ends the stream; when the stream fails, the connection is cut, so that the client sees that the
 * answer is not whole.
 */
export function sendLines(reply: FastifyReply, lines: Readable): FastifyReply {
  reply.raw.setTimeout(STALLED_MS, () => lines.destroy(new Error('the client takes nothing')))
  return reply
    .headers({ 'cache-control': 'private, no-store', 'content-type': NDJSON_TYPE })
    .send(lines)
}

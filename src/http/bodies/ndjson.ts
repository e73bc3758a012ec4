import { finished, pipeline, Readable, type Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accepted } from '../accept.ts'

const JSON_TYPE = 'application/json'
/** Media type of one JSON text per line. */
export const NDJSON_TYPE = 'application/x-ndjson'
/** Media type of comma-separated values (RFC 4180). */
export const CSV_TYPE = 'text/csv'
/**
 * A client that has taken nothing of an answer for this long is taken to be gone. Node checks the
 * socket at this interval, so a client that stops right after a check is cut off at the second one.
 */
const STALLED_MS = 20_000
/** The longest time that a whole answer may take. */
const LONGEST_MS = 3_600_000

/** Media types of what is sent line by line, the one that is chosen when both are as welcome first. */
export const LINE_TYPES = [NDJSON_TYPE, CSV_TYPE] as const
export type LineType = (typeof LINE_TYPES)[number]

/**
 * The type of lines that the client prefers to JSON, if it does (RFC 9110, 12.5.1). A client that
 * names both with the same weight, as generated ones do, gets JSON.
 */
export function preferredLines({ headers }: FastifyRequest): LineType | undefined {
  const accept = headers.accept?.toLowerCase() ?? ''
  if (!LINE_TYPES.some((type) => accept.includes(type))) return undefined
  const { named, any } = accepted(accept)
  const best = named(CSV_TYPE) > named(NDJSON_TYPE) ? CSV_TYPE : NDJSON_TYPE
  const lines = named(best)
  const isPreferred = lines > named(JSON_TYPE) && lines >= any(JSON_TYPE)
  return isPreferred ? best : undefined
}

/** A content coding, and what encodes a stream in it. */
export type Encoding = { coding: string; encoder: Transform }

/**
 * Answers with a stream of lines, as fast as the client takes them. The stream ends when the client
 * hangs up, stalls or takes too long. When the stream fails, the server cuts the connection, so that
 * the client sees that the answer is incomplete; a compressed stream is not finished either.
 *
 * @param limits `stalledMs`: after which a client that takes nothing is cut off, at the latest at
 *   twice that; `longestMs`: after which it is cut off anyhow
 */
export function sendLines(
  reply: FastifyReply,
  lines: Readable,
  type: LineType,
  encoding?: Encoding,
  { stalledMs = STALLED_MS, longestMs = LONGEST_MS } = {},
): FastifyReply {
  // When the connection ends, the stream ends. A reset also drops what the kernel still holds.
  const cutOff = () => reply.raw.socket?.resetAndDestroy()
  reply.raw.setTimeout(stalledMs, cutOff)
  const timer = setTimeout(cutOff, longestMs).unref()
  finished(reply.raw, () => clearTimeout(timer))
  const contentType = type === CSV_TYPE ? `${CSV_TYPE}; charset=utf-8; header=present` : type
  reply.headers({ 'cache-control': 'private, no-store', 'content-type': contentType })
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

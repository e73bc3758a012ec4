import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { countOne } from '../base/measures/measures.ts'
import { bareAddress } from '../base/values/client-network.ts'
import type { Deps } from '../deps.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { exemptFromRequestTimeout, isAnswered, limitRest } from './fair-share/rest-of-body.ts'
import { STATUS_CODES } from './node-http.ts'
import { PROBLEM_MEDIA_TYPE, problemOf } from './problem.ts'
import { limitByAddress } from './rate-limits/rate-limit.ts'
import { securityHeaders } from './security.ts'
import { PAGE_HEADERS } from './send-page.ts'

/**
 * Answers a request whose address cannot be routed, such as `/%zz`. It spends the budget of the
 * connection's address, because the router has not read a proxy's headers yet.
 */
export function answerUnroutable(
  failure: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { publicUrl } = request.server.deps.config
  // No hook sees the request.
  request.server.watchUnroutable(request, reply)
  limitRest(request.raw, reply.raw)
  reply.headers({
    'cache-control': 'no-store',
    ...securityHeaders(publicUrl),
    'x-request-id': request.id,
  })
  const answer = async () => {
    try {
      await limitByAddress(request, reply)
    } catch (refusal) {
      return request.server.errorHandler(refusal as FastifyError, request, reply)
    }
    return request.server.errorHandler(failure, request, reply)
  }
  answer().catch((error: unknown) => {
    request.log.error({ reqId: request.id, err: error }, 'no answer to an unroutable request')
    reply.raw.destroy()
  })
}

/** Failures of Node's HTTP parser -> our codes; all others are malformed requests. */
const PARSER_CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

type ClientErrorDeps = Pick<Deps, 'config' | 'log' | 'measures'> & {
  /** The page for a browser whose headers are too long. */
  pageOfLongHeaders: (requestId: string) => string
}

/**
 * Answers bytes that are no HTTP request, or one that takes too long, logs a line, and hangs up. A request that
 * was answered before the end of its body gets no second answer.
 */
export function answerClientError(
  failure: { code?: string | undefined; rawPacket?: unknown },
  socket: Socket,
  { config, log, measures, pageOfLongHeaders }: ClientErrorDeps,
): void {
  const { code, rawPacket } = failure
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && exemptFromRequestTimeout.has(socket)) return
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (isAnswered(socket)) {
    socket.destroySoon()
    return
  }
  const error =
    failure instanceof AppError
      ? failure
      : new AppError(PARSER_CODES[code ?? ''] ?? 'invalid_request')
  const requestId = randomUUID()
  const { publicUrl } = config
  const isPage = error.code === 'headers_too_large' && isFromBrowser(rawPacket)
  const body = isPage
    ? pageOfLongHeaders(requestId)
    : JSON.stringify(problemOf(error, { publicUrl, requestId }))
  countOne(measures.problems, error.code)
  log.info(
    {
      reqId: requestId,
      status: error.status,
      code: error.code,
      address: bareAddress(socket.remoteAddress),
    },
    'no readable request',
  )
  const headers = {
    'cache-control': 'no-store',
    ...securityHeaders(publicUrl),
    ...(isPage && PAGE_HEADERS),
    connection: 'close',
    'content-length': Buffer.byteLength(body),
    'content-type': isPage ? 'text/html; charset=utf-8' : PROBLEM_MEDIA_TYPE,
    'x-request-id': requestId,
  }
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`)
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n`
  socket.end(`${status}${lines.join('')}\r\n${body}`, () => socket.destroy())
}

/**
 * Whether the headers that were too long come from a browser that opens a page.
 *
 * @param packet the last piece that was read: all of the request, or a part of its cookies
 */
function isFromBrowser(packet: unknown): boolean {
  const text = Buffer.isBuffer(packet) ? packet.toString('latin1') : ''
  if (!/^[A-Z]+ \S/.test(text)) return /; [\w.-]+=[^;\r\n]*; /.test(text)
  return !/^[A-Z]+ (\/api)?\/v1\//i.test(text) && /\r\naccept:[^\r]*text\/html/i.test(text)
}

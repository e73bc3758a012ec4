import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload, RouteOptions } from 'fastify'
import { AppError } from '../../errors.ts'
import { JSON_TYPE } from './json-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The content codings that a body of the route may have, besides none. */
    codings?: readonly string[]
  }
}

/** The content coding of a request's body in its usual name (RFC 9110, 8.4.1). */
export function codingOf({ headers }: FastifyRequest): string {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (coding === '') return 'identity'
  return coding === 'x-gzip' ? 'gzip' : coding
}

/**
 * The body that is there. Clients name a type also where they send none: curl with `-d ''`, Ruby and
 * axios that of forms. Where JSON is read, such a type says nothing. Elsewhere Fastify would wait for
 * the end of the body, which Node never reports (`optimizeEmptyRequests`).
 */
export function presentBody(request: FastifyRequest, payload: RequestPayload): RequestPayload {
  const { headers, server } = request
  if (hasBody(request)) return payload
  if (server.hasContentTypeParser(JSON_TYPE)) delete headers['content-type']
  return headers['content-length'] === undefined ? Readable.from([]) : payload
}

/** Why a body in a content coding that its route does not take is refused (RFC 9110, 15.5.16). */
export function codingRefusal(request: FastifyRequest, reply: FastifyReply): AppError | undefined {
  const coding = codingOf(request)
  const { codings = [] } = request.routeOptions.config
  if (coding === 'identity' || codings.includes(coding) || !hasBody(request)) return undefined
  const taken = [...codings, 'identity']
  reply.header('accept-encoding', taken.join(', '))
  return new AppError('unsupported_media_type', {
    detail: `This address takes only Content-Encoding ${taken.join(' or ')}.`,
  })
}

/** Whether Fastify reads no body of such requests. */
export function isBodyless({ method }: Pick<RouteOptions, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether the headers of a request announce a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

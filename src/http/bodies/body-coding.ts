import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, preParsingHookHandler, RouteOptions } from 'fastify'
import { AppError } from '../../errors.ts'
import { JSON_TYPE } from './json-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The content codings that a body of the route may have, besides none. */
    codings?: readonly string[]
  }
}

/**
 * Refuses bodies in a content coding that their route does not take (RFC 9110, 15.5.16), and ends
 * those that are not there.
 */
export function refuseCodedBodies(app: FastifyInstance): void {
  // Set on each route that has a body, because a hook for all routes would run too often.
  app.addHook('onRoute', function refuseCodedOnRoute(route) {
    if (isBodyless(route)) return
    route.preParsing = [refuseCoded, endAbsentBody, ...[route.preParsing ?? []].flat()]
  })
}

/** The content coding of a request's body in its usual name (RFC 9110, 8.4.1). */
export function codingOf({ headers }: FastifyRequest): string {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (coding === '') return 'identity'
  return coding === 'x-gzip' ? 'gzip' : coding
}

/**
 * Clients name a type also where they send no body: curl with `-d ''`, Ruby and axios that of
 * forms. Where JSON is read, such a type says nothing. Elsewhere Fastify would wait for the end of
 * the body, which Node never reports (`optimizeEmptyRequests`).
 */
const endAbsentBody: preParsingHookHandler = (request, _reply, payload, done) => {
  const { headers, server } = request
  if (hasBody(request)) {
    done(null, payload)
    return
  }
  if (server.hasContentTypeParser(JSON_TYPE)) delete headers['content-type']
  done(null, headers['content-length'] === undefined ? Readable.from([]) : payload)
}

const refuseCoded: preParsingHookHandler = (request, reply, payload, done) => {
  const coding = codingOf(request)
  const { codings = [] } = request.routeOptions.config
  if (coding === 'identity' || codings.includes(coding) || !hasBody(request)) {
    done(null, payload)
    return
  }
  const taken = [...codings, 'identity']
  reply.header('accept-encoding', taken.join(', '))
  done(
    new AppError('unsupported_media_type', {
      detail: `This address takes only Content-Encoding ${taken.join(' or ')}.`,
    }),
  )
}

/** Whether Fastify reads no body of such requests. */
export function isBodyless({ method }: Pick<RouteOptions, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether the headers of a request announce a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

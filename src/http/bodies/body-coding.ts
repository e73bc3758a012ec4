import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import { AppError } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The content codings that a body of the route may have, besides none. */
    codings?: readonly string[]
  }
}

/** Refuses bodies in a content coding that their route does not take (RFC 9110, 15.5.16). */
export function refuseCodedBodies(app: FastifyInstance): void {
  // Set on each route that has a body, because a hook for all routes would run too often.
  app.addHook('onRoute', (route) => {
    if (['GET', 'HEAD'].includes(String(route.method))) return
    route.preParsing = [refuseCoded, ...[route.preParsing ?? []].flat()]
  })
}

/** The content coding of a request's body in its usual name (RFC 9110, 8.4.1). */
export function codingOf({ headers }: FastifyRequest): string {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (coding === '') return 'identity'
  return coding === 'x-gzip' ? 'gzip' : coding
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

/** Whether the headers of a request announce a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

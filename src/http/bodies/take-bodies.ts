import type { IncomingMessage } from 'node:http'
import type { preParsingHookHandler } from 'fastify'
import type { App } from '../app-type.ts'
import { createBodyRoom } from '../fair-share/held-bodies.ts'
import { stateOf } from '../observability/request-state.ts'
import { codingRefusal, isBodyless, presentBody } from './body-coding.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body piece by piece, and holds little of it. */
    readsPieces?: boolean
  }
}

/** Decides in one hook of each route that has a body whether, and how, the body is read. */
export function takeBodies(app: App): void {
  const refusalFor = createBodyRoom()
  const takeBody: preParsingHookHandler = (request, reply, payload, done) => {
    const isHeld = !request.routeOptions.config.readsPieces
    const refusal =
      (isHeld ? refusalFor(request, reply, payload as IncomingMessage) : undefined) ??
      codingRefusal(request, reply)
    if (refusal !== undefined) return done(refusal)
    stateOf(request).bodyAwaitedAtMs = performance.now()
    done(null, presentBody(request, payload))
  }
  // Set on each route that has a body, because a hook for all routes would run too often.
  app.addHook('onRoute', function takeBodyOfRoute(route) {
    if (isBodyless(route)) return
    route.preParsing = [takeBody, ...[route.preParsing ?? []].flat()]
  })
}

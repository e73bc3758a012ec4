import type { FastifyRequest } from 'fastify'
import { escapeControls } from '../../log/logged-error.ts'
import { createLineWriter } from '../../log/logger.ts'
import type { Principal } from '../../values/principal.ts'
import type { App } from '../app-type.ts'
import { clientAddress } from '../client-address.ts'
import type { RequestEnd } from './request-end.ts'
import { stateOf } from './request-state.ts'

/**
 * Gives each answer its request id, and logs each request as one line: who asked for what, and how
 * it ended. The line holds nothing that a client can choose freely: no query, body, header or
 * unknown address; of a trace only its id, which is 32 hexadecimal digits.
 */
export function observeRequests(app: App, onEnd: (listener: RequestEnd) => void): void {
  const writeLine = createLineWriter(app.deps.log)
  const { requests } = app.deps.measures
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  onEnd((request, { elapsedTime: durationMs }, status, isAborted) => {
    const { method, routeOptions } = request
    const { trace, principal } = stateOf(request)
    const { url: route, config } = routeOptions
    requests.count(config, route, method, status, durationMs)
    const path = knownPath(request, route, status)
    writeLine(
      `"reqId":"${request.id}","method":"${method}"` +
        (trace === null ? '' : `,"traceId":"${trace.traceId}"`) +
        (route === undefined ? '' : `,"route":"${route}"`) +
        (path === undefined ? '' : `,"path":${escapeControls(JSON.stringify(path))}`) +
        `,"status":${status},"durationMs":${Math.round(durationMs * 10) / 10}` +
        `,"address":"${clientAddress(request)}"` +
        (principal === null ? '' : `,"caller":"${callerOf(principal)}"`) +
        (isAborted ? ',"aborted":true' : '') +
        ',"msg":"request"',
    )
  })
}

/**
 * The path, when the request succeeded: its parameters are then ids of ours. The path of a request
 * that failed, or that was sent to the sign-in, may hold anything, such as a token pasted in the
 * wrong place.
 */
function knownPath({ url, method }: FastifyRequest, route: string | undefined, status: number) {
  const isFound = status < 300 || status === 304
  const isKnown = isFound && method !== 'OPTIONS' && route !== undefined
  return isKnown ? url.split('?', 1)[0] : undefined
}

function callerOf(principal: Principal): string {
  switch (principal.kind) {
    case 'developer':
      return `developer ${principal.developerId}`
    case 'installation':
      return `installation ${principal.installationId}`
    case 'user':
      return `user ${principal.userId}`
  }
}

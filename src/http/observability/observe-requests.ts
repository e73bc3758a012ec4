import type { FastifyRequest } from 'fastify'
import { escapeControls } from '../../base/log/logged-error.ts'
import { createLineWriter } from '../../base/log/logger.ts'
import type { Principal } from '../../base/values/principal.ts'
import type { VerifiedToken } from '../../base/values/token-claims.ts'
import type { App } from '../app-type.ts'
import { clientAddress } from '../client-address.ts'
import { refusedMembers } from './refused-request.ts'
import type { RequestEnd } from './request-end.ts'
import { stateOf } from './request-state.ts'

/**
 * Logs each request as one line: who asked for what, and how
 * it ended; of one that was refused also why (`refusedMembers`). The line holds nothing that a client
 * can choose freely: no query, body, header or unknown address; of a trace only its id, which is 32
 * hexadecimal digits. What machines ask again and again is logged at the level `debug` while it
 * succeeds.
 */
export function observeRequests(app: App, onEnd: (listener: RequestEnd) => void): void {
  const writeLine = createLineWriter(app.deps.log)
  const { requests } = app.deps.measures
  onEnd((request, { elapsedTime: durationMs }, status, isAborted) => {
    const { method, routeOptions } = request
    const { trace, principal, deadToken } = stateOf(request)
    const { url: route, config } = routeOptions
    requests.count(config, route, method, status, durationMs)
    const isFound = status < 300 || status === 304
    const path =
      isFound && method !== 'OPTIONS' && route !== undefined ? pathOf(request) : undefined
    const caller = callerOf(principal, deadToken)
    writeLine(
      `"reqId":"${request.id}","method":"${method}"` +
        (trace === null ? '' : `,"traceId":"${trace.traceId}"`) +
        (route === undefined ? '' : `,"route":"${route}"`) +
        (path === undefined ? '' : `,"path":${escapeControls(JSON.stringify(path))}`) +
        `,"status":${status},"durationMs":${Math.round(durationMs * 10) / 10}` +
        `,"address":"${clientAddress(request)}"` +
        (caller === undefined ? '' : `,"caller":"${caller}"`) +
        (isFound ? '' : refusedMembers(request)) +
        (isAborted ? ',"aborted":true' : '') +
        ',"msg":"request"',
      config.quiet === true && status < 400 ? 'debug' : 'info',
    )
  })
}

/** The path of a request that succeeded: its parameters are ids of ours. */
function pathOf({ url }: FastifyRequest): string | undefined {
  return url.split('?', 1)[0]
}

/** Who was let in, or whose token was refused although we signed it. */
function callerOf(principal: Principal | null, deadToken: VerifiedToken | null) {
  switch (principal?.kind) {
    case 'developer':
      return `developer ${principal.developerId}`
    case 'installation':
      return `installation ${principal.installationId}`
    case 'user':
      return `user ${principal.userId}`
    default: {
      if (deadToken === null) return undefined
      const { aud, sub } = deadToken.claims
      return `${aud === 'account' ? 'user' : aud} ${sub}`
    }
  }
}

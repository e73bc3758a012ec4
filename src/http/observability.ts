import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { escapeControls } from '../log/logged-error.ts'
import { createLineWriter } from '../log/logger.ts'
import type { Principal } from '../values/principal.ts'
import type { App } from './app-type.ts'

/**
 * Names every answer, and logs each request as one line: what was asked by whom and how it ended.
 * Nothing that a client may choose freely is in it: no query, body, header or unknown address; of a
 * trace only its id, which is 32 hexadecimal digits.
 */
export function observeRequests(app: App): void {
  const writeLine = createLineWriter(app.deps.log)
  const { requests } = app.deps.measures
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const { url: route, config } = routeOptions
    const { statusCode: status, elapsedTime: durationMs } = reply
    requests.count(config, route, method, status, durationMs)
    const path = knownPath(request, route, status)
    // What a trusted proxy forwards may be any text.
    const address = addressOf(request.ip)
    writeLine(
      `"reqId":"${request.id}","method":"${method}"` +
        (request.trace === null ? '' : `,"traceId":"${request.trace.traceId}"`) +
        (route === undefined ? '' : `,"route":"${route}"`) +
        (path === undefined ? '' : `,"path":${escapeControls(JSON.stringify(path))}`) +
        `,"status":${status},"durationMs":${Math.round(durationMs * 10) / 10}` +
        (address === undefined ? '' : `,"address":"${address}"`) +
        (request.principal === null ? '' : `,"caller":"${callerOf(request.principal)}"`) +
        ',"msg":"request"',
    )
    done()
  })
}

/** Without a zone (RFC 4007, 11), which may be any text. */
function addressOf(ip: string): string | undefined {
  const [address = ''] = ip.split('%', 1)
  return isIP(address) === 0 ? undefined : address
}

/**
 * The path, once it has led to something: its parameters then are ids of ours. In one that failed, or
 * was sent to the sign-in, there may be anything, such as a token that was pasted into the wrong place.
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

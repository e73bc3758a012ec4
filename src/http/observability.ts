import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { escapeControls } from '../log/logged-error.ts'
import { createLineWriter } from '../log/logger.ts'
import type { Principal } from '../values/principal.ts'
import type { App } from './app-type.ts'

/**
 * Gives each answer its request id, and logs each request as one line: who asked for what, and how
 * it ended. The line holds nothing that a client can choose freely: no query, body, header or
 * unknown address.
 */
export function observeRequests(app: App): void {
  const writeLine = createLineWriter(app.deps.log)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const path = knownPath(request, reply.statusCode)
    // A proxy that is trusted may still forward any text as the address.
    const address = addressOf(request.ip)
    const { url: route } = request.routeOptions
    writeLine(
      `"reqId":"${request.id}","method":"${request.method}"` +
        (route === undefined ? '' : `,"route":"${route}"`) +
        (path === undefined ? '' : `,"path":${escapeControls(JSON.stringify(path))}`) +
        `,"status":${reply.statusCode},"durationMs":${Math.round(reply.elapsedTime * 10) / 10}` +
        (address === undefined ? '' : `,"address":"${address}"`) +
        (request.principal === null ? '' : `,"caller":"${callerOf(request.principal)}"`) +
        ',"msg":"request"',
    )
    done()
  })
}

/** Leaves out the zone of an IPv6 address (RFC 4007, 11), which may be any text. */
function addressOf(ip: string): string | undefined {
  const [address = ''] = ip.split('%', 1)
  return isIP(address) === 0 ? undefined : address
}

/**
 * The path, when the request succeeded: its parameters are then ids of ours. The path of a request
 * that failed, or that was sent to the sign-in, may hold anything, such as a token pasted in the
 * wrong place.
 */
function knownPath({ url, method, routeOptions }: FastifyRequest, status: number) {
  const isFound = status < 300 || status === 304
  const isKnown = isFound && method !== 'OPTIONS' && routeOptions.url !== undefined
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

import type { FastifyRequest } from 'fastify'
import { bareAddress } from '../base/values/client-network.ts'

/**
 * The IP address that a request comes from. A trusted proxy may forward any text as the address: the
 * port of the client is left out, and where the rest is no address, the proxy's own counts.
 *
 * @returns `unknown` of a connection that was reset before anybody asked whose it is
 */
export function clientAddress(request: FastifyRequest): string {
  return bareAddress(request.ip) ?? bareAddress(request.socket.remoteAddress) ?? 'unknown'
}

import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'
import { nothingAt } from './error-handler.ts'
import { decodedText } from './percent-encoding.ts'
import { limitByAddress } from './rate-limits/rate-limit.ts'
import type { RouteTable } from './route-table.ts'

/** No route knows a quarter of it. A check of thousands would take milliseconds. */
const PARAMETERS_MAX = 100

/**
 * Refuses requests that have no meaning, or more than one, for servers behind a proxy that reads the
 * other one: without a host; with a header that names
 * the host or the caller twice, because a proxy in front may use the other value (RFC 9112, 3.2);
 * with a body in a transfer coding besides chunks, which Node would hand on as it came; about the
 * whole server, but for `OPTIONS *`; with a query whose bytes are not UTF-8, or that has more
 * parameters than anything takes.
 *
 * Where no route exists, no body is read: a broken body must not hide the 404 or 405. Such requests
 * spend the budget of the caller's address.
 */
export function refuseUnanswerable(app: App, routes: RouteTable): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply, detail?: string) => {
    await limitByAddress(request, reply)
    throw detail === undefined
      ? nothingAt(request, reply, routes)
      : new AppError('invalid_request', { detail })
  }
  // Node alone would answer 417, without a problem; a server may as well ignore what it does not
  // know (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange))
  app.addHook('onRequest', function refuseUnanswerableRequest(request, reply, done) {
    const detail = headerProblem(request.raw) ?? targetProblem(request)
    if (detail === undefined && !request.is404) done()
    else refuse(request, reply, detail).catch(done)
  })
}

function headerProblem({
  rawHeaders,
  httpVersion,
  headers: { 'transfer-encoding': coding },
}: IncomingMessage): string | undefined {
  let hosts = 0
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    // Compares lengths first: for most headers that decides.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++
  }
  if (hosts === 0 && httpVersion === '1.1') return 'The header Host is missing.'
  if (hosts > 1) return 'The header Host is there more than once.'
  if (authorizations > 1) return 'The header Authorization is there more than once.'
  return coding === undefined || coding.toLowerCase() === 'chunked'
    ? undefined
    : 'The only Transfer-Encoding that this server takes is chunked.'
}

/** The router reports a path that cannot be decoded. */
function targetProblem({ method, url, originalUrl }: FastifyRequest): string | undefined {
  if (url === '*' && method !== 'OPTIONS') return 'Only OPTIONS asks about *, the whole server.'
  if (hasTooManyParameters(originalUrl)) {
    return `The query has more than ${PARAMETERS_MAX} parameters.`
  }
  if (!url.includes('%')) return undefined
  const query = url.slice(url.indexOf('?') + 1)
  return decodedText(query) === undefined ? 'The query is not UTF-8.' : undefined
}

/** Whether an address has a query with more parameters than anything takes. */
function hasTooManyParameters(url: string): boolean {
  // Most addresses are too short for so many.
  if (url.length <= PARAMETERS_MAX) return false
  const start = url.indexOf('?')
  return start !== -1 && url.slice(start).split('&', PARAMETERS_MAX + 1).length > PARAMETERS_MAX
}

/** The address, or its path alone where Fastify would parse too many parameters. */
export function withoutTooManyParameters(url: string): string {
  return hasTooManyParameters(url) ? url.slice(0, url.indexOf('?')) : url
}

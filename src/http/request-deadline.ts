import type { FastifyRequest, preParsingHookHandler } from 'fastify'
import { type Deadline, withDeadline } from '../concurrency/deadline.ts'
import { siteOf } from '../values/client-network.ts'
import type { App } from './app-type.ts'
import { isBodyless } from './bodies/body-coding.ts'
import { clientAddress } from './client-address.ts'
import type { RequestEnd } from './observability/request-end.ts'
import { stateOf } from './observability/request-state.ts'
import { consumerOf } from './rate-limits/rate-limit.ts'

/** No answer takes longer than 10 s: at this time a request stops waiting for the database. */
const REQUEST_DEADLINE_MS = 9_000

/**
 * Gives each request a deadline for everything it waits for. The time that the client takes to send
 * its body does not count.
 */
export function limitWaits(app: App, onEnd: (listener: RequestEnd) => void): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const deadline = new RequestDeadline(request)
    stateOf(request).deadline = deadline
    withDeadline(deadline, done)
  })
  onEnd((request) => {
    const { deadline } = stateOf(request)
    if (deadline instanceof RequestDeadline) deadline.letGo()
  })
  app.addHook('onRoute', (route) => {
    if (!isBodyless(route)) route.preParsing = [awaitBody, ...[route.preParsing ?? []].flat()]
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const { deadline, bodyAwaitedAtMs } = stateOf(request)
    // Without a body the request still runs under the deadline of its first hook.
    if (deadline === null || bodyAwaitedAtMs === 0) {
      done()
      return
    }
    deadline.atMs += performance.now() - bodyAwaitedAtMs
    // Once a body was read, Node runs the rest in the context of the connection and not of the
    // request.
    withDeadline(deadline, done)
  })
}

const awaitBody: preParsingHookHandler = (request, _reply, payload, done) => {
  stateOf(request).bodyAwaitedAtMs = performance.now()
  done(null, payload)
}

/** A deadline that finds out whose the request is when somebody asks: the guard may know it by then. */
class RequestDeadline implements Deadline {
  atMs = performance.now() + REQUEST_DEADLINE_MS
  private of: FastifyRequest | string

  constructor(request: FastifyRequest) {
    this.of = request
  }

  /** The principal, as the limits of requests count it; before it is known, the client's network. */
  get caller(): string {
    return typeof this.of === 'string' ? this.of : callerOf(this.of)
  }

  /** Connections remember the deadline of their work: it must not keep a request that is over. */
  letGo(): void {
    this.of = this.caller
  }
}

function callerOf(request: FastifyRequest): string {
  const { principal } = stateOf(request)
  if (principal === null) return `address ${siteOf(clientAddress(request))}`
  const { kind, id } = consumerOf(principal)
  return `${kind} ${id}`
}

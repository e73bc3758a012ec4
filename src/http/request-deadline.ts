import type { FastifyRequest } from 'fastify'
import { type Deadline, deadlineIn, withDeadline } from '../concurrency/deadline.ts'
import type { App } from './app-type.ts'

/** No answer takes longer than 10 s: at this time a request stops waiting for the database. */
const REQUEST_DEADLINE_MS = 9_000

declare module 'fastify' {
  interface FastifyRequest {
    deadline: Deadline | null
    bodyAwaitedAtMs: number
  }
}

/**
 * Gives each request a deadline for everything it waits for. The time that the client takes to send
 * its body does not count.
 */
export function limitWaits(app: App): void {
  app.decorateRequest('deadline', null)
  app.decorateRequest('bodyAwaitedAtMs', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.deadline = deadlineIn(REQUEST_DEADLINE_MS)
    withDeadline(request.deadline, done)
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (!isBodyless(request)) request.bodyAwaitedAtMs = performance.now()
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const { deadline } = request
    // Without a body the request still runs under the deadline of its first hook.
    if (deadline === null || isBodyless(request)) {
      done()
      return
    }
    deadline.atMs += performance.now() - request.bodyAwaitedAtMs
    // Once a body was read, Node runs the rest in the context of the connection and not of the
    // request.
    withDeadline(deadline, done)
  })
}

/** Methods whose body Fastify does not read. */
function isBodyless({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { withDeadline } from '../base/fair-share/deadline.ts'
import { type Trace, withTrace } from '../base/traces/trace.ts'
import type { App } from './app-type.ts'
import type { StartDeadline } from './fair-share/request-deadline.ts'
import { stateOf } from './observability/request-state.ts'

/** What is done first for each request. */
type Beginning = {
  /** What needs no context of its own. */
  first?: (request: FastifyRequest, reply: FastifyReply) => void
  startDeadline: StartDeadline
  startTrace?: (request: FastifyRequest) => Trace | null
}

/**
 * Begins each request in one hook, and runs the rest of it under its deadline and trace. Once a body was
 * read, Node runs the rest in the context of the connection and not of the request: a second hook goes
 * back. The time that the client took to send the body does not count.
 */
export function beginRequests(app: App, { first, startDeadline, startTrace }: Beginning): void {
  app.addHook('onRequest', function beginRequest(request, reply, done) {
    first?.(request, reply)
    const state = stateOf(request)
    const trace = startTrace?.(request) ?? null
    const deadline = startDeadline(request)
    state.trace = trace
    state.deadline = deadline
    if (trace === null) withDeadline(deadline, done)
    else withTrace(trace, () => withDeadline(deadline, done))
  })
  app.addHook('preValidation', function resumeRequest(request, _reply, done) {
    const { deadline, trace, bodyAwaitedAtMs } = stateOf(request)
    // Without a body the request still runs in the context of its first hook.
    if (deadline === null || bodyAwaitedAtMs === 0) {
      done()
      return
    }
    deadline.atMs += performance.now() - bodyAwaitedAtMs
    if (trace === null) withDeadline(deadline, done)
    else withTrace(trace, () => withDeadline(deadline, done))
  })
}

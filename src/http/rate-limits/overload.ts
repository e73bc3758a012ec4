import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { App } from '../app-type.ts'

/** A turn of the event loop that takes longer is one of a server that has too much to do. */
const LONG_TURN_MS = 250
/** In one turn, requests are begun for so long. */
const TURN_MAX_MS = 2_000
const RETRY_AFTER_SECONDS = 2
/** What tells whether the process lives and can answer is answered all the same. */
const ALWAYS_ANSWERED = new Set(['/livez', '/readyz', '/metrics'])

/**
 * Keeps a server that gets more requests than it can answer from working in vain. Without this each
 * request is served in its turn, and so late that its client has gone.
 *
 * Requests of a long turn wait for the next one: then it is known whether the client is still there.
 * Those that cannot be begun within a turn of two seconds are refused.
 */
export function shedOverload(app: App): void {
  let beganAtMs: number | undefined
  let formerTurnMs = 0

  const turnMs = () => {
    const nowMs = performance.now()
    if (beganAtMs === undefined) {
      beganAtMs = nowMs
      setImmediate(() => {
        formerTurnMs = performance.now() - nowMs
        beganAtMs = undefined
      })
    }
    return nowMs - beganAtMs
  }
  const begin = (request: FastifyRequest, done: (error?: Error) => void) => {
    if (turnMs() > TURN_MAX_MS || hasGone(request)) done(overloaded())
    else done()
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const isLong = Math.max(turnMs(), formerTurnMs) > LONG_TURN_MS
    if (!isLong || ALWAYS_ANSWERED.has(request.routeOptions.url ?? '')) done()
    // Behind the next look at the sockets.
    else setImmediate(() => setImmediate(begin, request, done))
  })
}

/** The client has closed its connection. */
function hasGone({ raw: { socket } }: FastifyRequest): boolean {
  return socket.destroyed || socket.readableEnded
}

function overloaded(): AppError {
  return new AppError('unavailable', {
    detail: 'The server is overloaded.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

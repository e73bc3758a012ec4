import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PROBE_ROUTES } from '../../base/measures/figures.ts'
import { countOne } from '../../base/measures/measures.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app-type.ts'
import { HUNG_UP_STATUS } from '../observability/request-end.ts'
import { PROBLEM_MEDIA_TYPE, problemOf } from '../problem.ts'
import { limitHeaders } from '../rate-limits/rate-limit.ts'

/** A tick of the event loop that takes longer is one of a server that has too much to do. */
const LONG_TICK_MS = 250
/** In one tick, requests are begun for so long. */
const TICK_MAX_MS = 2_000
/** So many requests are refused in one tick: some milliseconds. */
const REFUSALS_PER_TICK = 250

const OVERLOADED = new AppError('unavailable', {
  detail: 'The server is overloaded.',
  retryAfterSeconds: 2,
})

type Refused = { request: FastifyRequest; reply: FastifyReply }

/**
 * Keeps a server that gets more requests than it can answer from working in vain. Without this each
 * request is served in its turn, and so late that its client has gone.
 *
 * Requests of a long tick wait for the next one: then it is known whether the client is still there.
 * Those that cannot be begun within a tick of two seconds are refused, some in each tick, so that
 * health checks are answered in between. Meanwhile no other request is begun.
 *
 * Ours because `@fastify/under-pressure` knows the delay of a former second, and not who has hung up.
 */
export function shedOverload(app: App): void {
  let beganAtMs: number | undefined
  let formerTickMs = 0
  /** The first one has waited longest. */
  const refused: Refused[] = []

  const tickMs = () => {
    const nowMs = performance.now()
    if (beganAtMs === undefined) {
      beganAtMs = nowMs
      setImmediate(() => {
        formerTickMs = performance.now() - nowMs
        beganAtMs = undefined
      })
    }
    return nowMs - beganAtMs
  }
  const refuseSome = () => {
    for (const { request, reply } of refused.splice(0, REFUSALS_PER_TICK)) {
      if (hasGone(request)) dismiss(request, reply)
      else refuse(request, reply)
    }
    if (refused.length > 0) setImmediate(refuseSome)
  }
  const begin = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (hasGone(request)) dismiss(request, reply)
    else if (tickMs() > TICK_MAX_MS) {
      if (refused.push({ request, reply }) === 1) setImmediate(refuseSome)
    } else if (refused.length > 0) setImmediate(begin, request, reply, done)
    else done()
  }
  app.addHook('onRequest', function refuseWhenOverloaded(request, reply, done) {
    const isLong = Math.max(tickMs(), formerTickMs) > LONG_TICK_MS || refused.length > 0
    if (!isLong || PROBE_ROUTES.has(request.routeOptions.url ?? '')) done()
    // Behind the next look at the sockets.
    else setImmediate(() => setImmediate(begin, request, reply, done))
  })
}

/** The client has closed its connection. */
function hasGone({ raw: { socket } }: FastifyRequest): boolean {
  return socket.destroyed || socket.readableEnded
}

/** Ends a request without an answer, which nobody would read. */
function dismiss({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.socket.destroy()
  reply.code(HUNG_UP_STATUS).send()
}

/**
 * Answers as cheaply as can be: with a problem document to browsers, too, past everything that makes
 * pages, looks at answers or compresses them.
 */
function refuse({ id, server }: FastifyRequest, reply: FastifyReply): void {
  const { config, measures } = server.deps
  server.warnOfUnavailable(OVERLOADED, id)
  countOne(measures.problems, OVERLOADED.code)
  const body = JSON.stringify(problemOf(OVERLOADED, { publicUrl: config.publicUrl, requestId: id }))
  reply.hijack()
  reply.raw.writeHead(OVERLOADED.status, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...limitHeaders(OVERLOADED),
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    'content-type': PROBLEM_MEDIA_TYPE,
  })
  reply.raw.end(body)
}

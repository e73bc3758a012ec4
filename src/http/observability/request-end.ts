import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app-type.ts'
import { stateOf } from './request-state.ts'

/** The status of a request whose client hung up before there was an answer, as in nginx. */
export const HUNG_UP_STATUS = 499
/** Methods that change nothing. */
export const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** @param isAborted whether the connection ended before the whole answer was sent */
export type RequestEnd = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  isAborted: boolean,
) => void

declare module 'fastify' {
  interface FastifyInstance {
    /** Tells the end of a request that no hook sees, because its address cannot be routed. */
    watchUnroutable(request: FastifyRequest, reply: FastifyReply): void
  }
}

const LAST_REPLY = Symbol('last reply')
/** None of what is over is kept: an idle connection would hold the body of its last request. */
type SocketWithReply = Socket & { [LAST_REPLY]?: FastifyReply | null }

/** The reply to the last request of a connection, while the request is not over. */
export function lastReplyOn(socket: SocketWithReply): FastifyReply | undefined {
  return socket[LAST_REPLY] ?? undefined
}

/**
 * Tells the end of each request once. It comes when the answer was sent. Where the client hangs up
 * before, Fastify tells no end: that of a change comes when the change is done or refused, that of
 * any other request at once.
 *
 * A connection has one listener for all its requests: the hot page is answered at once, and a
 * listener of its own would cost it more than it is worth.
 *
 * @returns a function that adds a listener, and one to be called at the beginning of each request
 */
export function watchRequestEnds(app: App): {
  onEnd: (listener: RequestEnd) => void
  watch: (request: FastifyRequest, reply: FastifyReply) => void
} {
  const listeners: RequestEnd[] = []
  app.decorate('watchUnroutable', (request: FastifyRequest, reply: FastifyReply) => {
    reply.raw.once('close', () => {
      end(request, reply, reply.raw.statusCode, !reply.raw.writableFinished)
    })
  })
  const watch = (request: FastifyRequest, reply: FastifyReply) => {
    const socket: SocketWithReply = request.raw.socket
    if (socket[LAST_REPLY] === undefined) {
      // Node remembers the address from now on; of a connection that was reset there is none to ask.
      void socket.remoteAddress
      socket.once('close', () => hangUp(socket[LAST_REPLY] ?? null))
    }
    socket[LAST_REPLY] = reply
  }
  app.addHook('onSend', function beginAnswer(request, reply, payload, done) {
    const state = stateOf(request)
    state.isAnswering = true
    // There is an answer to a request that may change something.
    if (!READS.has(request.method)) {
      state.isAnswered = true
      if (request.raw.socket.destroyed) end(request, reply, reply.statusCode, true)
    }
    done(null, payload)
  })
  app.addHook('onResponse', function endAnswered(request, reply, done) {
    end(request, reply, reply.statusCode, false)
    done()
  })
  return { onEnd: (listener) => listeners.push(listener), watch }

  function end(request: FastifyRequest, reply: FastifyReply, status: number, isAborted: boolean) {
    const state = stateOf(request)
    if (state.isOver) return
    state.isOver = true
    const socket: SocketWithReply = request.raw.socket
    if (socket[LAST_REPLY] === reply) socket[LAST_REPLY] = null
    for (const listener of listeners) listener(request, reply, status, isAborted)
  }

  /** @param last reply on a connection that has ended */
  function hangUp(last: FastifyReply | null): void {
    if (last === null) return
    const { request, raw } = last
    if (stateOf(request).isAnswered || raw.headersSent || raw.writableEnded) {
      end(request, last, last.statusCode, true)
    } else if (request.is404 || READS.has(request.method)) {
      end(request, last, HUNG_UP_STATUS, true)
    }
  }
}

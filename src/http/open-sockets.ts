import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { lastReplyOn } from './observability/request-end.ts'
import { stateOf } from './observability/request-state.ts'

const RETRY_AFTER_SECONDS = 1
/** A client that takes nothing of an answer for this long is taken to be gone. */
const STALLED_MS = 25_000

/** The connections of a server, to be ended when it shuts down. */
export type Connections = {
  /** From now on each answer, also one in the making, is the last one on its connection. */
  letGo(): void
  /** Closes the connections that have no request in progress. */
  closeIdle(): void
  /** Answers 503 to every request in progress that has no answer yet. */
  refuseRest(): void
}

/**
 * Watches the connections of a server from its start, and closes those whose client has stopped
 * reading an answer: Node itself would keep them, with what they ask for, for as long as the client
 * likes. `closeIdleConnections` alone misses the connections that browsers open ahead, on which
 * nothing was sent yet.
 *
 * One entry per connection, not per request: V8 copies a Map whose entries come and go, and an old
 * copy keeps its entries alive until the next full collection.
 */
export function watchConnections(server: Server): Connections {
  const lastResponses = new Map<Socket, ServerResponse | undefined>()
  let isLettingGo = false
  server.on('connection', (socket: Socket) => {
    // `ignoreUpgrades` begins a connection anew.
    if (lastResponses.has(socket)) return
    lastResponses.set(socket, undefined)
    socket.once('close', () => lastResponses.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (isLettingGo) response.shouldKeepAlive = false
    lastResponses.set(socket, response)
  })
  server.timeout = STALLED_MS
  server.on('timeout', (socket: Socket) => {
    const response = lastResponses.get(socket)
    const isIdle = response === undefined || response.writableFinished
    // Its time as an idle connection is up.
    if (isIdle) socket.destroy()
    // A reset also drops what the kernel holds. Without anything to be read, we are the slow ones.
    else if (socket.writableLength > 0) socket.resetAndDestroy()
  })
  return {
    letGo() {
      isLettingGo = true
      for (const response of lastResponses.values()) {
        if (response !== undefined) response.shouldKeepAlive = false
      }
    },
    closeIdle() {
      server.closeIdleConnections()
      for (const socket of lastResponses.keys()) if (socket.bytesRead === 0) socket.destroy()
    },
    refuseRest() {
      for (const socket of lastResponses.keys()) {
        const reply = lastReplyOn(socket)
        if (reply === undefined || reply.sent || stateOf(reply.request).isAnswering) continue
        reply.send(
          new AppError('unavailable', {
            detail: 'The server is shutting down.',
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          }),
        )
      }
    },
  }
}

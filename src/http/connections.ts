import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Looks after the connections of a server that is to end. */
export type Connections = {
  /** From now on every answer, also those in the making, is the last one of its connection. */
  letGo(): void
  /** Closes the connections on which no request is under way. */
  closeIdle(): void
}

/**
 * Watches the connections of a server from its start. `closeIdleConnections` alone misses those on
 * which nothing was sent yet, which browsers open ahead.
 *
 * An entry is added per connection and not per request: a Map whose entries come and go is copied
 * again and again, and its former copies keep what was in them until the next full collection.
 */
export function watchConnections(server: Server): Connections {
  const lastResponses = new Map<Socket, ServerResponse | undefined>()
  let isLettingGo = false
  server.on('connection', (socket: Socket) => {
    lastResponses.set(socket, undefined)
    socket.once('close', () => lastResponses.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (isLettingGo) response.shouldKeepAlive = false
    lastResponses.set(socket, response)
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
  }
}

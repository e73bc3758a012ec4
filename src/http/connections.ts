import type { Server, ServerResponse } from 'node:http'
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
 */
export function watchConnections(server: Server): Connections {
  const sockets = new Set<Socket>()
  const responses = new Set<ServerResponse>()
  let isLettingGo = false
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (isLettingGo) response.shouldKeepAlive = false
    responses.add(response)
    response.once('close', () => responses.delete(response))
  })
  return {
    letGo() {
      isLettingGo = true
      for (const response of responses) response.shouldKeepAlive = false
    },
    closeIdle() {
      server.closeIdleConnections()
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestEnd } from '../observability/request-end.ts'

/** So many requests of a connection may wait for the answer to the one before them. */
export const WAITING_MAX = 100
/** So much may have arrived since the oldest of them, their bodies included. */
export const WAITING_MAX_BYTES = 65_536

type Exchange = [IncomingMessage, ServerResponse]
/** A request, and how much had arrived on its connection by then. */
type Waiting = { exchange: Exchange; arrivedAtByte: number }

const CURRENT = Symbol('the answer in the making')
const WAITING = Symbol('the requests that wait for it')
/** Properties, because each request reads and writes one: a map of all connections takes longer. */
type Carrier = Socket & { [CURRENT]?: ServerResponse | null; [WAITING]?: Waiting[] | null }

/** Whether a connection has no request whose answer is still in the making. */
export function isBetweenRequests({ [CURRENT]: current }: Carrier): boolean {
  return current == null || current.closed
}

/**
 * Begins the next request of a connection when the one before has its answer, in another tick of the
 * event loop. Node alone begins all that a client has sent ahead (RFC 9112, 9.3.2): 64 KiB hold
 * 1,700 requests, which would hold the event loop for a quarter of a second, and whose answers would
 * fill the memory when the client takes none of them.
 *
 * A client that sends too many or too much ahead is cut off. Browsers and the usual libraries send none.
 */
export function takeRequestsInOrder(server: Server, onEnd: (listener: RequestEnd) => void): void {
  const [begin] = server.listeners('request') as [(...exchange: Exchange) => void]
  server.removeAllListeners('request').on('request', (request, response) => {
    const socket: Carrier = request.socket
    const current = socket[CURRENT]
    if (current == null || current.writableFinished || current.closed) {
      socket[CURRENT] = response
      begin(request, response)
    } else if (!socket.destroyed) wait(socket, current, [request, response])
  })
  // An idle connection keeps nothing of its last request.
  onEnd(({ raw: { socket } }: { raw: { socket: Carrier } }, { raw }) => {
    if (socket[CURRENT] === raw && !socket[WAITING]?.length) socket[CURRENT] = null
  })

  function wait(socket: Carrier, current: ServerResponse, exchange: Exchange): void {
    socket[WAITING] ??= []
    const waiting = socket[WAITING]
    const { bytesRead: arrivedAtByte } = socket
    const [{ arrivedAtByte: oldestAtByte } = { arrivedAtByte }] = waiting
    const isTooMuch = arrivedAtByte - oldestAtByte > WAITING_MAX_BYTES
    if (isTooMuch || waiting.length === WAITING_MAX) {
      // The rest of what has arrived comes here, too, and is passed over.
      socket.resetAndDestroy()
    } else if (waiting.push({ exchange, arrivedAtByte }) === 1) {
      current.once('close', () => beginNext(socket))
    }
  }

  function beginNext(socket: Carrier): void {
    const { [WAITING]: waiting, destroyed } = socket
    const next = destroyed ? undefined : waiting?.shift()
    if (next === undefined || waiting == null) {
      socket[WAITING] = null
      return
    }
    const { exchange } = next
    const [, response] = exchange
    socket[CURRENT] = response
    if (waiting.length > 0) response.once('close', () => beginNext(socket))
    setImmediate(begin, ...exchange)
  }
}

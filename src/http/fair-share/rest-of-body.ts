import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from '../bodies/body-coding.ts'

/** Time for a client to notice an answer that came before the end of its body. */
const NOTICE_MS = 10_000

/** Connections whose request has a time limit of its own instead of the server's `requestTimeout`. */
export const exemptFromRequestTimeout = new WeakSet<Socket>()

/** The answer to the last request with a body, by its connection. */
const answers = new WeakMap<Socket, ServerResponse>()

/**
 * Bounds how long a client may go on with a body after the answer: ten seconds, then the connection
 * is closed. Node alone would read it until `requestTimeout` is over.
 *
 * @param noticeMs the time; only tests set it
 */
export function limitRest(
  request: IncomingMessage,
  response: ServerResponse,
  noticeMs = NOTICE_MS,
): void {
  if (!hasBody(request)) return
  const { socket } = request
  answers.set(socket, response)
  // Before Node's own listener, which would take the rest without counting its chunks
  // (`limitSmallChunks`), had nothing been read of the body.
  response.prependOnceListener('finish', () => {
    // `app.inject` makes requests without a connection, which say nothing of it.
    if (request.complete === false) discardRest(request, noticeMs)
    // An answer holds on to its request. The next one may have taken its place.
    else if (answers.get(socket) === response) answers.delete(socket)
  })
}

/** Whether a body is still arriving on a connection, though its request has an answer. */
export function isAnswered(socket: Socket): boolean {
  const answer = answers.get(socket)
  return answer?.headersSent === true && !answer.req.complete
}

/** Throws the rest of a body away, and hangs up on a client that takes too long to send it. */
export function discardRest(request: IncomingMessage, noticeMs = NOTICE_MS): void {
  const { socket } = request
  exemptFromRequestTimeout.add(socket)
  const deadline = setTimeout(() => socket.destroy(), noticeMs).unref()
  request
    .on('error', () => {})
    .once('close', () => {
      clearTimeout(deadline)
      exemptFromRequestTimeout.delete(socket)
    })
    .resume()
}

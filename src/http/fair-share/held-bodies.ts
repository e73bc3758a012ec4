import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../../errors.ts'
import { createRoom, type HeldBytes, SHORT_BYTES, tooManyBytes } from './held-bytes.ts'

/** To announce a body costs nothing. */
const ROOM = { known: 160, strangers: 96 }

/**
 * Bounds what callers can make the server hold: a body is in memory from its first byte on, and a
 * client may take half a minute to send it. What is announced counts at once, what comes in pieces
 * when it is there. Who calls is the principal, as far as it is known before the body, and the
 * client's network otherwise.
 *
 * @returns why a body is refused, before it is read; one that comes in pieces fails later
 */
export function createBodyRoom() {
  const heldOf = createRoom(ROOM)
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    body: IncomingMessage,
  ): AppError | undefined => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    const announced = Number(length)
    // One over the limit is not read.
    const isRead = announced <= request.routeOptions.bodyLimit
    if (coding === undefined && (announced <= SHORT_BYTES || !isRead)) return undefined
    const held = heldOf(request)
    finished(reply.raw, () => held.release())
    if (coding !== undefined) holdPieces(body, held)
    else if (!held.hold(announced)) return tooManyBodies()
    return undefined
  }
}

/** Ends a body that comes in pieces, once there is no room for more of them. */
function holdPieces(body: IncomingMessage, held: HeldBytes): void {
  let bytes = 0
  // To listen must not begin to read: whoever parses the body does that.
  body.pause()
  body.on('error', () => {})
  body.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (held.hold(bytes)) return
    // What comes of it from now on is thrown away.
    held.release()
    body.emit('error', tooManyBodies())
  })
}

function tooManyBodies(): AppError {
  return tooManyBytes('long bodies may be under way from one caller', 'been answered')
}

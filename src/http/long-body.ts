import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** A client that sends nothing of a long body for so long has gone. */
const IDLE_MS = 60_000
/** A client sends at least so much while it is waited for so long; a slow modem sends three times as much. */
const PACE_BYTES = 65_536
/** Time for a client to notice an answer that came before the end of its body. */
const NOTICE_MS = 10_000

/** Connections whose request may take longer than the server's `requestTimeout`. */
const unhurried = new WeakSet<Socket>()

/** Whether a request that takes long is to be left alone: what it sends is read as it comes. */
export function isUnhurried(socket: Socket): boolean {
  return unhurried.has(socket)
}

/**
 * Makes the check that a body does not trickle in to keep a connection and a transaction busy. What
 * the server itself takes to use a piece is not the client's.
 *
 * @returns a function that takes each piece's bytes and the milliseconds it was waited for, and
 *   tells whether the client is too slow
 */
export function createPaceCheck(): (bytes: number, waitedMs: number) => boolean {
  let bytes = 0
  let waitedMs = 0
  return (pieceBytes, pieceMs) => {
    bytes += pieceBytes
    waitedMs += pieceMs
    if (waitedMs < IDLE_MS) return false
    const isSlow = bytes < PACE_BYTES
    bytes = 0
    waitedMs = 0
    return isSlow
  }
}

/**
 * Reads a body of any length piece by piece, as fast as the pieces are used. Such a request may
 * take as long as it keeps sending; the limits of all others stay. A reader that stops early can
 * answer: the rest of the body is thrown away.
 *
 * @throws AppError invalid_request when the client hangs up, request_timeout when it trickles
 */
export async function* readLongBody({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  const { socket } = raw
  const hangUp = () => socket.destroy()
  unhurried.add(socket)
  socket.setTimeout(IDLE_MS).on('timeout', hangUp)
  const isTooSlow = createPaceCheck()
  let askedAtMs = performance.now()
  try {
    for await (const piece of raw.iterator({ destroyOnReturn: false })) {
      if (isTooSlow(piece.length, performance.now() - askedAtMs)) {
        throw new AppError('request_timeout', {
          detail: `A body has to come with at least ${PACE_BYTES} bytes a minute.`,
        })
      }
      yield piece
      askedAtMs = performance.now()
    }
    if (!raw.complete) throw new Error('aborted')
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('invalid_request', { detail: 'The body ended too early.', cause: error })
  } finally {
    unhurried.delete(socket)
    socket.setTimeout(0).off('timeout', hangUp)
    if (!raw.complete && !socket.destroyed) {
      const deadline = setTimeout(hangUp, NOTICE_MS).unref()
      raw.on('error', () => {}).once('close', () => clearTimeout(deadline))
      raw.resume()
    }
  }
}

import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** A client that sends nothing of a long body for so long has gone. */
const IDLE_MS = 60_000
/** Time for a client to notice an answer that came before the end of its body. */
const NOTICE_MS = 10_000

/** Connections whose request may take longer than the server's `requestTimeout`. */
const unhurried = new WeakSet<Socket>()

/** Whether a request that takes long is to be left alone: what it sends is read as it comes. */
export function isUnhurried(socket: Socket): boolean {
  return unhurried.has(socket)
}

/**
 * Reads a body of any length piece by piece, as fast as the pieces are used. Such a request may
 * take as long as it keeps sending; the limits of all others stay. A reader that stops early can
 * answer: the rest of the body is thrown away.
 *
 * @throws AppError invalid_request when the client hangs up
 */
export async function* readLongBody({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  const { socket } = raw
  const hangUp = () => socket.destroy()
  unhurried.add(socket)
  socket.setTimeout(IDLE_MS).on('timeout', hangUp)
  try {
    yield* raw.iterator({ destroyOnReturn: false })
    if (!raw.complete) throw new Error('aborted')
  } catch (error) {
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

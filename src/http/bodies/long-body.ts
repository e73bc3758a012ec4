import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { discardRest, exemptFromRequestTimeout } from '../fair-share/rest-of-body.ts'

/** A client that has sent nothing for this long is taken to be gone. */
const IDLE_MS = 60_000
/** The least that a client must send in a minute: 17 KiB a second. */
const PACE_BYTES = 1_048_576
/** The longest time that a whole body may take. */
const LONGEST_MS = 3_600_000
const MINUTE_MS = 60_000

/**
 * Makes the check that a client does not send its body too slowly. Time that the server itself
 * needs for a piece counts only towards the longest time of the whole body.
 *
 * @returns a function that takes the bytes of each piece, the milliseconds that the server waited
 *   for it and the milliseconds since the body began, and says what is wrong with the client's pace
 */
export function createPaceCheck() {
  let bytes = 0
  let waitedMs = 0
  return (pieceBytes: number, pieceMs: number, sinceStartMs: number): string | undefined => {
    if (sinceStartMs > LONGEST_MS) {
      return `A body has to be there within ${LONGEST_MS / MINUTE_MS} minutes.`
    }
    bytes += pieceBytes
    waitedMs += pieceMs
    if (waitedMs < IDLE_MS) return undefined
    const isSlow = bytes < PACE_BYTES
    bytes = 0
    waitedMs = 0
    return isSlow ? `A body has to come with at least ${PACE_BYTES} bytes a minute.` : undefined
  }
}

/**
 * Reads a body of any length piece by piece, as fast as the pieces are used. Such a request may
 * take an hour as long as it keeps sending; the limits of all others stay. A reader that stops
 * early can answer: the rest of the body is thrown away.
 *
 * @param idleMs after which a client that sends nothing is cut off
 * @throws AppError invalid_request when the client hangs up, request_timeout when it trickles or
 *   takes too long
 */
export async function* readLongBody(
  { raw }: FastifyRequest,
  idleMs = IDLE_MS,
): AsyncGenerator<Uint8Array> {
  const { socket } = raw
  const hangUp = () => socket.destroy()
  exemptFromRequestTimeout.add(socket)
  // Runs only while a piece is waited for: what the server takes to use one is not the client's.
  let patience = setTimeout(hangUp, idleMs)
  const problemOf = createPaceCheck()
  const beganAtMs = performance.now()
  let askedAtMs = beganAtMs
  try {
    for await (const piece of raw.iterator({ destroyOnReturn: false })) {
      clearTimeout(patience)
      const nowMs = performance.now()
      const detail = problemOf(piece.length, nowMs - askedAtMs, nowMs - beganAtMs)
      if (detail !== undefined) throw new AppError('request_timeout', { detail })
      yield piece
      askedAtMs = performance.now()
      patience = setTimeout(hangUp, idleMs)
    }
    if (!raw.complete) throw new Error('aborted')
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('invalid_request', { detail: 'The body ended too early.', cause: error })
  } finally {
    clearTimeout(patience)
    if (raw.complete || socket.destroyed) exemptFromRequestTimeout.delete(socket)
    else discardRest(raw)
  }
}

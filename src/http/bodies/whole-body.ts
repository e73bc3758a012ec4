import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyRequest } from 'fastify'

/** How many pieces of a body are kept apart; each costs hundreds of bytes more than it holds. */
const PIECES_MAX = 1_024

/**
 * Reads a body that is parsed as a whole. Fastify would do so itself (`parseAs`), but keeps all
 * pieces apart until the last one has come: 1 MiB that a client sends byte by byte would take
 * 200 MiB.
 */
export function readWholeBody(
  { headers, routeOptions }: FastifyRequest,
  body: IncomingMessage,
): Promise<Buffer> {
  const { bodyLimit: limit } = routeOptions
  const announced = Number(headers['content-length'] ?? Number.NaN)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const joined: Buffer[] = []
  let pieces: Buffer[] = []
  let bytes = 0
  const take = (piece: Buffer) => {
    bytes += piece.length
    if (bytes > limit) return stop(() => reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()))
    if (pieces.push(piece) < PIECES_MAX) return
    joined.push(Buffer.concat(pieces))
    pieces = []
    // Node reads up to 2 MiB in one tick of the event loop. Others come before the next pieces.
    body.pause()
    setImmediate(() => body.resume())
  }
  const fail = (error: Error) => stop(() => reject(Object.assign(error, { statusCode: 400 })))
  const end = () =>
    stop(() => {
      if (bytes === announced || Number.isNaN(announced)) {
        resolve(Buffer.concat([...joined, ...pieces], bytes))
      } else reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    })
  const stop = (settle: () => void) => {
    body.off('data', take).off('end', end).off('error', fail)
    settle()
  }
  if (announced > limit) reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  else body.on('data', take).on('end', end).on('error', fail).resume()
  return promise
}

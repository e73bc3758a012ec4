import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { createHoldings } from '../../concurrency/holdings.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app-type.ts'
import { isStranger, stateOf } from '../observability/request-state.ts'
import { isBodyless } from './body-coding.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body piece by piece, and holds little of it. */
    readsPieces?: boolean
  }
}

/** Many of these may be held: no more than what the server holds for each connection anyway. */
const SHORT_BYTES = 65_536
/** The bytes of longer bodies that the server holds for one caller: three of the longest ones. */
const HELD_MAX_BYTES = 16 * 1_048_576
/** And for all who are known: a client may be many callers. */
const ALL_HELD_MAX_BYTES = 160 * 1_048_576
/** And for all others, who take no room from those: to announce a body costs a client nothing. */
const STRANGERS_HELD_MAX_BYTES = 96 * 1_048_576
const RETRY_AFTER_SECONDS = 1

/**
 * Bounds what callers can make the server hold: a body is in memory from its first byte on, and a
 * client may take half a minute to send it. What is announced counts at once, what comes in pieces
 * when it is there. Who calls is the principal, as far as it is known before the body, and the
 * client's network otherwise.
 */
export function limitHeldBodies(app: App): void {
  /** What is there, or was announced. */
  const holdingsOf = (allMaxBytes: number) =>
    createHoldings<string | symbol>({ eachMaxBytes: HELD_MAX_BYTES, allMaxBytes })
  const known = holdingsOf(ALL_HELD_MAX_BYTES)
  const strangers = holdingsOf(STRANGERS_HELD_MAX_BYTES)

  /** Makes the function that holds so many bytes of a request in all, if there is room for them. */
  const holderOf = (request: FastifyRequest, reply: FastifyReply) => {
    const caller = stateOf(request).deadline?.caller ?? ''
    const holdings = isStranger(request) ? strangers : known
    let own = 0
    let isOver = false
    const become = (bytes: number) => {
      if (!holdings.resize(caller, own, bytes)) return false
      own = bytes
      return true
    }
    const end = () => {
      isOver = true
      become(0)
    }
    finished(reply.raw, end)
    return (bytes: number) => {
      // The rest of a body that comes after the answer is thrown away, and so is one without room.
      if (isOver || bytes <= SHORT_BYTES || become(bytes)) return true
      end()
      return false
    }
  }
  const holdLong: preParsingHookHandler = (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    const announced = Number(length ?? 0)
    if (coding !== undefined) holdPieces(payload as IncomingMessage, holderOf(request, reply))
    // One over the limit is not read.
    else if (announced > SHORT_BYTES && announced <= request.routeOptions.bodyLimit) {
      if (!holderOf(request, reply)(announced)) return done(tooManyBytes())
    }
    done(null, payload)
  }
  // Set on each route that has a body, because a hook for all routes would run too often.
  app.addHook('onRoute', (route) => {
    if (isBodyless(route) || route.config?.readsPieces) return
    route.preParsing = [holdLong, ...[route.preParsing ?? []].flat()]
  })
}

/** Ends a body that comes in pieces, once there is no room for more of them. */
function holdPieces(body: IncomingMessage, hold: (bytes: number) => boolean): void {
  let bytes = 0
  // To listen must not begin to read: whoever parses the body does that.
  body.pause()
  body.on('error', () => {})
  body.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (!hold(bytes)) body.emit('error', tooManyBytes())
  })
}

function tooManyBytes(): AppError {
  return new AppError('too_many_requests', {
    detail:
      `At most ${HELD_MAX_BYTES / 1_048_576} MiB of long bodies may be under way from one caller ` +
      'at once, and less while others have much. Wait until some have been answered.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { Holdings } from '../../base/concurrency/holdings.ts'
import type { AppError } from '../../errors.ts'
import type { App } from '../app-type.ts'
import { stateOf } from '../observability/request-state.ts'
import { createLongHoldings, SHORT_BYTES, tooManyBytes } from '../rate-limits/long-holdings.ts'
import { isBodyless } from './body-coding.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body piece by piece, and holds little of it. */
    readsPieces?: boolean
  }
}

/** How much known callers announce, or have sent, at most. */
const KNOWN_MAX_BYTES = 160 * 1_048_576
/** How much strangers announce, or have sent, at most: to announce a body costs nothing. */
const STRANGERS_MAX_BYTES = 96 * 1_048_576

/**
 * Bounds what callers can make the server hold: a body is in memory from its first byte on, and a
 * client may take half a minute to send it. What is announced counts at once, what comes in pieces
 * when it is there. Who calls is the principal, as far as it is known before the body, and the
 * client's network otherwise.
 */
export function limitHeldBodies(app: App): void {
  const holdingsFor = createLongHoldings({
    knownMaxBytes: KNOWN_MAX_BYTES,
    strangersMaxBytes: STRANGERS_MAX_BYTES,
  })
  const heldBodyOf = (request: FastifyRequest, reply: FastifyReply) => {
    const body = new HeldBody(holdingsFor(request), stateOf(request).deadline?.caller ?? '')
    finished(reply.raw, () => body.release())
    return body
  }
  const holdLong: preParsingHookHandler = (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers
    const announced = Number(length ?? 0)
    if (coding !== undefined) holdPieces(payload as IncomingMessage, heldBodyOf(request, reply))
    // One over the limit is not read.
    else if (announced > SHORT_BYTES && announced <= request.routeOptions.bodyLimit) {
      if (!heldBodyOf(request, reply).hold(announced)) return done(tooManyBodies())
    }
    done(null, payload)
  }
  // Set on each route that has a body, because a hook for all routes would run too often.
  app.addHook('onRoute', function holdBodiesOfRoute(route) {
    if (isBodyless(route) || route.config?.readsPieces) return
    route.preParsing = [holdLong, ...[route.preParsing ?? []].flat()]
  })
}

/** What the body of one request holds of its caller's room. */
class HeldBody {
  private readonly holdings: Holdings<string | symbol>
  private readonly caller: string | symbol
  private bytes = 0
  private isReleased = false

  constructor(holdings: Holdings<string | symbol>, caller: string | symbol) {
    this.holdings = holdings
    this.caller = caller
  }

  /** Holds so many bytes in all, if there is room for them. A body without room is thrown away. */
  hold(bytes: number): boolean {
    // The rest of a body that comes after the answer is thrown away, too.
    if (this.isReleased || bytes <= SHORT_BYTES || this.resize(bytes)) return true
    this.release()
    return false
  }

  release(): void {
    this.isReleased = true
    this.resize(0)
  }

  private resize(bytes: number): boolean {
    if (!this.holdings.resize(this.caller, this.bytes, bytes)) return false
    this.bytes = bytes
    return true
  }
}

/** Ends a body that comes in pieces, once there is no room for more of them. */
function holdPieces(body: IncomingMessage, held: HeldBody): void {
  let bytes = 0
  // To listen must not begin to read: whoever parses the body does that.
  body.pause()
  body.on('error', () => {})
  body.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (!held.hold(bytes)) body.emit('error', tooManyBodies())
  })
}

function tooManyBodies(): AppError {
  return tooManyBytes('long bodies may be under way from one caller', 'been answered')
}

import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { AppError } from '../../errors.ts'
import type { App } from '../app-type.ts'
import { stateOf } from '../observability/request-state.ts'
import { isBodyless } from './body-coding.ts'
import { BODY_LIMIT_BYTES } from './json-body.ts'

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
const RETRY_AFTER_SECONDS = 1

/**
 * Bounds what one caller can make the server hold: a body is in memory from its first byte on, and a
 * client may take half a minute to send it. Who calls is the principal, as far as it is known before
 * the body, and the client's network otherwise.
 */
export function limitHeldBodies(app: App): void {
  /** Caller -> bytes that are held, or may come. */
  const held = new Map<string | symbol, number>()

  const hold = (request: FastifyRequest, reply: FastifyReply, bytes: number): boolean => {
    const caller = stateOf(request).deadline?.caller ?? ''
    const before = held.get(caller) ?? 0
    if (before + bytes > HELD_MAX_BYTES) return false
    held.set(caller, before + bytes)
    finished(reply.raw, () => {
      const left = (held.get(caller) ?? 0) - bytes
      if (left > 0) held.set(caller, left)
      else held.delete(caller)
    })
    return true
  }
  // Set on each route that has a body, because a hook for all routes would run too often.
  app.addHook('onRoute', (route) => {
    if (isBodyless(route) || route.config?.readsPieces) return
    const limit = route.bodyLimit ?? BODY_LIMIT_BYTES
    const holdLong: preParsingHookHandler = (request, reply, payload, done) => {
      const bytes = bytesOf(request, limit)
      if (bytes <= SHORT_BYTES || hold(request, reply, bytes)) done(null, payload)
      else done(tooManyBytes())
    }
    route.preParsing = [holdLong, ...[route.preParsing ?? []].flat()]
  })
}

/** How long a body is; where it comes in pieces, how long it may become. One over the limit is not read. */
function bytesOf({ headers }: FastifyRequest, limit: number): number {
  if (headers['transfer-encoding'] !== undefined) return limit
  const length = Number(headers['content-length'] ?? 0)
  return length <= limit ? length : 0
}

function tooManyBytes(): AppError {
  return new AppError('too_many_requests', {
    detail: `At most ${HELD_MAX_BYTES / 1_048_576} MiB of long bodies may be under way from one caller at once. Wait until some have been answered.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

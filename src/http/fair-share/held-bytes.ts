import type { FastifyRequest } from 'fastify'
import { type Bound, createBound } from '../../base/fair-share/bound.ts'
import { siteOf } from '../../base/values/client-network.ts'
import { AppError } from '../../errors.ts'
import { clientAddress } from '../client-address.ts'
import { isStranger, stateOf } from '../observability/request-state.ts'
import { consumerOf } from '../rate-limits/rate-limit.ts'

const MIB = 1_048_576
/** What has no more bytes is not counted: many such things may be held. */
export const SHORT_BYTES = 65_536
/** What the server holds for one caller. */
const EACH_MAX_BYTES = 16 * MIB
const RETRY_AFTER_SECONDS = 1

/** Whose request it is: the principal, as the limits of requests count it; before one is known, the client's network. */
export function callerOf(request: FastifyRequest): string {
  const { principal } = stateOf(request)
  if (principal === null) return `address ${siteOf(clientAddress(request))}`
  const { kind, id } = consumerOf(principal)
  return `${kind} ${id}`
}

/** What one request holds of its caller's room. */
export type HeldBytes = {
  readonly bytes: number
  /**
   * Holds so many bytes in all, or more.
   *
   * @returns false when there is no room for them: nothing has changed then
   */
  hold(bytes: number): boolean
  release(): void
}

/**
 * Makes room for long things in memory, in MiB: for callers with a token, and for strangers, who take
 * no room from those. A client may be many callers, so that all callers of a kind have a limit, too.
 */
export function createRoom({ known, strangers }: { known: number; strangers: number }) {
  const each = EACH_MAX_BYTES
  const ofKnown = createBound<string>({ each, all: known * MIB })
  const ofStrangers = createBound<string>({ each, all: strangers * MIB })
  return (request: FastifyRequest): HeldBytes =>
    new Held(isStranger(request) ? ofStrangers : ofKnown, callerOf(request))
}

class Held implements HeldBytes {
  bytes = 0
  private isReleased = false
  private readonly bound: Bound<string>
  private readonly caller: string

  constructor(bound: Bound<string>, caller: string) {
    this.bound = bound
    this.caller = caller
  }

  hold(bytes: number): boolean {
    // The rest of a body that comes after the answer is thrown away.
    if (this.isReleased || bytes <= Math.max(SHORT_BYTES, this.bytes)) return true
    if (!this.bound.resize(this.caller, this.bytes, bytes)) return false
    this.bytes = bytes
    return true
  }

  release(): void {
    this.isReleased = true
    this.bound.resize(this.caller, this.bytes, 0)
    this.bytes = 0
  }
}

/**
 * The refusal of a caller for whom there is no more room.
 *
 * @param what the things that are held, such as `long answers may be under way to one caller`
 * @param done what has to happen to some of them, such as `arrived`
 */
export function tooManyBytes(what: string, done: string): AppError {
  return new AppError('too_many_requests', {
    detail:
      `At most ${EACH_MAX_BYTES / MIB} MiB of ${what} at once, and less while others have ` +
      `much. Wait until some have ${done}.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

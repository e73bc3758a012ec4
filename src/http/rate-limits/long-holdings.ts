import type { FastifyRequest } from 'fastify'
import { createHoldings, type Holdings } from '../../base/concurrency/holdings.ts'
import { AppError } from '../../errors.ts'
import { isStranger } from '../observability/request-state.ts'

/** What has no more bytes is not counted: many such things may be held. */
export const SHORT_BYTES = 65_536
/** What the server holds for one caller. */
const EACH_MAX_BYTES = 16 * 1_048_576
const RETRY_AFTER_SECONDS = 1

/**
 * Makes two holdings: one for callers with a token, and one for strangers, who take no room from
 * those. A client may be many callers, so that all callers of a kind have a limit, too.
 *
 * @returns a function that chooses the holdings for the caller of a request
 */
export function createLongHoldings({
  knownMaxBytes,
  strangersMaxBytes,
}: {
  knownMaxBytes: number
  strangersMaxBytes: number
}): (request: FastifyRequest) => Holdings<string | symbol> {
  const eachMaxBytes = EACH_MAX_BYTES
  const known = createHoldings<string | symbol>({ eachMaxBytes, allMaxBytes: knownMaxBytes })
  const strangers = createHoldings<string | symbol>({
    eachMaxBytes,
    allMaxBytes: strangersMaxBytes,
  })
  return (request) => (isStranger(request) ? strangers : known)
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
      `At most ${EACH_MAX_BYTES / 1_048_576} MiB of ${what} at once, and less while others have ` +
      `much. Wait until some have ${done}.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

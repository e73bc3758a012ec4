import { type LoggedError, loggedError } from '../base/log/logged-error.ts'
import type { App } from './app-type.ts'

/** How often one reason is logged at most. */
const WARNING_EVERY_MS = 1_000
/** Reasons that are counted one by one; further ones are counted together. */
const REASONS_MAX = 20

/** Records that a request was answered with 503, and why. */
export type UnavailableWarning = (failure: unknown, reqId: string) => void

type Reason = { count: number; reqId: string; reason: LoggedError }

/**
 * Makes the warning about requests answered with 503. The first request of a reason is logged at
 * once; later ones are counted and logged once a second, so that a flood neither fills the disk nor
 * hides a reason. The warning has no stack: a missing or busy dependency is not a bug.
 */
export function createUnavailableWarning({ log }: Pick<App, 'log'>): UnavailableWarning {
  const counted = new Map<string, Reason>()
  const write = (key: string, one: Reason) => {
    if (one.count === 0) {
      counted.delete(key)
      return
    }
    log.warn({ ...one, code: 'unavailable' }, 'requests not served')
    one.count = 0
    setTimeout(write, WARNING_EVERY_MS, key, one).unref()
  }
  return (failure, reqId) => {
    const reason = withoutStack(loggedError(failure))
    const known = JSON.stringify(reason)
    const key = counted.size < REASONS_MAX || counted.has(known) ? known : ''
    const one = counted.get(key)
    if (one !== undefined) {
      one.count += 1
      one.reqId = reqId
      return
    }
    const first = { count: 1, reqId, reason }
    counted.set(key, first)
    write(key, first)
  }
}

function withoutStack({ stack: _stack, causes, ...own }: LoggedError): LoggedError {
  return causes === undefined ? own : { ...own, causes: causes.map(withoutStack) }
}

import { type LoggedError, loggedError } from '../log/logged-error.ts'
import type { App } from './app-type.ts'

/** Of one reason. */
const WARNING_EVERY_MS = 1_000
/** Further reasons are counted together. */
const REASONS_MAX = 20

/** Notes that a request was answered with 503, and why. */
export type UnavailableWarning = (failure: unknown, reqId: string) => void

type Reason = { count: number; reqId: string; reason: LoggedError }

/**
 * Makes the warning about requests that could not be served: the first of a reason is written at
 * once, those that follow are counted and written once a second, so that a flood fills no disk and
 * hides nothing. It has no stack: what is away, or too busy, is no fault of the program.
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

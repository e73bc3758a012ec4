import type { Logger } from 'pino'
import { loggedError } from './logged-error.ts'

/** Different reasons of one outage that are logged. */
const REASONS_MAX = 10

/** Logs that something fails, and that it works again. */
export type OutageLog = {
  failed(error: unknown): void
  succeeded(): void
}

/**
 * Logs an outage of something that is tried again and again: the first failure of each reason, and
 * once when the outage is over, with the number of failures. So an outage of an hour is a few lines.
 *
 * @param away what the log says of a failure
 * @param back what the log says when the outage is over
 */
export function createOutageLog(
  log: Pick<Logger, 'warn' | 'info'>,
  { away, back }: { away: string; back: string },
): OutageLog {
  const reasons = new Set<string>()
  let failures = 0
  return {
    failed(error) {
      failures += 1
      const { code, message } = loggedError(error)
      const reason = `${code}: ${message}`
      if (reasons.has(reason) || reasons.size >= REASONS_MAX) return
      reasons.add(reason)
      log.warn({ err: error }, away)
    },
    succeeded() {
      if (failures === 0) return
      log.info({ failures }, back)
      failures = 0
      reasons.clear()
    },
  }
}

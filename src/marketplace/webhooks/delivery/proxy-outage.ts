import { createOutageLog } from '../../../base/log/outage-log.ts'
import type { AttemptResult } from '../sending/send-attempt.ts'

/** Longer than what waits for the proxy does: until then a failure may come again. */
const QUIET_MS = 60_000

/**
 * Tells the operator that WEBHOOK_PROXY_URL fails, which no developer can mend. A proxy that lets some
 * requests through and refuses others, such as those to one receiver, is one outage.
 *
 * @returns a function to be called with the result of each attempt
 */
export function createProxyOutage(
  log: Parameters<typeof createOutageLog>[0],
  nowMs: () => number = () => performance.now(),
): (result: Pick<AttemptResult, 'outcome' | 'status' | 'cause'>) => void {
  const outage = createOutageLog(log, {
    away: 'the proxy of webhooks fails; what waits for it is sent again',
    back: 'the proxy of webhooks works again',
  })
  let failedAtMs = Number.NEGATIVE_INFINITY
  return ({ outcome, status, cause }) => {
    if (outcome === 'proxy_failed') {
      failedAtMs = nowMs()
      outage.failed(cause)
    } else if (status !== undefined && nowMs() - failedAtMs > QUIET_MS) outage.succeeded()
  }
}

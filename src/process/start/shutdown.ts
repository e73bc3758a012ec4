import type { Logger } from 'pino'
import { endProcess } from './end-process.ts'

/** A terminal and npm pass on the same signal both. */
const SAME_SIGNAL_MS = 250

/** When to stop: `requested` resolves with the exit code once somebody asks. */
export type Shutdown = {
  isRequested(): boolean
  requested: Promise<number>
  request(reason: string, exitCode: number): void
}

/**
 * Ends the process in order at the first SIGTERM, SIGINT or SIGHUP (the terminal was closed), and at
 * once at the second.
 *
 * Not close-with-grace: it exits by itself, with codes of its own, before the last lines of the log are
 * written, and also at the second copy of one Ctrl+C.
 *
 * @param forceAfterMs when it ends whatever hangs
 * @param force ends it at once
 */
export function shutdownOnSignals(
  log: Logger,
  forceAfterMs: number,
  force: () => unknown = () => endProcess(1),
): Shutdown {
  const endAtOnce = (reason: string) => {
    log.warn({ reason }, 'ending at once')
    force()
  }
  const shutdown = createShutdown((reason) => {
    log.info({ reason }, 'shutting down')
    setTimeout(() => endAtOnce('SHUTDOWN_GRACE_SECONDS are over'), forceAfterMs).unref()
  })
  let signalledAtMs = Number.NEGATIVE_INFINITY
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const isRepeated = performance.now() - signalledAtMs < SAME_SIGNAL_MS
      if (!shutdown.isRequested()) {
        signalledAtMs = performance.now()
        shutdown.request(signal, 0)
      } else if (!isRepeated) endAtOnce(signal)
    })
  }
  return shutdown
}

function createShutdown(onRequest: (reason: string) => void): Shutdown {
  const { promise, resolve } = Promise.withResolvers<number>()
  let isRequested = false
  return {
    isRequested: () => isRequested,
    requested: promise,
    request(reason, exitCode) {
      if (isRequested) return
      isRequested = true
      onRequest(reason)
      resolve(exitCode)
    },
  }
}

import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { LogLevel } from './log-level.ts'
import { escapeControls, loggedError, withoutOwnMessage } from './logged-error.ts'
import { standardOutput } from './output.ts'

/**
 * Logs as JSON lines, one per event; what could be a secret is not written.
 *
 * @param destination standard output unless given
 */
export function createLogger(
  config: { logLevel: LogLevel },
  destination: DestinationStream = standardOutput(),
): Logger {
  const options: LoggerOptions = {
    level: config.logLevel,
    base: null,
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ['password', 'token', 'secret', '*.password', '*.token', '*.secret', '*.headers'],
      censor: '[redacted]',
    },
    serializers: { err: loggedError },
    hooks: { logMethod: withoutOwnMessage, streamWrite: escapeControls },
  }
  return pino(options, destination)
}

/** The `time` of a line; the many lines of one millisecond share a text. */
function createTimestamp(): () => string {
  let atMs = 0
  let text = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== atMs) text = `,"time":"${new Date(nowMs).toISOString()}"`
    atMs = nowMs
    return text
  }
}

/**
 * Writes lines of the log past pino: with `log.info` the hot page loses a fifth of its rate
 * (docs/performance.md). It uses two of pino's own symbols; a test compares its lines with pino's.
 *
 * @returns takes the members of a line as JSON, the way pino would write them; nothing is
 *   looked for in them
 */
export function createLineWriter(log: Logger): (members: string, level?: 'info' | 'debug') => void {
  const inner = log as unknown as Record<symbol, unknown>
  const destination = inner[pino.symbols.streamSym] as DestinationStream
  const timestamp = inner[pino.symbols.timeSym] as () => string
  return (members, level = 'info') => {
    if (log.isLevelEnabled(level)) {
      destination.write(`{"level":"${level}"${timestamp()},${members}}\n`)
    }
  }
}

/**
 * The log of a server, on standard output. It says how many lines were lost while nothing took them.
 *
 * @param isShared whether other processes write to the same output
 */
export function createServerLogger(config: { logLevel: LogLevel }, isShared: boolean): Logger {
  const output = standardOutput(isShared)
  const log = createLogger(config, output)
  output.reportLost((lines) => log.warn({ lines }, 'lines of the log were lost: nothing took them'))
  return log
}

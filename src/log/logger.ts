import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from '../config.ts'
import { escapeControls, loggedError, withoutOwnMessage } from './logged-error.ts'

/** Lines are written together, at the latest after this time and when the process ends. */
const DELAY_MS = 100
const TOGETHER_LENGTH = 8_192

/**
 * Logs as JSON lines, one per event; what could be a secret is not written.
 *
 * @param destination standard output unless given
 */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
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
 * Writes lines of the level `info` past pino: with `log.info` the hot page loses a fifth of its rate
 * (docs/performance.md). It uses two of pino's own symbols; a test compares its lines with pino's.
 *
 * @returns takes the members of a line as JSON, the way pino would write them; nothing is
 *   looked for in them
 */
export function createLineWriter(log: Logger): (members: string) => void {
  const inner = log as unknown as Record<symbol, unknown>
  const destination = inner[pino.symbols.streamSym] as DestinationStream
  const timestamp = inner[pino.symbols.timeSym] as () => string
  return (members) => {
    if (log.isLevelEnabled('info')) {
      destination.write(`{"level":"info"${timestamp()},${members}}\n`)
    }
  }
}

/** Pipes take writes of this length as a whole (POSIX, PIPE_BUF). */
const WHOLE_LENGTH = 4_096

/** As `createLogger`, for a process that shares standard output with others: lines stay whole. */
export function createWorkerLogger(config: Pick<Config, 'logLevel'>): Logger {
  return createLogger(config, openOutput({ minLength: WHOLE_LENGTH / 2, maxWrite: WHOLE_LENGTH }))
}

let standard: DestinationStream | undefined

/** Standard output for the lines of a log, the same one for all loggers of the process. */
function standardOutput(): DestinationStream {
  standard ??= openOutput({ minLength: TOGETHER_LENGTH })
  return standard
}

/**
 * Hands lines over as bytes. While they wait as text, SonicBoom counts the bytes of all of them
 * again with every line, which takes longer than the rest of the line.
 */
function openOutput(sizes: { minLength: number; maxWrite?: number }) {
  const options = { ...sizes, dest: 1, sync: false, periodicFlush: DELAY_MS, contentMode: 'buffer' }
  const output = pino.destination(options)
  return {
    // As `contentMode` says, which the types do not know.
    write: (line: string) => output.write(Buffer.from(line) as unknown as string),
    flush: (done?: (error?: Error) => void) => output.flush(done),
  }
}

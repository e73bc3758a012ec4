import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from '../config.ts'
import { escapeControls, loggedError, withoutOwnMessage } from './logged-error.ts'

/** Lines are written together, at the latest after this time and when the process ends. */
const DELAY_MS = 100
const TOGETHER_LENGTH = 32_768

type Output = { write(line: string): void; flush(done?: (error?: Error) => void): void }

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
 * Writes lines of the level `info` past pino, which takes longer than all else about the line that
 * each request has.
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

let standard: Output | undefined

/**
 * Standard output for the lines of a log, the same one for all loggers of the process.
 *
 * The lines are gathered here and joined once. SonicBoom, which writes them, would gather them too,
 * but counts all that waits anew with every line.
 */
function standardOutput(): Output {
  standard ??= openStandardOutput()
  return standard
}

function openStandardOutput(): Output {
  let lines: string[] = []
  let length = 0
  const handOver = () => {
    if (length === 0) return
    const text = Buffer.from(lines.join(''))
    lines = []
    length = 0
    // As `contentMode` says, which its types do not know.
    destination.write(text as unknown as string)
  }
  // Before the destination, which writes what it has when the process ends.
  process.once('exit', handOver)
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: 1,
    contentMode: 'buffer',
  })
  setInterval(handOver, DELAY_MS).unref()
  return {
    write(line) {
      lines.push(line)
      length += line.length
      if (length >= TOGETHER_LENGTH) handOver()
    },
    flush(done) {
      handOver()
      destination.flush(done)
    },
  }
}

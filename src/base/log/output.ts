import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'

/**
 * Lines are written together, at the latest after this time and when the process ends. As many as a
 * pipe holds: one write costs as much processor time as several requests.
 */
const DELAY_MS = 100
const TOGETHER_LENGTH = 65_536
/** Pipes take writes of this length as a whole (POSIX, PIPE_BUF). */
const WHOLE_LENGTH = 4_096
/**
 * How many bytes of lines wait while nothing takes them: what reads the log hangs, or its disk is
 * full. Further lines are lost.
 */
const WAITING_MAX_BYTES = 4 * 1024 * 1024
/** How long a process that ends waits until its last lines are taken. */
const LAST_LINES_MS = 1_000

/** What has become of the lines: all are written, or the last write failed, or it does not end. */
type LinesState = 'written' | 'failed' | 'stuck'

export type LogOutput = {
  write(line: string): void
  /** Reports how many lines were lost, once lines are taken again. */
  reportLost(report: (lines: number) => void): void
}

type Destination = ReturnType<typeof pino.destination>

/** Standard output of this process, once it is opened. */
let standard: { output: LogOutput; destination: Destination } | undefined
let lost = 0

/**
 * Standard output for the lines of a log, the same one for all loggers of the process.
 *
 * @param isShared whether other processes write to it too; then lines stay whole
 */
export function standardOutput(isShared = false): LogOutput {
  standard ??= open(isShared ? WHOLE_LENGTH : TOGETHER_LENGTH)
  return standard.output
}

/** How many lines of the log were lost since the start of the process. */
export function linesLost(): number {
  return lost
}

/**
 * Waits a second at most until all lines of the log are written, and gives up those that are not. A
 * write that is stuck keeps the process from ending by itself.
 */
export async function lastLines(): Promise<LinesState> {
  if (standard === undefined) return 'written'
  const { destination } = standard
  const flush = () =>
    new Promise<LinesState>((resolve) => {
      destination.once('drain', () => resolve('written')).once('error', () => resolve('failed'))
      // Without a callback, which would wait until the disk has the lines (fsync).
      destination.flush()
    })
  // When a write is under way, its end is not that of the lines that came since.
  const flushed = flush().then((state) => (state === 'written' ? flush() : state))
  const state = await Promise.race([flushed, sleep(LAST_LINES_MS, 'stuck' as const)])
  if (state !== 'written') dropLines()
  return state
}

/** Gives up the lines that wait: SonicBoom tries for ever to write them while the process ends. */
export function dropLines(): void {
  standard?.destination.destroy()
}

/**
 * Opens standard output for lines of which so many bytes are written together. Hands them over as
 * bytes: while they wait as text, SonicBoom counts the bytes of all of them again with every line,
 * which takes longer than the rest of the line.
 */
function open(togetherLength: number) {
  const destination = pino.destination({
    minLength: togetherLength - 1,
    maxWrite: togetherLength,
    maxLength: WAITING_MAX_BYTES,
    dest: 1,
    sync: false,
    periodicFlush: DELAY_MS,
    // As the types do not know.
    ...{ contentMode: 'buffer' },
  })
  let report: (lines: number) => void = () => {}
  let reported = 0
  destination.on('drop', () => {
    lost += 1
  })
  // SonicBoom keeps the lines and tries again.
  destination.on('error', () => {})
  destination.on('drain', () => {
    if (lost === reported) return
    const lines = lost - reported
    reported = lost
    report(lines)
  })
  const output: LogOutput = {
    write: (line) => destination.write(Buffer.from(line) as unknown as string),
    reportLost(to) {
      report = to
    },
  }
  return { output, destination }
}

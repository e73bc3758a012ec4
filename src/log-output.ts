import { pino } from 'pino'

/** Lines are written together, at the latest after this time and when the process ends. */
const DELAY_MS = 100
const TOGETHER_LENGTH = 32_768

type Output = { write(line: string): void; flush(done?: (error?: Error) => void): void }

let standard: Output | undefined

/**
 * Standard output for the lines of a log, the same one for all loggers of the process.
 *
 * The lines are gathered here and joined once. SonicBoom, which writes them, would gather them too,
 * but counts all that waits anew with every line.
 */
export function standardOutput(): Output {
  standard ??= openStandardOutput()
  return standard
}

function openStandardOutput(): Output {
  let lines: string[] = []
  let length = 0
  const handOver = () => {
    if (length === 0) return
    const text = lines.join('')
    lines = []
    length = 0
    destination.write(text)
  }
  // Before the destination, which writes what it has when the process ends.
  process.once('exit', handOver)
  const destination = pino.destination({ dest: 1, sync: false, minLength: 1 })
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

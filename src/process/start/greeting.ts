import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { standardOutput } from '../../base/log/output.ts'

const STANDARD_OUTPUT = 1
const STANDARD_ERROR = 2

/**
 * Tells whoever started the server how to go on. On a terminal the text follows the lines of the log
 * that wait; otherwise it goes to standard error, so that standard output has lines of JSON only.
 */
export function greet(text: string): void {
  if (isatty(STANDARD_OUTPUT)) {
    standardOutput().write(`${text}\n`)
    return
  }
  try {
    writeSync(STANDARD_ERROR, `${text}\n`)
  } catch {
    // Nobody takes what it says, which is no reason not to serve.
  }
}

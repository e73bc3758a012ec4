import { lastLines } from '../log/output.ts'

/**
 * Ends the process once the last lines of its log are written, a second later at most. While
 * something hangs that reads the log, Node cannot end by itself, for a thread of its own waits in
 * the write: then the process is killed.
 */
export async function endProcess(exitCode: number): Promise<never> {
  if ((await lastLines()) === 'stuck') process.kill(process.pid, 'SIGKILL')
  return process.exit(exitCode)
}

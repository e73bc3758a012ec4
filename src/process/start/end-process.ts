import { dropLines, lastLines } from '../../base/log/output.ts'

/**
 * Ends the process once the last lines of its log are written, a second later at most. While
 * something hangs that reads the log, Node cannot end by itself, for a thread of its own waits in
 * the write: then the process is killed.
 */
export async function endProcess(exitCode: number): Promise<never> {
  if ((await lastLines()) === 'stuck') killAtExit()
  return process.exit(exitCode)
}

/**
 * Ends a worker whose supervisor died, without the lines that wait. node:cluster ends it there and
 * then, and it would wait for whatever reads the log.
 */
export function endWithSupervisor(): void {
  process.prependListener('disconnect', () => {
    dropLines()
    killAtExit()
  })
}

/** After what else is done at the exit, such as stopping the embedded Postgres. */
function killAtExit(): void {
  process.on('exit', () => process.kill(process.pid, 'SIGKILL'))
}

import type { Streams } from './command.ts'

/**
 * Runs `npm run cli -- <command>`: results as JSON on standard output, problems on standard error.
 * The code of a command is loaded only when it is called, because loading takes most of the time of
 * a short command.
 *
 * @returns the exit code: 0, 1 when the command failed, 2 when the command line is wrong
 */
export async function runCommand(argv: string[], streams: Streams): Promise<number> {
  if (argv[0] === 'dev') {
    const { runDeveloperCommand } = await import('../../../client/src/command-line/run.ts')
    return runDeveloperCommand(argv.slice(1), streams)
  }
  const { runOperatorCommand } = await import('./run-operator-command.ts')
  return runOperatorCommand(argv, streams)
}

/** Where a command reads and writes. */
export type Streams = {
  stdin: AsyncIterable<string | Uint8Array>
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** Ends a command that would go on for ever. */
  signal?: AbortSignal
}

/**
 * `npm run cli -- <command>`. Answers as JSON on standard output, problems on standard error.
 * The code of a command is loaded when it is called: most of the time of a short command is that.
 *
 * @returns the exit code: 0, 1 when the command failed, 2 when it was called wrongly
 */
export async function runCommand(argv: string[], streams: Streams): Promise<number> {
  if (argv[0] === 'dev') {
    const { runDeveloperCommand } = await import('../../client/src/command-line/run.ts')
    return runDeveloperCommand(argv.slice(1), streams)
  }
  const { runOperatorCommand } = await import('./run-operator-command.ts')
  return runOperatorCommand(argv, streams)
}

import { endOnLostOutput } from './lost-output.ts'
import { runDeveloperCommand } from './run.ts'

endOnLostOutput()
const ended = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort())
process.exitCode = await runDeveloperCommand(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: ended.signal,
})

import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { endOnLostOutput } from '../../../client/src/command-line/lost-output.ts'
import { runCommand } from './run-command.ts'

// Caches the compiled code, so that the next call starts faster.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))

// Hides warnings about how libraries use each other: the operator can do nothing about them.
process.noDeprecation = true
endOnLostOutput()
const ended = new AbortController()
const isDev = process.argv[2] === 'dev'
// The other commands lose what they have not committed. Their Postgres ends with them: a
// process that a signal ends does not run what it has for its exit.
for (const [name, code] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(name, () => (isDev ? ended.abort() : process.exit(code)))
}
const { stdin, stdout, stderr } = process
const streams = { stdin, stdout, stderr, signal: ended.signal }
process.exitCode = await runCommand(process.argv.slice(2), streams)

import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { runCommand } from './run-command.ts'

// What a command loads is compiled once, not at each call.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))

// Warnings about how libraries use each other are not for the operator.
process.noDeprecation = true
const ended = new AbortController()
// Other commands end with the process, as they always did.
if (process.argv[2] === 'dev') {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort())
}
const { stdin, stdout, stderr } = process
const streams = { stdin, stdout, stderr, signal: ended.signal }
process.exitCode = await runCommand(process.argv.slice(2), streams)

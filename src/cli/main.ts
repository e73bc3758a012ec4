import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { runCommand } from './run-command.ts'

// Caches the compiled code, so that the next call starts faster.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))

// Hides warnings about how libraries use each other: the operator can do nothing about them.
process.noDeprecation = true
const ended = new AbortController()
// Only `dev` ends by a signal. The other commands end with the process.
if (process.argv[2] === 'dev') {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort())
}
const { stdin, stdout, stderr } = process
const streams = { stdin, stdout, stderr, signal: ended.signal }
process.exitCode = await runCommand(process.argv.slice(2), streams)

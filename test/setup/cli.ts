import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/process/cli/run-command.ts'
import { COMPILE_CACHE } from './compile-cache.ts'

const CLI = fileURLToPath(new URL('../../src/process/cli/main.ts', import.meta.url))

export type CliResult = { code: number | null; stdout: string; stderr: string }
type Given = { env?: Record<string, string>; input?: string | Uint8Array }

const environment = (dataDir: string, env: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  DATA_DIR: dataDir,
  ...env,
})
/** The command under way: they share the environment of this process, so one runs at a time. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command in this process, with nothing of our environment but the path.
 *
 * @param given `input` is what comes on standard input
 */
export function runCli(dataDir: string, words: string[], given: Given = {}): Promise<CliResult> {
  const result = last.then(() => runHere(dataDir, words, given))
  last = result.catch(() => undefined)
  return result
}

async function runHere(
  dataDir: string,
  words: string[],
  { env, input = '' }: Given,
): Promise<CliResult> {
  const own = process.env
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text
    },
  })
  process.env = environment(dataDir, env)
  try {
    const stdin = (async function* () {
      yield input
    })()
    const streams = { stdin, stdout: stream('stdout'), stderr: stream('stderr') }
    return { code: await runCommand(words, streams), ...written }
  } finally {
    process.env = own
  }
}

/** Runs `node src/process/cli/main.ts` as a process of its own, which takes a second longer. */
export function runCliProcess(
  dataDir: string,
  words: string[],
  { env, input = '' }: Given = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment(dataDir, env) },
  })
  child.stdin.on('error', () => {}).end(input)
  const written = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...written })))
}

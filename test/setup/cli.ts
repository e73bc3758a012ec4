import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export type CliResult = { code: number | null; stdout: string; stderr: string }

/**
 * Runs `node src/cli/main.ts` with nothing of our environment but the path.
 *
 * @param more `input` is what comes on standard input
 */
export function runCli(
  dataDir: string,
  words: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, ...env },
  })
  child.stdin.on('error', () => {}).end(input)
  const result = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.stderr += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...result })))
}

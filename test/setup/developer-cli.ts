import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from './compile-cache.ts'

/** The file of the command line for developers. */
export const CLI = fileURLToPath(new URL('../../client/src/command-line/main.ts', import.meta.url))

/** A command for developers that runs. */
export type Started = {
  child: ChildProcess
  stdout(): string
  /** Resolves at its end. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** Starts a command with its credentials in a directory of its own. */
export function startDeveloperCli(configHome: string, words: string[], input = ''): Started {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      XDG_CONFIG_HOME: configHome,
    },
  })
  child.stdin.on('error', () => {}).end(input)
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, ...written }))
  })
  return { child, stdout: () => written.stdout, ended }
}

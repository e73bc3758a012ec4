import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Demo } from '../../src/process/demo/demo-file.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { freePort } from './free-port.ts'

const SERVER = fileURLToPath(new URL('../../src/server.ts', import.meta.url))
/** Characters of a server's output that are kept at least. */
const OUTPUT_MAX = 64 * 1024 * 1024
const EXIT_TIMEOUT_MS = 150_000

/** How a process ended: its code, or the signal that ended it. */
type Exit = { code: number | null; signal: NodeJS.Signals | null }

/** The real server as a process of its own. */
export type ServerProcess = {
  url: string
  dataDir: string
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves when the address is printed, with the milliseconds that took. */
  ready(): Promise<number>
  /** Resolves when the process has ended and its output is complete. */
  exited: Promise<Exit>
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Exit>
}

/** `program` is the server of another release, `nodeOptions` what Node itself is told. */
type Options = {
  nodeOptions?: readonly string[]
  dataDir?: string
  port?: number
  env?: Record<string, string>
  program?: string
}

/**
 * Starts servers and, with `cleanUp`, ends all that they left behind.
 *
 * @param parent where their data directories are made; on a disk unless given
 */
export function serverProcesses(parent = tmpdir()) {
  const servers: ServerProcess[] = []
  const directories = new Set<string>()

  return {
    /** Starts `node src/server.ts` with nothing of our environment but the path. */
    async start({
      dataDir,
      port,
      env = {},
      program = SERVER,
      nodeOptions = [],
    }: Options = {}): Promise<ServerProcess> {
      const dir = dataDir ?? join(await mkdtemp(join(parent, 'server-test-')), 'data')
      directories.add(dir)
      const server = spawnServer([...nodeOptions, program], dir, port ?? (await freePort()), env)
      servers.push(server)
      return server
    },
    /** Ends the servers that still run, as an operator does. */
    async endAll(): Promise<void> {
      await Promise.all(servers.splice(0).map((server) => server.end()))
    },
    async cleanUp(): Promise<void> {
      for (const { child } of servers) child.kill('SIGKILL')
      await Promise.all(servers.splice(0).map(({ exited }) => exited))
      for (const dir of directories) {
        const pid = postgresPid(dir)
        if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGINT')
        if (pid !== undefined) await waitUntil(() => !isAlive(pid))
        rmSync(dirname(dir), { recursive: true, force: true, maxRetries: 5 })
      }
      directories.clear()
    },
  }
}

function spawnServer(
  words: readonly string[],
  dataDir: string,
  port: number,
  env: Record<string, string>,
): ServerProcess {
  const startedAt = performance.now()
  const child = spawn(process.execPath, words, {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      DATA_DIR: dataDir,
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    // A server under load for long logs more than a string can hold: the start and the end stay.
    if (stdout.length > 2 * OUTPUT_MAX) {
      stdout = `${stdout.slice(0, OUTPUT_MAX / 2)}\n...\n${stdout.slice(-OUTPUT_MAX / 2)}`
    }
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    async ready() {
      const isReady = () => /"msg":"listening"/.test(stdout)
      await waitUntil(() => isReady() || hasEnded())
      if (!isReady()) throw new Error(`the server did not start:\n${stdout}\n${stderr}`)
      return performance.now() - startedAt
    },
    exited,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      const timeout = sleep(EXIT_TIMEOUT_MS, undefined, { ref: false })
      const exit = await Promise.race([exited, timeout])
      if (exit === undefined) throw new Error(`the server did not end:\n${stdout}\n${stderr}`)
      return exit
    },
  }
}

/** The process of the embedded database, as it notes it itself while it runs. */
export function postgresPid(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // Nobody may care for the orphans of a killed server: they stay as zombies.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync('/proc/self/stat')
  }
}

export function readDemoFile(dataDir: string): Demo {
  return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
}

/** Looks every few milliseconds, for longer than anything takes. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + EXIT_TIMEOUT_MS
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('waited too long')
    await sleep(10)
  }
}

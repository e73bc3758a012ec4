import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ALLOCATOR_VARIABLES, NODE_FLAGS } from '../../scripts/server-node.js'
import { freePort } from '../../test/setup/free-port.ts'
import type { Dataset } from './dataset.ts'
import { failRun, stopAtEnd } from './run-end.ts'

/** No server takes longer until it listens. */
const START_MAX_MS = 120_000
/** A server that has not ended by then after a SIGTERM is killed. */
const STOP_MAX_MS = 20_000

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export type Server = { url: string; rssMib(): number | undefined }

/** This checkout. */
export const HERE = fileOf('../..')

/**
 * The real server, as it runs in production; only the limit of requests is out of the way. The run
 * fails when it ends, or does not listen in time.
 *
 * @param checkout directory of the server's source
 */
export async function startProduct(
  { databaseUrl, secretKey }: Pick<Dataset, 'databaseUrl' | 'secretKey'>,
  checkout: string,
  nodeOptions: readonly string[] = [],
): Promise<Server> {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [...NODE_FLAGS, ...nodeOptions, resolvePath(checkout, 'src/server.ts')],
    {
      env: {
        ...ALLOCATOR_VARIABLES,
        PATH: process.env.PATH ?? '',
        DATABASE_URL: databaseUrl,
        SECRET_KEY: secretKey,
        PORT: String(port),
        RATE_LIMIT_PER_MINUTE: '1000000',
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await listening(child, `The server of ${checkout}`, (ready) => {
    let output = ''
    const waiting = (text: string) => {
      output += text
      if (!output.includes('listening')) return
      child.stdout.off('data', waiting).resume()
      ready()
    }
    child.stdout.setEncoding('utf8').on('data', waiting)
  })
  return { url: `http://127.0.0.1:${port}`, rssMib: () => rssMib(child) }
}

/** The servers to compare with, all in one process. The run fails when it ends. */
export async function startRivals(settings: object): Promise<Server> {
  const child = fork(fileOf('./rivals.ts'))
  child.send(settings)
  let url = ''
  await listening(child, 'The process of the servers to compare with', (ready) => {
    child.once('message', (message) => {
      url = String(message)
      ready()
    })
  })
  return { url, rssMib: () => rssMib(child) }
}

/** Waits until a server is ready, and looks after it: it is stopped when the run ends. */
async function listening(
  child: ChildProcess,
  name: string,
  watch: (ready: () => void) => void,
): Promise<void> {
  stopAtEnd(() => stop(child))
  child.once('error', (error) => failRun(`${name}: ${error.message}.`))
  child.once('exit', (code, signal) => failRun(`${name} ended with ${code ?? signal}.`))
  const deadline = setTimeout(
    () => failRun(`${name} does not listen after ${START_MAX_MS / 1000} s.`),
    START_MAX_MS,
  )
  await new Promise<void>(watch)
  clearTimeout(deadline)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_MAX_MS)
  await ended
  clearTimeout(force)
}

/** Resident memory of a process, where the system tells it. */
function rssMib({ pid }: ChildProcess): number | undefined {
  try {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
  } catch {
    return undefined
  }
}

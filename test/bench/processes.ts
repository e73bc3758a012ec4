import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../setup/free-port.ts'
import type { Dataset } from './dataset.ts'

const PACKAGE = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { scripts: { start: string } }
/** What `npm start` tells Node, and the environment that it sets. */
const START_WORDS = PACKAGE.scripts.start.split(' ')
export const START_OPTIONS = START_WORDS.filter((word) => word.startsWith('--'))
export const START_ENVIRONMENT = Object.fromEntries(
  START_WORDS.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=')),
)

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export type Server = { url: string; rssMib(): number | undefined; stop(): Promise<void> }

/** This checkout. */
export const HERE = fileOf('../..')

/**
 * The real server, as it runs in production; only the limit of requests is out of the way.
 *
 * @param checkout directory of the server's source
 */
export async function startProduct(
  { databaseUrl, secretKey }: Dataset,
  checkout: string,
  nodeOptions: readonly string[] = [],
): Promise<Server> {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [...START_OPTIONS, ...nodeOptions, resolvePath(checkout, 'src/server.ts')],
    {
      env: {
        ...START_ENVIRONMENT,
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
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    const waiting = (text: Buffer) => {
      if (!text.includes('listening')) return
      child.stdout.off('data', waiting).resume()
      resolve()
    }
    child.stdout.on('data', waiting)
  })
  return { url: `http://127.0.0.1:${port}`, rssMib: () => rssMib(child), stop: () => stop(child) }
}

/** The servers to compare with, all in one process. */
export async function startRivals(settings: object): Promise<Server> {
  const child = fork(fileOf('./rivals.ts'))
  child.send(settings)
  const [url] = await once(child, 'message')
  return { url: String(url), rssMib: () => rssMib(child), stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
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

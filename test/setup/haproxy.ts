import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { waitUntil } from './server-process.ts'

const CONFIGURATION = new URL('../../ops/haproxy.cfg', import.meta.url)

/** Whether HAProxy is installed, as Debian's package `haproxy` does. */
export function hasHaproxy(): boolean {
  try {
    return execFileSync('haproxy', ['-v'], { encoding: 'utf8' }).includes('HAProxy')
  } catch {
    return false
  }
}

/** HAProxy with `ops/haproxy.cfg` before servers of this machine. */
export type Haproxy = { url: string; log(): string; close(): Promise<void> }

export async function startHaproxy(servers: readonly { url: string }[]): Promise<Haproxy> {
  const port = await freePort()
  const lines = servers.map(({ url }, index) => `    server s${index} ${new URL(url).host}\n`)
  const text = (await readFile(CONFIGURATION, 'utf8'))
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    .replaceAll(/^ {4}server .*\n/gm, '')
  const directory = await mkdtemp(join(tmpdir(), 'haproxy-'))
  const file = join(directory, 'haproxy.cfg')
  await writeFile(file, `${text}${lines.join('')}`)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'ignore'] })
  let log = ''
  child.stdout.on('data', (chunk) => {
    log += chunk
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntil(() =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
  return {
    url,
    log: () => log,
    async close() {
      await endOf(child)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.exitCode === null && child.kill('SIGTERM')) await ended
}

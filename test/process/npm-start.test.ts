import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ALLOCATOR_VARIABLES, NODE_FLAGS } from '../../scripts/server-node.js'
import { COMPILE_CACHE } from '../setup/compile-cache.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import { freePort } from '../setup/free-port.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command until the server listens, looks at it, and ends the command. */
async function tryServer(
  [command = '', ...words]: string[],
  cwd: string,
  env: Record<string, string>,
  look: (pid: number) => Promise<unknown>,
): Promise<void> {
  const started = spawn(command, words, {
    cwd,
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Closed when the last process that writes to it has ended.
  const ended = once(started.stdout, 'close')
  let lines = ''
  const output = started.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })
  for await (const text of output) {
    lines += text
    if (lines.includes('"listening"')) break
  }
  // What is no line of the log, such as npm's own, goes elsewhere or begins the output.
  for (const line of lines.slice(lines.indexOf('{')).trimEnd().split('\n')) JSON.parse(line)
  await look(started.pid as number)
  started.kill('SIGTERM')
  started.stdout.resume()
  await ended
}

const variables = (port: number) => ({
  DATABASE_URL: database.url,
  SECRET_KEY: randomBytes(32).toString('base64'),
  PORT: String(port),
})

test('a signal to `npm start` ends the server, not only npm', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/livez`
  await tryServer(['npm', 'start'], ROOT, variables(port), async () => {
    expect((await fetch(url)).status).toBe(200)
  })
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('the start that .env.example names reads .env', async () => {
  const port = await freePort()
  const command = /^# (.*npm start)$/m.exec(await readFile(join(ROOT, '.env.example'), 'utf8'))?.[1]
  const directory = await mkdtemp(join(tmpdir(), 'npm-start-'))
  try {
    for (const name of ['package.json', 'node_modules', 'scripts', 'src', 'prisma', 'demo']) {
      await symlink(join(ROOT, name), join(directory, name))
    }
    const lines = Object.entries(variables(port)).map(([name, value]) => `${name}='${value}'\n`)
    await writeFile(join(directory, '.env'), lines.join(''))
    // The shell hands its place over to npm, which so gets the signal.
    const words = ['sh', '-c', String(command).replace('npm start', 'exec npm start')]
    await tryServer(words, directory, {}, async () => {
      expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
    })
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('the image starts as `npm start` does', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8')
  const command: string[] = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '')
  expect(`exec ${command.join(' ')}`).toBe(scripts.start)
})

test.runIf(existsSync('/proc/self/cmdline'))(
  'the server has the flags and variables, and those that the launcher was told after them',
  async () => {
    const port = await freePort()
    const launcher = [process.execPath, '--max-old-space-size=400', 'scripts/start.js']
    await tryServer(launcher, ROOT, variables(port), async (pid) => {
      const of = async (what: string) =>
        (await readFile(`/proc/${pid}/${what}`, 'utf8')).split('\0').filter((one) => one !== '')
      expect((await of('cmdline')).slice(1)).toEqual([
        ...NODE_FLAGS,
        '--max-old-space-size=400',
        join(ROOT, 'src/server.ts'),
      ])
      const settings = Object.entries(ALLOCATOR_VARIABLES).map(
        ([name, value]) => `${name}=${value}`,
      )
      expect(await of('environ')).toEqual(expect.arrayContaining(settings))
    })
  },
)

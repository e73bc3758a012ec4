import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive, waitUntil } from '../../test/setup/server-process.ts'

const SERVES = "console.log('listening'); setInterval(() => {}, 1000)"
const REFUSES = 'process.exit(3)'

let directory: string
let runs = 0
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bench-end-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** A run of the benchmark that starts these programs as its servers, and then waits for ever. */
async function startRun(programs: readonly string[]) {
  const run = join(directory, String(runs++))
  const checkouts = programs.map((_, index) => join(run, String(index)))
  for (const [index, program] of programs.entries()) {
    const source = join(checkouts[index] ?? '', 'src')
    await mkdir(source, { recursive: true })
    const notePid = "require('fs').writeFileSync(__dirname + '/pid', String(process.pid))"
    await writeFile(join(source, 'server.ts'), `${notePid}; ${program}`)
  }
  const script = `
    import { startProduct } from '${new URL('processes.ts', import.meta.url)}'
    import { runToEnd } from '${new URL('run-end.ts', import.meta.url)}'
    await runToEnd(async () => {
      for (const checkout of ${JSON.stringify(checkouts)}) {
        await startProduct({ databaseUrl: '', secretKey: '' }, checkout)
      }
      process.stdout.write('all listen')
      await new Promise(() => {})
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = text(child.stderr)
  const ended = once(child, 'exit')
  return {
    child,
    checkouts,
    pidOf: (index: number) => pidIn(join(checkouts[index] ?? '', 'src/pid')),
    /** Resolves when all servers listen. */
    started: () => once(child.stdout, 'data'),
    async result() {
      const [code] = await ended
      return { code, said: await said }
    },
  }
}

function pidIn(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

test('a server that cannot start fails the run, which stops the others', async () => {
  const { checkouts, pidOf, result } = await startRun([SERVES, REFUSES])
  const { code, said } = await result()
  expect(code).toBe(1)
  expect(said).toContain(`The server of ${checkouts[1]} ended with 3.`)
  expect(isAlive(pidOf(0))).toBe(false)
})

test('a server that ends in the middle fails the run, which stops the others', async () => {
  const { checkouts, pidOf, started, result } = await startRun([SERVES, SERVES])
  await started()
  process.kill(pidOf(0), 'SIGKILL')
  const { code, said } = await result()
  expect(code).toBe(1)
  expect(said).toContain(`The server of ${checkouts[0]} ended with SIGKILL.`)
  expect(isAlive(pidOf(1))).toBe(false)
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops all servers of a run', async (signal) => {
  const { child, pidOf, started, result } = await startRun([SERVES, SERVES])
  await started()
  child.kill(signal)
  const { code, said } = await result()
  expect(code).toBe(1)
  expect(said).toContain(`The run was interrupted by ${signal}.`)
  await waitUntil(() => ![0, 1].some((index) => isAlive(pidOf(index))))
})

test.each([
  ['asked for help', ['--help'], 0, ''],
  ['with an option that it does not know', ['--quik'], 2, "Unknown option '--quik'\n\n"],
])('%s, the benchmark prints how to call it', async (_when, words, code, reason) => {
  const run = fileURLToPath(new URL('run.ts', import.meta.url))
  const child = spawn(process.execPath, [run, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  expect((await once(child, 'exit'))[0]).toBe(code)
  const [out, err] = await said
  expect(out + err).toMatch(`${reason}npm run bench -- [options]\n\n  --quick `)
})

import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../setup/client.ts'
import { createDemoDatabase } from '../setup/database.ts'
import { serverProcesses, waitUntil } from '../setup/server-process.ts'

const processes = serverProcesses()
let database: Awaited<ReturnType<typeof createDemoDatabase>>
let env: Record<string, string>
beforeAll(async () => {
  database = await createDemoDatabase()
  env = {
    DATABASE_URL: database.url,
    SECRET_KEY: database.secretKey,
    RATE_LIMIT_PER_MINUTE: '0',
    DRAIN_SECONDS: '0.1',
  }
})
afterAll(async () => {
  await processes.cleanUp()
  await database.drop()
})

/** Writes lines of a KiB, says how many were lost, and ends when a line comes. */
const WRITER = `
  import { once } from 'node:events'
  import { createServerLogger } from './src/base/log/logger.ts'
  import { linesLost } from './src/base/log/output.ts'
  import { endProcess } from './src/process/start/end-process.ts'
  const log = createServerLogger({ logLevel: 'info' }, false)
  for (let line = 0; line < 6_000; line += 1) log.info({ line }, 'x'.repeat(1_024))
  process.stderr.write(linesLost() + '\\n')
  await once(process.stdin, 'data')
  await endProcess(3)
`

function startWriter(output: 'pipe' | number) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER], {
    stdio: ['pipe', output, 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  const exited = new Promise<unknown>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  return {
    stdout: child.stdout,
    exited,
    end: () => child.stdin?.end('\n'),
    async lost(): Promise<number> {
      await waitUntil(() => said.includes('\n'))
      return Number(said)
    },
  }
}

describe('while nothing reads the log', () => {
  test('4 MiB of lines wait, further ones are lost, and their number is told later', async () => {
    const writer = startWriter('pipe')
    const lost = await writer.lost()
    expect(lost).toBeGreaterThan(1_000)
    expect(lost).toBeLessThan(3_000)
    const told = '"msg":"lines of the log were lost: nothing took them"'
    let read = ''
    writer.stdout?.setEncoding('utf8').on('data', (part: string) => {
      read += part
    })
    await waitUntil(() => read.includes(told))
    writer.end()
    expect(await writer.exited).toBe(3)
    const written = read.trimEnd().split('\n')
    expect(written.at(-1)).toContain(told)
    expect(JSON.parse(String(written.at(-1)))).toMatchObject({ level: 'warn', lines: lost })
    expect(written.length - 1 + lost).toBe(6_000)
  })

  test('a process that ends waits a second for its last lines and is then killed', async () => {
    const writer = startWriter('pipe')
    await writer.lost()
    writer.end()
    expect(await writer.exited).toBe('SIGKILL')
  })

  test('a server answers, and a signal ends it', async () => {
    const server = await processes.start({ env })
    await server.ready()
    server.child.stdout?.pause()
    for (let turn = 0; turn < 15; turn += 1) {
      const answers = Array.from({ length: 100 }, () => call(server, 'GET', '/v1/Nothing'))
      expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(
        new Set([404]),
      )
    }
    server.child.kill('SIGTERM')
    await new Promise((resolve) => server.child.once('exit', resolve))
    // 0 where the system takes that much for a reader that hangs.
    expect([0, 'SIGKILL']).toContain(server.child.signalCode ?? server.child.exitCode)
    server.child.stdout?.resume()
  })
})

describe.runIf(existsSync('/dev/full'))('while the disk of the log is full', () => {
  test('lines wait or are lost, and the process ends by itself', async () => {
    const writer = startWriter(openSync('/dev/full', 'w'))
    expect(await writer.lost()).toBeGreaterThan(1_000)
    writer.end()
    expect(await writer.exited).toBe(3)
  })
})

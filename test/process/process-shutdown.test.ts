import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../setup/client.ts'
import { createDemoDatabase } from '../setup/database.ts'
import { expectProblem } from '../setup/expect-problem.ts'
import { fastestDirectory } from '../setup/fastest-directory.ts'
import {
  isAlive,
  postgresPid,
  readDemoFile,
  type ServerProcess,
  serverProcesses,
  waitUntil,
} from '../setup/server-process.ts'

const processes = serverProcesses(await fastestDirectory())
let database: Awaited<ReturnType<typeof createDemoDatabase>>
let dataDir: string | undefined
beforeAll(async () => {
  database = await createDemoDatabase()
})
afterAll(async () => {
  await processes.cleanUp()
  await database.drop()
})

/** A server that is ready; all have the same database and the same DATA_DIR. */
async function startServer(graceSeconds = 60, drainSeconds = 0.1): Promise<ServerProcess> {
  const server = await processes.start({
    ...(dataDir !== undefined && { dataDir }),
    env: {
      DATABASE_URL: database.url,
      SECRET_KEY: database.secretKey,
      SHUTDOWN_GRACE_SECONDS: String(graceSeconds),
      DRAIN_SECONDS: String(drainSeconds),
    },
  })
  dataDir = server.dataDir
  await server.ready()
  return server
}

/** A raw connection and all that was received on it. */
async function open({ url }: ServerProcess): Promise<{ socket: Socket; received(): string }> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return { socket, received: () => received }
}

/** A sign-in whose body is sent in two parts. */
function slowSignIn(): [head: string, tail: string] {
  const [developer] = database.demo.developers
  const body = JSON.stringify({ clientId: developer?.clientId, password: developer?.password })
  const head = [
    'POST /v1/Auth HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body.slice(0, 10),
  ].join('\r\n')
  return [head, body.slice(10)]
}

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', (signal) => {
  test('ends an idle server at once, keep-alive clients or not', async () => {
    const server = await startServer()
    const clients = await Promise.all([open(server), open(server), open(server)])
    for (const { socket } of clients.slice(1)) {
      socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n')
    }
    await waitUntil(() => clients.slice(1).every(({ received }) => received().includes('ok')))
    expect(await server.end(signal)).toEqual({ code: 0, signal: null })
    expect(server.stdout()).toContain(`"reason":"${signal}","msg":"shutting down"`)
    expect(server.stderr()).toBe('')
  })
})

describe('SIGTERM', () => {
  test('makes /readyz say 503 while requests are still taken', async () => {
    const server = await startServer(600, 60)
    expect((await call(server, 'GET', '/readyz')).status).toBe(200)
    server.child.kill('SIGTERM')
    // A terminal and npm both pass on the signal: it counts once.
    server.child.kill('SIGTERM')
    server.child.kill('SIGINT')
    let draining = await call(server, 'GET', '/readyz')
    await waitUntil(async () => {
      draining = await call(server, 'GET', '/readyz')
      return draining.status === 503
    })
    expect(draining.body).toMatchObject({ code: 'unavailable' })
    expect(draining.headers.get('retry-after')).toBe('1')
    expect((await call(server, 'GET', '/livez')).status).toBe(200)
    await server.end('SIGKILL')
  })

  test('lets the request in flight finish', async () => {
    const server = await startServer(600)
    const { socket, received } = await open(server)
    const [head, tail] = slowSignIn()
    socket.write(head)
    // The request has begun when a later one has its answer.
    expect((await call(server, 'GET', '/readyz')).status).toBe(200)
    server.child.kill('SIGTERM')
    await waitUntil(() => isRefused(server))
    socket.write(tail)
    await waitUntil(() => received().includes('"tokenType"'))
    expect(received()).toMatch(/^HTTP\/1\.1 200 /)
    expect(received().toLowerCase()).toContain('connection: close')
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  test('takes requests for DRAIN_SECONDS', async () => {
    const server = await startServer(60, 2)
    const startedAtMs = performance.now()
    server.child.kill('SIGTERM')
    await waitUntil(() => isRefused(server))
    expect(performance.now() - startedAtMs).toBeGreaterThan(1_900)
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'a second time, as %s, ends it at once',
    async (again) => {
      // Longer than the time in which a signal counts as the same.
      const server = await startServer(600, 0.5)
      const { socket } = await open(server)
      socket.write(slowSignIn()[0])
      server.child.kill('SIGTERM')
      await waitUntil(() => isRefused(server))
      expect(await server.end(again)).toEqual({ code: 1, signal: null })
      expect(server.stdout()).toContain(`"reason":"${again}","msg":"ending at once"`)
    },
  )

  test('responds with 503 to requests that it interrupts, and has Postgres cancel them', async () => {
    const server = await startServer(5)
    const [developer] = database.demo.developers
    const { body } = await call(server, 'POST', '/v1/Auth', {
      body: { clientId: developer?.clientId, password: developer?.password },
    })
    const unsent = await open(server)
    unsent.socket.write(slowSignIn()[0])
    const halfSent = await open(server)
    halfSent.socket.write('GET /livez HTTP/1.1\r\nhost: ')

    const admin = new pg.Client({ connectionString: database.url })
    const holder = new pg.Client({ connectionString: database.url })
    await Promise.all([admin.connect(), holder.connect()])
    await holder.query('BEGIN; LOCK TABLE installations')
    const waiting = async () => {
      const { rows } = await admin.query(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows[0].count
    }
    const cut = Array.from({ length: 20 }, () =>
      call(server, 'GET', '/v1/Developer/Installations', { token: body.token }),
    )
    await waitUntil(async () => (await waiting()) > 0)
    server.child.kill('SIGTERM')
    for (const answer of await Promise.all(cut)) {
      expectProblem(answer, 'unavailable')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(await waiting()).toBe(0)
    expect(unsent.received()).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1\r\n.*shutting down/s)
    expect(halfSent.received()).toBe('')
    await Promise.all([admin.end(), holder.end()])
  })

  test('stops the embedded Postgres', async () => {
    const server = await processes.start({ env: { DEMO: 'false' } })
    await server.ready()
    const postgres = postgresPid(server.dataDir) ?? 0
    expect(isAlive(postgres)).toBe(true)
    expect(await server.end()).toEqual({ code: 0, signal: null })
    expect(isAlive(postgres)).toBe(false)
  })
})

describe('a signal during the start', () => {
  const HELPERS = new URL('../setup/server-process.ts', import.meta.url)
  const stages: [string, string][] = [
    ['while the database is made', "existsSync(join(dir, 'postgres.password'))"],
    ['while Postgres starts', 'postgresPid(dir) !== undefined'],
    ['while the tables are made', "existsSync(join(dir, 'database-url'))"],
    ['while the demo is made', "existsSync(join(dir, 'secret-key'))"],
  ]
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'signals-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  /** What a server is started with so that it gets a signal at a stage, however slow we are. */
  async function signalledWhen(isReached: string): Promise<string> {
    const file = join(directory, 'signal.mjs')
    await writeFile(
      file,
      `import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
      import { join } from 'node:path'
      import { postgresPid } from '${HELPERS}'
      const dir = process.env.DATA_DIR
      const timer = setInterval(() => {
        if (!(${isReached})) return
        clearInterval(timer)
        process.kill(process.pid, 'SIGTERM')
      }, 1).unref()`,
    )
    return `--import=${file}`
  }

  test.each(stages)(
    '%s ends it with 0, leaves no Postgres, and the next start works',
    async (_name, isReached) => {
      // The step that is under way takes as long as the machine needs.
      const env = {
        SHUTDOWN_GRACE_SECONDS: '600',
        NODE_OPTIONS: await signalledWhen(isReached),
      }
      const server = await processes.start({ env })
      expect(await server.exited).toEqual({ code: 0, signal: null })
      expect(server.stdout()).not.toContain('"msg":"listening"')
      expect(server.stderr()).toBe('')
      expect(postgresPid(server.dataDir)).toBeUndefined()
      expect(existsSync(join(server.dataDir, 'database-url'))).toBe(false)

      const next = await processes.start({ dataDir: server.dataDir })
      await next.ready()
      expect(readDemoFile(next.dataDir).baseUrl).toBe(next.url)
      expect(await next.end()).toEqual({ code: 0, signal: null })
    },
  )
})

/** Whether the port takes no connections any more. */
function isRefused({ url }: ServerProcess): Promise<boolean> {
  return fetch(`${url}/livez`).then(
    () => false,
    () => true,
  )
}

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../setup/client.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'
import {
  isAlive,
  postgresPid,
  readDemoFile,
  type ServerProcess,
  serverProcesses,
  waitUntil,
} from '../setup/server-process.ts'

const processes = serverProcesses()
let database: TestDatabase
let dataDir: string | undefined
const SECRET_KEY = randomBytes(32).toString('base64')
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(async () => {
  await processes.cleanUp()
  await database.drop()
})

/** A server that is ready; all have the same database and the same DATA_DIR. */
async function startServer(graceSeconds = 10): Promise<ServerProcess> {
  const server = await processes.start({
    ...(dataDir !== undefined && { dataDir }),
    env: {
      DATABASE_URL: database.url,
      SECRET_KEY,
      DEMO: 'true',
      SHUTDOWN_GRACE_SECONDS: String(graceSeconds),
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
function slowSignIn(server: ServerProcess): [head: string, tail: string] {
  const [developer] = readDemoFile(server.dataDir).developers
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

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
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
  test('lets the request in flight finish while /readyz says 503, and a second one hurries nothing', async () => {
    const server = await startServer()
    const { socket, received } = await open(server)
    const [head, tail] = slowSignIn(server)
    socket.write(head)
    expect((await call(server, 'GET', '/readyz')).status).toBe(200)
    server.child.kill('SIGTERM')
    let draining = await call(server, 'GET', '/readyz')
    await waitUntil(async () => {
      draining = await call(server, 'GET', '/readyz')
      return draining.status === 503
    })
    expect(draining.body).toMatchObject({ code: 'unavailable' })
    expect(draining.headers.get('retry-after')).toBe('1')
    expect((await call(server, 'GET', '/livez')).status).toBe(200)

    server.child.kill('SIGTERM')
    await waitUntil(() => isRefused(server))
    server.child.kill('SIGINT')
    socket.write(tail)
    await waitUntil(() => received().includes('"tokenType"'))
    expect(received()).toMatch(/^HTTP\/1\.1 200 /)
    expect(received().toLowerCase()).toContain('connection: close')
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  test('cuts off a request that never ends, within SHUTDOWN_GRACE_SECONDS', async () => {
    const server = await startServer(2)
    const { socket } = await open(server)
    socket.write(slowSignIn(server)[0])
    const halfSent = await open(server)
    halfSent.socket.write('GET /livez HTTP/1.1\r\nhost: ')
    await sleep(100)
    expect(await server.end()).toEqual({ code: 0, signal: null })
  })

  test('stops the embedded Postgres', async () => {
    const server = await processes.start()
    await server.ready()
    const postgres = postgresPid(server.dataDir) ?? 0
    expect(isAlive(postgres)).toBe(true)
    expect(await server.end()).toEqual({ code: 0, signal: null })
    expect(isAlive(postgres)).toBe(false)
  })
})

describe('a signal during the start', () => {
  const stages: [string, (server: ServerProcess) => boolean][] = [
    ['while the database is made', ({ dataDir }) => existsSync(join(dataDir, 'postgres.password'))],
    ['while Postgres starts', ({ dataDir }) => postgresPid(dataDir) !== undefined],
    ['while the tables are made', ({ dataDir }) => existsSync(join(dataDir, 'database-url'))],
    ['while the demo is made', ({ dataDir }) => existsSync(join(dataDir, 'secret-key'))],
  ]

  test.each(stages)(
    '%s ends it with 0, leaves no Postgres, and the next start works',
    async (...stage) => {
      const [_name, isReached] = stage
      const server = await processes.start()
      await waitUntil(() => isReached(server))
      expect(await server.end()).toEqual({ code: 0, signal: null })
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

import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDemoDatabase } from '../setup/database.ts'
import { fastestDirectory } from '../setup/fastest-directory.ts'
import { freePort } from '../setup/free-port.ts'
import { readMetrics } from '../setup/metrics.ts'
import {
  isAlive,
  postgresPid,
  readDemoFile,
  type ServerProcess,
  serverProcesses,
  waitUntil,
} from '../setup/server-process.ts'
import { workersOf } from '../setup/workers.ts'

const GIVE_UP_MS = 60_000
const processes = serverProcesses(await fastestDirectory())
afterAll(() => processes.cleanUp())

const start = async (env: Record<string, string> = {}) => {
  const server = await processes.start({ env: { WORKERS: '2', ...env } })
  await server.ready()
  return server
}

/** Status of a request on a connection of its own, which either worker may take. */
function statusOf(
  { url }: ServerProcess,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(GIVE_UP_MS)
    const asked = request(url + path, { agent: false, signal, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    asked.on('error', reject).end()
  })
}

/** Undefined while nobody answers. */
const statusNow = (server: ServerProcess, path: string) =>
  statusOf(server, path).catch(() => undefined)

test('a server with two workers says once that it has no operator yet', async () => {
  const server = await start({ DEMO: 'false' })
  await waitUntil(() => server.stdout().includes('"listening"'))
  expect(server.stderr().match(/It has no operator yet/g)).toHaveLength(1)
  await server.end()
})

describe('a server with two workers', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await start()
  })

  test('is two processes, which make the database and the demo once', () => {
    expect(workersOf(server)).toHaveLength(2)
    expect(server.stdout().match(/database migrated/g)).toHaveLength(1)
    expect(server.stderr().match(/is ready at/g)).toHaveLength(1)
    expect(readDemoFile(server.dataDir).baseUrl).toBe(server.url)
  })

  test('answers every new connection while a worker hangs and when it is killed then', async () => {
    const [hanging = 0] = workersOf(server)
    process.kill(hanging, 'SIGSTOP')
    const requests = (count: number) =>
      Promise.all(Array.from({ length: count }, () => statusOf(server, '/livez')))
    const whileItHangs = await requests(20)
    process.kill(hanging, 'SIGKILL')
    expect([...whileItHangs, ...(await requests(20))]).toEqual(Array(40).fill(200))
    await waitUntil(() => workersOf(server).length === 2)
    await waitUntil(() => /another worker listens/.test(server.stdout()))
  })

  test('continues when a worker is killed, and starts another', async () => {
    const [first = 0, second = 0] = workersOf(server)
    process.kill(first, 'SIGKILL')
    await waitUntil(() => !isAlive(first))
    await waitUntil(async () => (await statusNow(server, '/livez')) === 200)
    await waitUntil(() => workersOf(server).length === 2)
    expect(workersOf(server)).toContain(second)
    expect(workersOf(server)).not.toContain(first)
    await waitUntil(() => /"signal":"SIGKILL".*a worker ended/.test(server.stdout()))
  })

  test('starts others when all are killed', async () => {
    const before = workersOf(server)
    for (const pid of before) process.kill(pid, 'SIGKILL')
    await waitUntil(() => workersOf(server).filter((pid) => !before.includes(pid)).length === 2)
    await waitUntil(async () => (await statusNow(server, '/livez')) === 200)
  })

  test('ends in order with SIGTERM, workers and Postgres too', async () => {
    await waitUntil(async () => (await statusNow(server, '/readyz')) === 200)
    const pids = [...workersOf(server), postgresPid(server.dataDir) ?? 0]
    expect(await server.end()).toEqual({ code: 0, signal: null })
    expect(pids.filter(isAlive)).toEqual([])
    // Nothing but what the start says.
    expect(server.stderr()).toMatch(/^\nApp Marketplace with [\s\S]* All credentials: .*\n\n$/)
  })

  test('writes whole lines to the log', () => {
    const lines = server.stdout().trimEnd().split('\n')
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow()
  })
})

describe('a server with workers on a database of its own', () => {
  let database: Awaited<ReturnType<typeof createDemoDatabase>>
  let env: Record<string, string>
  let server: ServerProcess
  let metricsPort: number
  beforeAll(async () => {
    database = await createDemoDatabase()
    metricsPort = await freePort()
    // The next one is for the second worker.
    await freePort()
    env = { DATABASE_URL: database.url, SECRET_KEY: database.secretKey }
    server = await start({
      ...env,
      METRICS_PORT: String(metricsPort),
      DRAIN_SECONDS: '30',
      SHUTDOWN_GRACE_SECONDS: '600',
    })
  })
  afterAll(async () => {
    await processes.cleanUp()
    await database.drop()
  })

  test('has metrics of each worker on a port of its own', async () => {
    for (let n = 0; n < 4; n += 1) await statusOf(server, '/v1/Apps')
    const name = 'http_requests_total{route="/v1/Apps",method="GET",status="2xx"}'
    const counts = await Promise.all(
      [metricsPort, metricsPort + 1].map(async (port) => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
        return readMetrics(text).get(name) ?? 0
      }),
    )
    expect(counts.reduce((sum, count) => sum + count)).toBe(4)
    expect(await statusOf(server, '/metrics')).toBe(404)
  })

  test('has the metrics of a worker that was started again on the same port', async () => {
    const text = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL')
    await waitUntil(() => server.stdout().match(/another worker listens/g)?.length === 2)
    await waitUntil(async () => readMetrics(await text().catch(() => '')).size > 0)
  })

  test('keeps another server off its port, which reports it once', async () => {
    const { port } = new URL(server.url)
    const second = await processes.start({ port: Number(port), env: { ...env, WORKERS: '2' } })
    expect((await second.exited).code).toBe(1)
    expect(second.stderr()).toBe(
      `The port ${port} of 127.0.0.1 is in use. Set PORT to another one.\n`,
    )
  })

  test('ends at once with a second signal', async () => {
    const pids = workersOf(server)
    let hasEnded = false
    void server.exited.then(() => {
      hasEnded = true
    })
    while (!hasEnded) {
      server.child.kill('SIGTERM')
      await sleep(50)
    }
    expect((await server.exited).code).toBe(1)
    await waitUntil(() => !pids.some(isAlive))
  })

  test('ends its workers when it is killed', async () => {
    const killed = await start(env)
    const pids = workersOf(killed)
    expect(pids).toHaveLength(2)
    await killed.end('SIGKILL')
    await waitUntil(() => !pids.some(isAlive))
  })
})

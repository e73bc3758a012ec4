import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountToken, call } from '../setup/client.ts'
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

const LIMIT = 3
/** Of an address without a token: ten times as many. */
const ADDRESS_LIMIT = LIMIT * 10
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
  let operator: string
  /** The sign-in is one request of the address. */
  const left = ADDRESS_LIMIT - 1
  beforeAll(async () => {
    server = await start({ RATE_LIMIT_PER_MINUTE: String(LIMIT) })
    operator = await accountToken(server, readDemoFile(server.dataDir).operator)
  })

  test('is two processes, which make the database and the demo once', () => {
    expect(workersOf(server)).toHaveLength(2)
    expect(server.stdout().match(/database migrated/g)).toHaveLength(1)
    expect(server.stderr().match(/is ready at/g)).toHaveLength(1)
    expect(readDemoFile(server.dataDir).baseUrl).toBe(server.url)
  })

  test('has one limit of requests for both', async () => {
    const seen: number[] = []
    for (let n = 0; n < left + 10; n += 1) seen.push(await statusOf(server, '/v1/Apps'))
    expect(seen.filter((status) => status === 200)).toHaveLength(left)
    expect(seen.filter((status) => status === 429)).toHaveLength(10)
  })

  test('adds up the metrics of both', async () => {
    const { text } = await call(server, 'GET', '/metrics', { token: operator })
    const name = 'http_requests_total{route="/v1/Apps",method="GET",status="2xx"}'
    expect(readMetrics(text).get(name)).toBe(left)
  })

  test('answers every new connection while a worker hangs and when it is killed then', async () => {
    const [hanging = 0] = workersOf(server)
    process.kill(hanging, 'SIGSTOP')
    const requests = (count: number) =>
      Promise.all(Array.from({ length: count }, () => statusOf(server, '/livez')))
    const whileItHangs = await requests(20)
    const headers = { authorization: `Bearer ${operator}` }
    expect(await statusOf(server, '/metrics', headers), 'those of the other worker').toBe(200)
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
  let metricsUrl: string
  beforeAll(async () => {
    database = await createDemoDatabase()
    const port = await freePort()
    metricsUrl = `http://127.0.0.1:${port}/metrics`
    env = { DATABASE_URL: database.url, SECRET_KEY: database.secretKey }
    server = await start({
      ...env,
      METRICS_PORT: String(port),
      DRAIN_SECONDS: '30',
      SHUTDOWN_GRACE_SECONDS: '600',
    })
  })
  afterAll(async () => {
    await processes.cleanUp()
    await database.drop()
  })

  test('has the metrics of all on the port for metrics', async () => {
    for (let n = 0; n < 4; n += 1) await statusOf(server, '/v1/Apps')
    const text = await (await fetch(metricsUrl)).text()
    const name = 'http_requests_total{route="/v1/Apps",method="GET",status="2xx"}'
    expect(readMetrics(text).get(name)).toBe(4)
    expect(await statusOf(server, '/metrics')).toBe(404)
  })

  test('has the memory of the largest and the start of the newest worker', async () => {
    let series: ReadonlyMap<string, number> = new Map()
    const figure = (name: string) => series.get(name) ?? 0
    // A worker that answers too late is left out.
    await waitUntil(async () => {
      series = readMetrics(await (await fetch(metricsUrl)).text())
      return figure('process_resident_memory_bytes') > figure('marketplace_largest_process_bytes')
    })
    const largest = figure('marketplace_largest_process_bytes')
    // The memory of a process is read twice, and changes in between.
    expect(largest).toBeGreaterThan(figure('process_resident_memory_bytes') * 0.45)
    const startedAt = figure('process_start_time_seconds')
    expect(Math.abs(Date.now() / 1000 - startedAt)).toBeLessThan(3_600)
  })

  test('has no count that falls while a worker hangs and when it has died', async () => {
    const counts = async () => {
      const text = await (await fetch(metricsUrl)).text()
      const names = [...text.matchAll(/^# TYPE (\w+) (?:counter|histogram)$/gm)].map(
        ([, name]) => name,
      )
      const isCount = (series: string) =>
        names.some((name) => new RegExp(`^${name}(_bucket|_sum|_count)?(\\{|$)`).test(series))
      return new Map([...readMetrics(text)].filter(([series]) => isCount(series)))
    }
    const before = await counts()
    // Each worker has used some, however the requests were shared.
    expect(before.get('process_cpu_seconds_total')).toBeGreaterThan(0)
    const [hanging = 0] = workersOf(server)
    process.kill(hanging, 'SIGSTOP')
    const whileItHangs = await counts()
    process.kill(hanging, 'SIGKILL')
    await waitUntil(() => /another worker listens/.test(server.stdout()))
    const afterwards = await counts()
    const fallen = [...before].filter(
      ([series, count]) =>
        (whileItHangs.get(series) ?? 0) < count ||
        (afterwards.get(series) ?? 0) < (whileItHangs.get(series) ?? 0),
    )
    expect(fallen).toEqual([])
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

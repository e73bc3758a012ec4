import { connect } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountToken, call, untilTaken } from '../setup/client.ts'
import { createDemoDatabase } from '../setup/database.ts'
import { freePort } from '../setup/free-port.ts'
import { readMetrics } from '../setup/metrics.ts'
import { type ServerProcess, serverProcesses, waitUntil } from '../setup/server-process.ts'

const POOL_SIZE = 2

const processes = serverProcesses()
let database: Awaited<ReturnType<typeof createDemoDatabase>>
let server: ServerProcess
let metricsUrl: string
beforeAll(async () => {
  const port = await freePort()
  metricsUrl = `http://127.0.0.1:${port}`
  database = await createDemoDatabase()
  const { url, secretKey } = database
  server = await processes.start({
    env: {
      METRICS_PORT: String(port),
      DATABASE_URL: url,
      SECRET_KEY: secretKey,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
    },
  })
  await server.ready()
})
afterAll(async () => {
  await processes.cleanUp()
  await database.drop()
})

describe('a port for metrics', () => {
  test('answers without a token', async () => {
    const answer = await fetch(`${metricsUrl}/metrics`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(readMetrics(await answer.text()).get('marketplace_database_up')).toBe(1)
  })

  test('has the figures of the database while requests hold all connections', async () => {
    const lock = new pg.Client({ connectionString: database.url })
    // In a transaction, Postgres shows the same activity again and again.
    const observer = new pg.Client({ connectionString: database.url })
    await Promise.all([lock.connect(), observer.connect()])
    await lock.query('BEGIN; LOCK TABLE apps IN ACCESS EXCLUSIVE MODE')
    // A statement gives up its wait for the lock after four seconds.
    const waiting = [1, 2, 3, 4].map(() => untilTaken(() => call(server, 'GET', '/v1/Apps')))
    try {
      await waitUntil(async () => {
        const { rows } = await observer.query<{ count: number }>(
          `SELECT count(*)::int FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return (rows[0]?.count ?? 0) >= POOL_SIZE
      })
      const series = readMetrics(await (await fetch(`${metricsUrl}/metrics`)).text())
      expect(series.get('marketplace_database_up')).toBe(1)
    } finally {
      await Promise.all([lock.end(), observer.end()])
    }
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
  })

  test('takes metrics off the main port, also for operators', async () => {
    const token = await accountToken(server, database.demo.operator)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${server.url}/metrics`, { headers })).status).toBe(404)
  })

  test('takes each spelling that the main port takes, and names each request', async () => {
    for (const path of ['/metrics/', '/METRICS', '/api/metrics', '/metrics?x=1']) {
      const { status, headers } = await fetch(metricsUrl + path)
      expect([path, status, headers.get('x-request-id')]).toEqual([
        ...[path, 200],
        expect.stringMatching(/^[0-9a-f-]{36}$/),
      ])
    }
  })

  test('has nothing else', async () => {
    expect((await fetch(metricsUrl)).status).toBe(404)
    expect((await fetch(`${metricsUrl}/v1/Apps`)).status).toBe(404)
    expect((await fetch(`${metricsUrl}/metrics`, { method: 'POST' })).status).toBe(405)
  })

  test('survives bytes that are not HTTP', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(metricsUrl).port), '127.0.0.1')
      socket.on('error', () => {}).on('close', () => resolve())
      socket.end('no HTTP\r\n\r\n')
      socket.resume()
    })
    expect((await fetch(`${metricsUrl}/metrics`)).status).toBe(200)
    expect((await call(server, 'GET', '/livez')).status).toBe(200)
  })

  test('that is in use keeps the server from starting, and is named', async () => {
    const port = new URL(metricsUrl).port
    const second = await processes.start({ env: { METRICS_PORT: port } })
    expect((await second.exited).code).toBe(1)
    expect(second.stderr()).toBe(
      `The port ${port} of 127.0.0.1 is in use. Set METRICS_PORT to another one.\n`,
    )
  })

  test('is on an address of its own where METRICS_HOST names one', async () => {
    const port = await freePort()
    const { url, secretKey } = database
    const env = { METRICS_PORT: String(port), METRICS_HOST: '127.0.0.2' }
    const other = await processes.start({
      env: { ...env, DATABASE_URL: url, SECRET_KEY: secretKey },
    })
    await other.ready()
    expect((await fetch(`http://127.0.0.2:${port}/metrics`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
    expect((await call(other, 'GET', '/livez')).status).toBe(200)
    const second = await processes.start({ env })
    expect((await second.exited).code).toBe(1)
    expect(second.stderr()).toBe(
      `The port ${port} of 127.0.0.2 is in use. Set METRICS_PORT to another one.\n`,
    )
    await other.end()
  })

  test('closes with the server', async () => {
    const answer = await fetch(`${metricsUrl}/metrics`)
    await answer.text()
    expect(await server.end()).toEqual({ code: 0, signal: null })
    await expect(fetch(`${metricsUrl}/metrics`)).rejects.toThrow()
  })
})

import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../../src/config.ts'
import { workerSettings } from '../../../../src/process/start/workers/supervisor.ts'
import { restartWaitMs } from '../../../../src/process/start/workers/worker-pool.ts'

const DATABASE = {
  DATABASE_URL: 'postgresql://a:b@localhost/c',
  SECRET_KEY: 'q83vEjRWeJASNFZ4mrze8KvN7xI0VniQEjRWeJq83vA=',
}

describe('a worker that dies', () => {
  test('is started again after twice the wait each time, up to half a minute', () => {
    const waits = [0]
    for (let n = 0; n < 9; n += 1) waits.push(restartWaitMs(waits.at(-1) ?? 0, 10))
    expect(waits.slice(1)).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  test('and was well for a minute is started again soon', () => {
    expect(restartWaitMs(30_000, 60_000)).toBe(250)
  })
})

describe('workers', () => {
  const settingsOf = (env: Record<string, string>) =>
    workerSettings(loadConfig(env), { url: 'postgresql://x', secretKey: 'y' }, 1)

  test('share the connections and hashes of the server', () => {
    const env = { WORKERS: '4', DATABASE_POOL_SIZE: '21', ARGON2_CONCURRENCY: '9' }
    expect(settingsOf(env)).toEqual({
      DATABASE_URL: 'postgresql://x',
      SECRET_KEY: 'y',
      DATABASE_URL_FILE: '',
      SECRET_KEY_FILE: '',
      DEMO: 'false',
      WORKERS: '1',
      DATABASE_POOL_SIZE: '5',
      ARGON2_CONCURRENCY: '2',
    })
  })

  test('have ports of their own for metrics, of which none is the port of the server', () => {
    expect(settingsOf({ WORKERS: '2', METRICS_PORT: '9464' })).toMatchObject({
      METRICS_PORT: '9465',
    })
    const ports = (env: Record<string, string>) => () => loadConfig({ WORKERS: '4', ...env })
    expect(ports({ PORT: '9467', METRICS_PORT: '9464' })).toThrow('PORT is among them')
    expect(ports({ PORT: '9468', METRICS_PORT: '9464' })).not.toThrow()
    expect(ports({ METRICS_PORT: '65533' })).toThrow('leaves no port for each worker')
  })

  test('have two connections and one hash at least', () => {
    const env = { WORKERS: '8', DATABASE_POOL_SIZE: '4', ARGON2_CONCURRENCY: '1' }
    expect(settingsOf(env)).toMatchObject({ DATABASE_POOL_SIZE: '2', ARGON2_CONCURRENCY: '1' })
  })

  test('compute a hash for each core but one by default, and at most three each', () => {
    const hashes = (env: Record<string, string>) => loadConfig(env).argon2Concurrency
    const cores = availableParallelism()
    expect(hashes({})).toBe(Math.min(3, Math.max(1, cores - 1)))
    expect(hashes({ ...DATABASE, WORKERS: '64' })).toBe(Math.max(1, cores - 1))
    expect(hashes({ ARGON2_CONCURRENCY: '9' })).toBe(9)
  })

  test('are as many as there are cores with `auto`, and one unless said otherwise', () => {
    expect(loadConfig({ ...DATABASE, WORKERS: 'auto' }).workers).toBe(availableParallelism())
    expect(loadConfig({}).workers).toBe(1)
  })

  test('are no more on the embedded Postgres than it has connections for', () => {
    expect(() => loadConfig({ WORKERS: '9' })).toThrow('WORKERS: is more than 8')
    expect(loadConfig({ ...DATABASE, WORKERS: '9' }).workers).toBe(9)
    const pool = (size: number) => ({ WORKERS: '4', DATABASE_POOL_SIZE: String(size) })
    expect(() => loadConfig(pool(60))).toThrow('DATABASE_POOL_SIZE: makes up to 96 connections')
    expect(loadConfig(pool(59)).databasePoolSize).toBe(59)
    expect(loadConfig({ ...DATABASE, ...pool(60) }).databasePoolSize).toBe(60)
  })

  test.each(['0', '257', 'many', '1.5'])('are not %s', (count) => {
    expect(() => loadConfig({ WORKERS: count })).toThrow('WORKERS: ')
  })
})

import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { runningDatabaseUrl, saveDatabaseUrl } from '../../../src/process/start/data-dir.ts'
import { joinDatabaseUrl } from '../../../src/process/start/runtime.ts'
import { COMPILE_CACHE } from '../../setup/compile-cache.ts'
import { canUnshare, cleanUp, isRoot, temporaryDir } from '../../setup/embedded-postgres.ts'
import { waitUntil } from '../../setup/server-process.ts'

const CLI = fileURLToPath(new URL('../../../src/process/cli/main.ts', import.meta.url))

afterEach(cleanUp)

test('a command that started the database keeps it until other commands are done', async () => {
  const config = { databaseUrl: undefined, dataDir: join(temporaryDir(), 'data') }
  const database = await joinDatabaseUrl(config)
  const other = await joinDatabaseUrl(config)
  const client = new pg.Client({ connectionString: other.url })
  await client.connect()
  const closing = database.close()
  await waitUntil(async () => {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND backend_type = 'client backend'`,
    )
    return rows[0]?.count === 2
  })
  await other.close()
  await client.query('SELECT 1')
  await client.end()
  await closing
  await expect(new pg.Client({ connectionString: other.url }).connect()).rejects.toThrow()
})

test('a command joins no server that was killed: it says what else is wrong', async () => {
  const dataDir = temporaryDir()
  await saveDatabaseUrl(dataDir, 'postgresql://marketplace@/marketplace?host=/of-a-killed-server')
  writeFileSync(join(dataDir, 'postgres'), '')
  await expect(joinDatabaseUrl({ databaseUrl: undefined, dataDir })).rejects.toThrow(
    /^Cannot use the data directory/,
  )
})

test('a file of the data directory that cannot be read is named', async () => {
  const dataDir = temporaryDir()
  mkdirSync(join(dataDir, 'database-url'))
  await expect(runningDatabaseUrl(dataDir)).rejects.toMatchObject({
    name: 'DataDirError',
    message: `Cannot read ${dataDir}/database-url: EISDIR. Make it a file of the server's user.`,
  })
})

test('a command with another SECRET_KEY than that of the database says so', () => {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE }
  const DATA_DIR = join(temporaryDir(), 'data')
  const call = (more = {}) =>
    spawnSync(process.execPath, [CLI, 'party', 'list'], { env: { ...env, DATA_DIR, ...more } })
  expect(call().status).toBe(0)
  const { status, stderr } = call({ SECRET_KEY: randomBytes(32).toString('base64') })
  expect(status).toBe(1)
  expect(String(stderr)).toMatch(/^SECRET_KEY does not fit the database: .*\.\n$/)
})

test.runIf(canUnshare || !isRoot).each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a command that %s ends takes its database along', async (signal, code) => {
  const dataDir = join(temporaryDir(), 'data')
  const child = spawn(process.execPath, [CLI, 'party', 'list'], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, DATA_DIR: dataDir },
    stdio: 'ignore',
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await waitUntil(() => existsSync(join(dataDir, 'database-url')))
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const postgres = Number(readFileSync(file, 'utf8').split('\n')[0])
  child.kill(signal)
  expect(await exited).toBe(code)
  await waitUntil(() => !existsSync(`/proc/${postgres}`))
})

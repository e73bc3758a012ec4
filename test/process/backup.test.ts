import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readArchive } from '../../src/operation/backup/read-archive.ts'
import { lockDirectory } from '../../src/operation/embedded-postgres/directory-lock.ts'
import { type Backups, everything, NO_DIRECTORY, query, startBackups } from '../setup/backups.ts'
import { runCli, runCliProcess } from '../setup/cli.ts'
import { accountToken, call } from '../setup/client.ts'
import { enrol } from '../setup/second-factor.ts'
import { isAlive, postgresPid, waitUntil } from '../setup/server-process.ts'

const CLI = new URL('../../src/process/cli/main.ts', import.meta.url).pathname
/** Backups and restores that wait for somebody else's lock. */
const WAITING_BACKUPS = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'app-marketplace backup' AND wait_event_type = 'Lock'`

let backups: Backups
let made: { rows: number; tables: Record<string, number>; keyFingerprint: string; bytes: number }
beforeAll(async () => {
  backups = await startBackups(async (market) => {
    const name = 'Zoë \\. Ünïcode\ttab\nline "quoted" 🙂'
    await market.deps.db.user.updateMany({ data: { name } })
    const [person] = market.demo.users
    if (person === undefined) throw new Error('the demo has no user')
    await enrol(market, person)
  })
  const { code, stdout, stderr } = backups.made
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  made = JSON.parse(stdout)
})
afterAll(() => backups.close())

test('a backup lists its contents, and only its owner may read it', async () => {
  const { market, directory, file } = backups
  expect(made).toMatchObject({
    file,
    release: expect.stringMatching(/^app-marketplace \d/),
    schema: expect.stringMatching(/^\d{14}_/),
    keyFingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    bytes: (await stat(file)).size,
    tables: { developers: 2, users: expect.any(Number) },
  })
  expect(made.tables.products).toBeGreaterThan(10)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(directory)).toEqual(['marketplace.backup'])
  expect((await readFile(file)).includes(market.deps.secretKey)).toBe(false)
})

test('a restored database equals the original, and a server works on it', async () => {
  const { market, env, emptyDatabase, restoreInto } = backups
  const url = await emptyDatabase()
  const { code, stdout, stderr } = await restoreInto(url)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ rows: made.rows, tables: made.tables })
  expect(await everything(url)).toEqual(await everything(market.databaseUrl))
  const users = await runCli(NO_DIRECTORY, ['user', 'list'], { env: { ...env, DATABASE_URL: url } })
  expect(JSON.parse(users.stdout)[0].name).toContain('Zoë \\. Ünïcode\ttab\nline "quoted" 🙂')
  const created = ['party', 'create', '--name', 'After', '--type', 'Seller']
  expect((await runCli(NO_DIRECTORY, created, { env: { ...env, DATABASE_URL: url } })).code).toBe(0)
})

test('a backup is of one moment, while servers write', async () => {
  const { market, directory, env } = backups
  const token = await accountToken(market, market.demo.operator)
  let isOver = false
  let count = 0
  const writing = (async () => {
    while (!isOver) {
      const body = { name: `Party ${count}`, type: 'Seller' }
      const { status } = await call(market, 'POST', '/v1/Operator/Parties', { token, body })
      expect(status).toBe(201)
      count += 1
    }
  })()
  const busy = join(directory, 'busy.backup')
  const { code } = await runCli(NO_DIRECTORY, ['backup', busy], { env })
  isOver = true
  await writing
  expect(code).toBe(0)
  expect(count).toBeGreaterThan(0)
  const verified = await runCli(NO_DIRECTORY, ['backup', 'verify', busy], { env })
  expect(verified.code).toBe(0)
})

describe('backup verify', () => {
  test('uses an embedded Postgres of its own, also where DATABASE_URL names a server', async () => {
    const { market, file, env } = backups
    const { deps } = market
    const unreachable = { ...env, DATABASE_URL: 'postgresql://m@127.0.0.1:1/m' }
    for (const given of [{ SECRET_KEY: deps.secretKey }, unreachable]) {
      const { code, stdout } = await runCli(NO_DIRECTORY, ['backup', 'verify', file], {
        env: given,
      })
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ rows: made.rows, secretsDecrypted: 3 })
    }
    expect(existsSync(NO_DIRECTORY)).toBe(false)
  })

  test('needs a temporary directory that it may write, and says so', async () => {
    const { file, env, directory } = backups
    for (const temporary of [join(directory, 'missing'), file]) {
      const refused = await runCliProcess(NO_DIRECTORY, ['backup', 'verify', file], {
        env: { ...env, TMPDIR: temporary },
      })
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(
        /^Cannot make a directory for the scratch [^\n]+TMPDIR[^\n]+\n$/,
      )
      expect(refused.stderr).toContain(temporary)
    }
  })
})

test('backup verify removes what a killed one has left, and nothing that is in use', async () => {
  const { market, file } = backups
  const directory = await mkdtemp(join(tmpdir(), 'verify-'))
  const inUse = join(directory, 'app-marketplace-scratch-in-use')
  const justMade = join(directory, 'app-marketplace-scratch-just-made')
  for (const dir of [inUse, justMade]) await mkdir(join(dir, 'data'), { recursive: true })
  await writeFile(join(justMade, 'data', 'server.lock'), '')
  const unlock = await lockDirectory(join(inUse, 'data'))
  const env = { SECRET_KEY: market.deps.secretKey, TMPDIR: directory }
  // It kills itself when its Postgres runs, however slow we are.
  const script = join(backups.directory, 'kill.mjs')
  await writeFile(
    script,
    `import { readdirSync } from 'node:fs'
    import { postgresPid } from '${new URL('../setup/server-process.ts', import.meta.url)}'
    const parent = process.env.TMPDIR
    const isRunning = (name) => postgresPid(parent + '/' + name + '/data') !== undefined
    const look = () => readdirSync(parent).some(isRunning) && process.kill(process.pid, 'SIGKILL')
    setInterval(look, 1).unref()`,
  )
  const killed = spawn(process.execPath, [`--import=${script}`, CLI, 'backup', 'verify', file], {
    env: { PATH: process.env.PATH, ...env },
  })
  const lefts = async () => {
    const names = (await readdir(directory)).map((name) => join(directory, name))
    return names.filter((path) => ![inUse, justMade].includes(path))
  }
  const pidOf = async () => {
    const found = (await lefts()).map((path) => postgresPid(join(path, 'data')))
    return found.find((pid) => pid !== undefined)
  }
  const [, signal] = await once(killed, 'exit')
  expect(signal).toBe('SIGKILL')
  const postgres = (await pidOf()) ?? 0
  try {
    expect(isAlive(postgres)).toBe(true)
    const { code } = await runCliProcess(NO_DIRECTORY, ['backup', 'verify', file], { env })
    expect(code).toBe(0)
    expect(await lefts()).toEqual([])
    expect(isAlive(postgres)).toBe(false)
    expect(existsSync(inUse) && existsSync(justMade)).toBe(true)
  } finally {
    if (isAlive(postgres)) process.kill(postgres, 'SIGQUIT')
    unlock()
    await rm(directory, { recursive: true, maxRetries: 5 })
  }
})

test('a restore that is killed leaves the database empty, and can be repeated', async () => {
  const { file, env, emptyDatabase, restoreInto } = backups
  const url = await emptyDatabase()
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  // The restore is held up once it has made the tables: nobody else may make a table of this name.
  await holder.query('BEGIN; CREATE TABLE webhook_attempts (id int)')
  const child = spawn(process.execPath, [CLI, 'restore', file], {
    env: { PATH: process.env.PATH, ...env, DATABASE_URL: url },
  })
  await waitUntil(async () => (await query(url, WAITING_BACKUPS)).length === 1)
  const server = runCliProcess(NO_DIRECTORY, ['migrate'], { env: { ...env, DATABASE_URL: url } })
  child.kill('SIGKILL')
  await holder.query('ROLLBACK')
  await holder.end()
  // A server that started meanwhile sees nothing of the restore: it makes a marketplace of its own.
  expect((await server).code).toBe(0)
  expect(await query(url, 'SELECT 1 FROM users')).toEqual([])
  const again = await emptyDatabase()
  expect((await restoreInto(again)).code).toBe(0)
})

test('a backup is made beside what a killed one has left, also of the same process id', async () => {
  const { directory, env } = backups
  const target = join(directory, 'again.backup')
  // Every attempt of a container has the process id that the killed one had.
  await writeFile(`${target}.${process.pid}.tmp`, 'half of a backup')
  expect((await runCli(NO_DIRECTORY, ['backup', target], { env })).code).toBe(0)
  expect((await runCli(NO_DIRECTORY, ['backup', 'verify', target], { env })).code).toBe(0)
})

test('a backup removes what killed ones of its name have left, and nothing that may be written', async () => {
  const { directory, env } = backups
  const target = join(directory, 'nightly.backup')
  const left = `${target}.0123456789ab.tmp`
  const written = `${target}.ba9876543210.tmp`
  const others = [`${target}.notes.tmp`, join(directory, 'nightly.backup2.0123456789ab.tmp')]
  for (const path of [left, written, ...others]) await writeFile(path, 'half of a backup')
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
  for (const path of [left, ...others]) await utimes(path, hoursAgo, hoursAgo)
  expect((await runCli(NO_DIRECTORY, ['backup', target], { env })).code).toBe(0)
  const beside = [written, ...others].map((path) => basename(path))
  const found = (await readdir(directory)).filter((name) => name.startsWith('nightly.'))
  expect(found.sort()).toEqual(['nightly.backup', ...beside].sort())
})

test('of two backups to one name at once one gets it, and the other says that it is taken', async () => {
  const { market, directory, env } = backups
  const target = join(directory, 'twice.backup')
  const holder = new pg.Client({ connectionString: market.databaseUrl })
  await holder.connect()
  try {
    // Both have begun their file when they come to this table.
    await holder.query('BEGIN; LOCK TABLE webhook_attempts')
    const both = Promise.all(
      [1, 2].map(() => runCliProcess(NO_DIRECTORY, ['backup', target], { env })),
    )
    await waitUntil(async () => (await query(market.databaseUrl, WAITING_BACKUPS)).length === 2)
    await holder.query('ROLLBACK')
    const [made, refused] = (await both).sort((one, other) => (one.code ?? 2) - (other.code ?? 2))
    expect([made?.code, refused?.code]).toEqual([0, 1])
    expect(refused?.stderr).toContain('is there already')
    expect(JSON.parse(made?.stdout ?? '').bytes).toBe((await stat(target)).size)
  } finally {
    await holder.end()
  }
  const found = (await readdir(directory)).filter((name) => name.startsWith('twice.'))
  expect(found).toEqual(['twice.backup'])
})

function hasPgRestore(): boolean {
  try {
    const version = execFileSync('pg_restore', ['--version'], { encoding: 'utf8' })
    return Number(/(\d+)/.exec(version)?.[1]) >= 12
  } catch {
    return false
  }
}

describe.skipIf(!hasPgRestore())('pg_restore', () => {
  test('lists the contents of a backup, and makes SQL that makes the same database', async () => {
    const { market, file, emptyDatabase } = backups
    const list = execFileSync('pg_restore', ['-l', file], { encoding: 'utf8' })
    expect(list).toContain('TABLE DATA')
    expect(list).toMatch(/TABLE DATA .*products/)
    const url = await emptyDatabase()
    execFileSync('pg_restore', ['--single-transaction', '--no-owner', '-d', url, file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [left, right] = await Promise.all([everything(url), everything(market.databaseUrl)])
    expect(left.products).toEqual(right.products)
    expect(left.indexes).toEqual(right.indexes)
    expect(left.constraints).toEqual(right.constraints)
  })
})

test('reading an archive keeps only a piece of it in memory', async () => {
  const { file } = backups
  async function* small() {
    for (const byte of await readFile(file)) yield Buffer.of(byte)
  }
  const archive = await readArchive(small())
  const [first] = archive.entries.filter(({ copy }) => copy !== '')
  if (first === undefined) throw new Error('the backup has no rows')
  let length = 0
  for await (const chunk of archive.rowsOf(first)) length += chunk.length
  expect(length).toBeGreaterThan(0)
})

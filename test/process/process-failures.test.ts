import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { startEmbeddedPostgres } from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import { saveDatabaseUrl } from '../../src/process/start/data-dir.ts'
import { call } from '../setup/client.ts'
import { createTestDatabase, type TestDatabase, withDatabase } from '../setup/database.ts'
import { fastestDirectory } from '../setup/fastest-directory.ts'
import {
  postgresPid,
  readDemoFile,
  type ServerProcess,
  serverProcesses,
  waitUntil,
} from '../setup/server-process.ts'

const processes = serverProcesses(await fastestDirectory())
afterAll(() => processes.cleanUp())

const newKey = () => randomBytes(32).toString('base64')

/** Ends by itself with code 1 and a message for the operator: no stack, nothing of our sources. */
async function expectFailure(server: ServerProcess): Promise<string> {
  expect(await server.exited).toEqual({ code: 1, signal: null })
  const message = server.stderr()
  expect(message).not.toMatch(/\n\s+at |\.ts:|node:internal|\[object|undefined|Error:/)
  expect(message).toMatch(/\w.*\n$/)
  expect(message).not.toContain('is ready at')
  return message
}

const startAgainst = (databaseUrl: string, env: Record<string, string> = {}) =>
  processes.start({ env: { DATABASE_URL: databaseUrl, SECRET_KEY: newKey(), ...env } })

describe('two servers', () => {
  let first: ServerProcess
  beforeAll(async () => {
    first = await processes.start()
    await first.ready()
  })
  afterAll(() => first.end())

  test('on one DATA_DIR: the second reports it and exits 1, the first continues', async () => {
    const { dataDir } = first
    const second = await processes.start({ dataDir })
    const message = await expectFailure(second)
    expect(message).toMatch(/Another server \(pid \d+\) is using the data directory/)
    expect(message).toContain(String(first.child.pid))
    expect((await call(first, 'GET', '/readyz')).status).toBe(200)
    expect(existsSync(join(dataDir, 'database-url'))).toBe(true)
    expect(readDemoFile(dataDir).baseUrl).toBe(first.url)
  })

  test('on one port: the second reports it and exits 1 before it makes anything', async () => {
    const port = Number(new URL(first.url).port)
    const second = await processes.start({ port })
    const message = await expectFailure(second)
    expect(message).toBe(`The port ${port} of 127.0.0.1 is in use. Set PORT to another one.\n`)
    expect(existsSync(second.dataDir)).toBe(false)
    expect((await call(first, 'GET', '/readyz')).status).toBe(200)
  })
})

describe('an uncaught error', () => {
  /** Of the first of them. */
  let dataDir: string | undefined
  const error = `Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432 "secret"'), {
    code: 'ECONNREFUSED', syscall: 'connect', address: '10.1.2.3', port: 5432 })`

  test.each([
    ['a rejection', `Promise.reject(${error})`],
    ['an exception', `throw ${error}`],
    ['a rejection with no error', `Promise.reject('secret')`],
  ])('%s is one line of the log, and ends the server with 1', async (_name, fault) => {
    const script = join(mkdtempSync(join(tmpdir(), 'fault-test-')), 'fault.mjs')
    writeFileSync(script, `process.once('SIGUSR2', () => { ${fault} })`)
    const NODE_OPTIONS = `--import=${script}`
    const server = await processes.start({
      ...(dataDir !== undefined && { dataDir }),
      env: { DEMO: 'false', NODE_OPTIONS },
    })
    dataDir = server.dataDir
    await server.ready()
    server.child.kill('SIGUSR2')
    expect(await server.exited).toEqual({ code: 1, signal: null })
    expect(server.stderr()).toMatch(/^App Marketplace is ready at .*\n.*\n.*operator invite.*\n$/)
    const [last = ''] = server.stdout().trimEnd().split('\n').slice(-1)
    expect(JSON.parse(last)).toMatchObject({
      level: 'fatal',
      msg: 'unexpected failure',
      err: { message: expect.any(String) },
    })
    expect(server.stdout()).not.toMatch(/10\.1\.2\.3|secret"/)
    await waitUntil(() => postgresPid(server.dataDir) === undefined)
    rmSync(dirname(script), { recursive: true })
  })
})

describe('a configuration that cannot work', () => {
  test('is reported with all its problems at once', async () => {
    const env = { PORT: '70000', LOG_LEVEL: 'loud', PUBLIC_URL: 'ftp://x', SECRET_KEY: 'changeme' }
    const server = await processes.start({ env })
    const message = await expectFailure(server)
    for (const name of Object.keys(env)) expect(message).toMatch(new RegExp(`^ {2}${name}: `, 'm'))
    expect(existsSync(server.dataDir)).toBe(false)
  })

  test('PORT is one that can be known before it is bound, for the issuer of tokens', () => {
    for (const PORT of ['0', '65536']) expect(() => loadConfig({ PORT })).toThrow('PORT: ')
  })

  test.skipIf(!existsSync('/proc/self'))(
    'a DATA_DIR where nobody can make one is named',
    async () => {
      const dataDir = '/proc/marketplace'
      await expect(saveDatabaseUrl(dataDir, 'x')).rejects.toMatchObject({
        name: 'DataDirError',
        message: expect.stringMatching(/^Cannot write \/proc\/marketplace\/.* Set DATA_DIR to/),
      })
      await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
        name: 'EmbeddedPostgresError',
        message: expect.stringMatching(/^Cannot use the data directory \/proc\/marketplace: /),
      })
    },
  )

  test('DATABASE_URL without SECRET_KEY names the variable', async () => {
    const env = { DATABASE_URL: 'postgresql://user:database-password@127.0.0.1:1/x' }
    const message = await expectFailure(await processes.start({ env }))
    expect(message).toContain('SECRET_KEY: is required with DATABASE_URL')
    expect(message).not.toContain('database-password')
  })

  test('HOST of another machine is named', async () => {
    const database = await createTestDatabase()
    const SECRET_KEY = newKey()
    for (const HOST of ['192.0.2.1', 'no-such-host.invalid']) {
      const server = await startAgainst(database.url, { HOST, SECRET_KEY })
      expect(await expectFailure(server)).toMatch(/^HOST: /)
    }
    await database.drop()
  })

  test('a kept key that is damaged is named, and the Postgres stopped', async () => {
    const server = await processes.start({ env: { DEMO: 'false', LOG_LEVEL: 'silent' } })
    mkdirSync(server.dataDir, { recursive: true })
    writeFileSync(join(server.dataDir, 'secret-key'), 'half a k')
    expect(await expectFailure(server)).toContain('holds no key of 32 bytes in base64')
    expect(postgresPid(server.dataDir)).toBeUndefined()
    expect(readFileSync(join(server.dataDir, 'secret-key'), 'utf8')).toBe('half a k')
  })
})

describe('a database that cannot be used', () => {
  let database: TestDatabase
  const listeners: Server[] = []
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true })
  })
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.close()
  })
  afterAll(() => database.drop())

  /** A port of this machine behind which no Postgres is. */
  async function listen(answer: string | undefined): Promise<number> {
    const listener = createServer((socket) => {
      socket.on('error', () => {})
      if (answer !== undefined) socket.end(answer)
    })
    listeners.push(listener)
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    return (listener.address() as { port: number }).port
  }

  test.each([
    ['nobody listens', () => 'postgresql://u:database-password@127.0.0.1:1/x', /ECONNREFUSED/],
    ['nobody listens at a name', () => 'postgresql://u:database-password@localhost:1/x', /ECONN/],
    [
      'nobody listens for TLS',
      () => 'postgresql://u:database-password@127.0.0.1:1/x?sslmode=require',
      /ECONNREFUSED/,
    ],
    [
      'the host is unknown',
      () => 'postgresql://u:database-password@no-such-host.invalid/x',
      /ENOTFOUND|EAI_AGAIN/,
    ],
    [
      'the server has no such database',
      () => withDatabase(inject('serverUrl'), 'no_such_database'),
      /database "no_such_database" does not exist/,
    ],
    [
      'something else answers',
      async () =>
        `postgresql://u:database-password@127.0.0.1:${await listen('HTTP/1.1 400\r\n')}/x`,
      /cannot be used/,
    ],
    [
      'nobody answers',
      async () => `postgresql://u:database-password@127.0.0.1:${await listen(undefined)}/x`,
      /timeout/,
    ],
  ])('when %s: a clear message, exit 1', async (_name, url, reason) => {
    const server = await startAgainst(await url())
    const message = await expectFailure(server)
    expect(message).toMatch(/^The database of DATABASE_URL cannot be used: /)
    expect(message).toMatch(reason)
    expect(message + server.stdout()).not.toContain('database-password')
  })

  test('whose role may not make tables: the message names the missing right', async () => {
    const role = `reader_${randomBytes(4).toString('hex')}`
    const fresh = await createTestDatabase({ empty: true })
    const admin = new pg.Client({ connectionString: fresh.url })
    await admin.connect()
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'database-password'`)
    onTestFinished(async () => {
      await admin.query(`DROP ROLE ${role}`)
      await admin.end()
      await fresh.drop()
    })
    const url = fresh.url.replace(/\/\/[^@]*@/, `//${role}:database-password@`)
    const message = await expectFailure(await startAgainst(url))
    expect(message).toMatch(
      /^The role of DATABASE_URL may not make the tables .* permission denied/,
    )
  })

  test('that another server is migrating: the server waits, and reports for whom', async () => {
    const fresh = await createTestDatabase({ empty: true })
    const holder = new pg.Client({ connectionString: fresh.url, application_name: 'somebody' })
    await holder.connect()
    await holder.query('SELECT pg_advisory_lock(72707369)')
    const server = await startAgainst(fresh.url)
    await waitUntil(() => server.stdout().includes('waiting for the lock of the migrations'))
    expect(server.stdout()).toMatch(/"holder":"pid \d+, somebody"/)
    await holder.end()
    await server.ready()
    await server.end()
    await fresh.drop()
  })

  test('with the secrets of another SECRET_KEY: the message names it', async () => {
    const SECRET_KEY = newKey()
    const first = await startAgainst(database.url, { SECRET_KEY, DEMO: 'true' })
    await first.ready()
    const { headers } = await call(first, 'GET', '/v1/Apps?limit=1')
    await first.end()
    const message = await expectFailure(await startAgainst(database.url))
    expect(message).toMatch(/^SECRET_KEY does not fit the database: .*SECRET_KEY_PREVIOUS/)

    const rotated = await startAgainst(database.url, { SECRET_KEY_PREVIOUS: SECRET_KEY })
    await rotated.ready()
    const [, next = ''] =
      /<[^>]*?(\/v1\/Apps\?[^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    const { status, body } = await call(rotated, 'GET', next)
    expect(status, 'a cursor that the former key has signed').toBe(200)
    expect(body).toHaveLength(1)
    await rotated.end()
  })

  test('but an empty one with DEMO=true gets a demo marketplace and a DATA_DIR', async () => {
    const fresh = await createTestDatabase({ empty: true })
    const demo = await startAgainst(fresh.url, { DEMO: 'true' })
    await demo.ready()
    expect(readDemoFile(demo.dataDir).users).toHaveLength(4)
    expect(postgresPid(demo.dataDir)).toBeUndefined()
    await demo.end()
    await fresh.drop()
  })
})

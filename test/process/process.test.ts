import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../setup/client.ts'
import { fastestDirectory } from '../setup/fastest-directory.ts'
import {
  isAlive,
  postgresPid,
  readDemoFile,
  type ServerProcess,
  serverProcesses,
  waitUntil,
} from '../setup/server-process.ts'
import { cookieLine, signedIn } from '../setup/web-client.ts'

const processes = serverProcesses(await fastestDirectory())
/** Of the first start; later ones go on with it. */
let dataDir: string
let first: ServerProcess
beforeAll(async () => {
  first = await processes.start({ env: { LOG_LEVEL: 'trace' } })
  await first.ready()
  dataDir = first.dataDir
})
afterAll(() => processes.cleanUp())

const run = promisify(execFile)

/** The lines to be pasted that the start printed. */
function printedCommands({ stderr }: ServerProcess): string[] {
  const lines = stderr().split('\n')
  return lines.filter((line) => /^ {2}(\w+=\$\()?curl /.test(line))
}

/** All of standard error: no line of the log, no warning. */
const GREETING =
  /^\nApp Marketplace with a demo marketplace is ready at [\s\S]* All credentials: .*\n\n$/

async function signIn(server: ServerProcess) {
  const [developer] = readDemoFile(server.dataDir).developers
  const { clientId, password } = developer as { clientId: string; password: string }
  return call(server, 'POST', '/v1/Auth', { body: { clientId, password } })
}

/** What a user sees of the database: signs in, which writes a session. */
async function signInInBrowser(server: ServerProcess): Promise<string> {
  const [user] = readDemoFile(server.dataDir).users
  const client = await signedIn(server, user as { email: string; password: string })
  return client.cookies.get('session') ?? ''
}

async function isSignedIn(server: ServerProcess, cookie: string): Promise<boolean> {
  const headers = { accept: 'text/html', cookie: cookieLine(server, [['session', cookie]]) }
  return (await call(server, 'GET', '/', { headers })).text.includes('Your apps')
}

describe('the first start', () => {
  afterAll(() => processes.endAll())

  test('prints the address', () => {
    expect(first.stderr()).toContain(`is ready at ${first.url}\n`)
  })

  test('prints curl lines that work when a shell runs them', async () => {
    const script = printedCommands(first)
    expect(script).toHaveLength(4)
    const { stdout } = await run('sh', ['-ec', script.join('\necho ---\n')])
    const [installations = '', products = ''] = stdout.split('---\n').filter((part) => part.trim())
    expect(JSON.parse(installations)).toHaveLength(3)
    const rows = JSON.parse(products)
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatchObject({ brand: expect.any(String), partNumber: expect.any(String) })
  })

  test('writes demo.json, readable only by its owner, with all credentials', async () => {
    expect(statSync(join(dataDir, 'demo.json')).mode & 0o777).toBe(0o600)
    const demo = readDemoFile(dataDir)
    const secret = expect.stringMatching(/^.{20,}$/)
    expect(demo).toEqual({
      baseUrl: first.url,
      operator: { email: expect.stringContaining('@'), password: secret },
      developers: expect.any(Array),
      users: expect.any(Array),
      installations: expect.any(Array),
    })
    expect(demo.developers.length).toBeGreaterThanOrEqual(2)
    for (const developer of demo.developers) {
      expect(developer).toEqual({
        name: expect.any(String),
        clientId: expect.any(String),
        password: secret,
        apps: expect.arrayContaining([expect.any(String)]),
        person: { email: expect.stringContaining('@'), password: secret },
      })
      const { clientId, password } = developer
      const auth = await call(first, 'POST', '/v1/Auth', { body: { clientId, password } })
      expect(auth.status).toBe(200)
    }
    for (const user of demo.users) {
      expect(user).toEqual({
        email: expect.stringContaining('@'),
        password: secret,
        partyId: expect.any(Number),
        partyName: expect.any(String),
        partyType: expect.stringMatching(/^(Buyer|Seller|None)$/),
      })
    }
    const types = demo.users.map(({ partyType }) => partyType)
    expect(types.filter((type) => type === 'Seller').length).toBeGreaterThanOrEqual(2)
    expect(types).toEqual(expect.arrayContaining(['Buyer', 'None']))
    const apps = demo.developers.flatMap((developer) => developer.apps)
    expect(new Set(apps).size).toBeGreaterThanOrEqual(3)
    const sellers = demo.users.filter(({ partyType }) => partyType === 'Seller')
    for (const developer of demo.developers) {
      const own = demo.installations.filter(({ appId }) => developer.apps.includes(appId))
      expect(own.some((one) => sellers.some(({ partyId }) => partyId === one.partyId))).toBe(true)
    }
  })

  test('prints a person who opens the developer console, and each developer has one', async () => {
    const { developers } = readDemoFile(dataDir)
    const { email, password } = developers[0]?.person ?? {}
    expect(first.stderr()).toContain(
      `Open the developer console, as ${email} with the password ${password}:\n\n  ${first.url}/Developer\n`,
    )
    for (const { clientId, person } of developers) {
      const browser = await signedIn(first, person)
      expect((await browser.get('/Developer/Credentials')).text).toContain(clientId)
    }
  })

  test('makes files that only its user can read', () => {
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    for (const name of ['database-url', 'demo.json', 'secret-key', 'postgres.password']) {
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600])
    }
  })

  test('writes JSON lines beside its greeting, without a secret', async () => {
    const server = first
    const { body } = await signIn(server)
    const [user] = readDemoFile(server.dataDir).users
    const cookie = await signInInBrowser(server)
    const sent = await call(server, 'GET', '/Apps/Authenticate/price-sync?state=secret-state', {
      headers: { accept: 'text/html', cookie: cookieLine(server, [['session', cookie]]) },
    })
    const location = sent.headers.get('location') ?? ''
    expect(location.startsWith(`${server.url}/Demo/Receiver/price-sync?token=`)).toBe(true)
    const token = new URL(location).searchParams.get('token') ?? 'none'
    await call(server, 'GET', '/v1/Products', { token })
    await call(server, 'GET', `/v1/Products?token=${token}`, { token: `${token}x` })
    await call(server, 'POST', '/v1/Auth', { body: '{"clientId": "x", "password": "typed-secret' })
    await server.end()

    const log = server.stdout().trimEnd().split('\n')
    expect(log.length).toBeGreaterThan(8)
    for (const line of log) JSON.parse(line)
    const text = log.join('\n')
    for (const secret of [token, body.token, cookie, user?.password, 'typed-secret', 'token=']) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/eyJ|secret-state|"(cookie|authorization)":|postgres(ql)?:\/\//)
    expect(text).toContain('"route":"/Apps/Authenticate/:appId"')
    expect(server.stderr()).toMatch(GREETING)
  })
})

describe('a later start', () => {
  afterEach(() => processes.endAll())

  const startAgain = async (port?: number) => {
    const server = await processes.start({ dataDir, ...(port !== undefined && { port }) })
    await server.ready()
    return { server }
  }

  test('prints the address and the same credentials', async () => {
    const demo = readDemoFile(dataDir)
    const { server } = await startAgain(Number(new URL(first.url).port))
    expect(readDemoFile(dataDir)).toEqual(demo)
    expect(printedCommands(server)).toEqual(printedCommands(first))
    expect((await signIn(server)).status).toBe(200)
    expect(await server.end()).toEqual({ code: 0, signal: null })
    expect(existsSync(join(dataDir, 'database-url'))).toBe(false)
  })

  test('recovers when the server was killed, and stops the Postgres that was left', async () => {
    const { server } = await startAgain()
    const cookie = await signInInBrowser(server)
    const leftover = postgresPid(dataDir) ?? 0
    await server.end('SIGKILL')
    expect(isAlive(leftover)).toBe(true)
    const { server: next } = await startAgain()
    expect(isAlive(leftover)).toBe(false)
    expect(await isSignedIn(next, cookie)).toBe(true)
  })

  test('recovers when server and Postgres were killed, without losing acknowledged writes', async () => {
    const { server } = await startAgain()
    const cookies = await Promise.all([1, 2].map(() => signInInBrowser(server)))
    server.child.kill('SIGKILL')
    process.kill(postgresPid(dataDir) ?? 0, 'SIGKILL')
    await server.exited
    const { server: next } = await startAgain()
    for (const cookie of cookies) expect(await isSignedIn(next, cookie)).toBe(true)
    expect((await signIn(next)).status).toBe(200)
  })

  test('is not needed when the embedded Postgres dies: requests get 503 until it is back', async () => {
    const { server } = await startAgain()
    const cookie = await signInInBrowser(server)
    const killed = postgresPid(dataDir) ?? 0
    process.kill(killed, 'SIGKILL')
    const statuses = new Set<number>()
    await waitUntil(async () => {
      const { status } = await call(server, 'GET', '/readyz')
      statuses.add(status)
      return status === 200 && postgresPid(dataDir) !== killed
    })
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await isSignedIn(server, cookie)).toBe(true)
    expect((await signIn(server)).status).toBe(200)
    expect(server.stdout()).toContain('the embedded database ended; starting it again')
    expect(await server.end()).toEqual({ code: 0, signal: null })
  })

  test('writes a changed address to demo.json', async () => {
    const { server } = await startAgain()
    expect(server.url).not.toBe(first.url)
    expect(readDemoFile(dataDir)).toMatchObject({ baseUrl: server.url })
    expect(printedCommands(server).join()).not.toContain(first.url)
  })

  test.each([
    ['without demo.json', (file: string) => rmSync(file)],
    ['with a broken demo.json', (file: string) => writeFileSync(file, '{"half')],
    ['with JSON of another shape', (file: string) => writeFileSync(file, '{"baseUrl":"x"}')],
  ])('works %s', async (_name, spoil) => {
    const file = join(dataDir, 'demo.json')
    const intact = readFileSync(file)
    spoil(file)
    const { server } = await startAgain()
    await waitUntil(() => server.stderr().includes(`is ready at ${server.url}\n`))
    writeFileSync(file, intact)
  })

  test('refuses to make a new key when the key of existing secrets is lost', async () => {
    await processes.endAll()
    const file = join(dataDir, 'secret-key')
    const intact = readFileSync(file)
    rmSync(file)
    const server = await processes.start({ dataDir })
    expect(await server.exited).toEqual({ code: 1, signal: null })
    expect(server.stderr()).toMatch(/secret-key is missing, and the database has secrets/)
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, intact)
    await startAgain()
  })
})

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli as run, runCliProcess } from '../setup/cli.ts'
import { accountToken, call } from '../setup/client.ts'
import { fastestDirectory } from '../setup/fastest-directory.ts'
import { readDemoFile, type ServerProcess, serverProcesses } from '../setup/server-process.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
/** What a command answered that did what it was asked. */
async function done(dataDir: string, words: string[], env?: Record<string, string>) {
  const { code, stdout, stderr } = await run(dataDir, words, { ...(env && { env }) })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const processes = serverProcesses(await fastestDirectory())
let server: ServerProcess
let dataDir: string
const cli = (...words: string[]) => done(dataDir, words)
const refused = (...words: string[]) => run(dataDir, words)

beforeAll(async () => {
  server = await processes.start()
  await server.ready()
  dataDir = server.dataDir
})
afterAll(() => processes.cleanUp())

const installations = (token: string) =>
  call(server, 'GET', '/v1/Developer/Installations', { token })
const signIn = ({ clientId, password }: { clientId: string; password: string }) =>
  call(server, 'POST', '/v1/Auth', { body: { clientId, password } })

describe('beside a running server, on its embedded database', () => {
  test('a developer changes from one credential to another without a gap', async () => {
    const first = await cli('developer', 'create', '--name', 'Acme Tools')
    const token = (await signIn(first)).body.token
    expect((await installations(token)).status).toBe(200)

    const second = await cli(
      'credential',
      'create',
      '--developer',
      first.id,
      '--client-id',
      'acme-2',
    )
    expect(second.clientId).toBe('acme-2')
    const third = await refused('credential', 'create', '--developer', first.id)
    expect(third).toMatchObject({ code: 1, stdout: '' })
    expect(third.stderr).toBe('A developer has at most 2 live credentials. Remove one first.\n')

    const live = await cli('credential', 'list', '--developer', first.id)
    expect(live.map((one: { clientId: string }) => one.clientId)).toEqual([
      first.clientId,
      'acme-2',
    ])
    const removed = await cli('credential', 'remove', '--developer', first.id, '--id', live[0].id)
    expect(removed).toEqual({ removed: true })
    expect((await installations(token)).body.code).toBe('invalid_token')
    expect((await signIn(second)).status).toBe(200)
    const listed = await cli('developer', 'list', '--q', 'acme')
    expect(listed).toMatchObject([{ id: first.id, credentials: [{ clientId: 'acme-2' }] }])
  })

  test('parties, users, memberships and connections come and go', async () => {
    const seller = await cli('party', 'create', '--name', 'Cellar', '--type', 'Seller')
    const buyer = await cli('party', 'create', '--name', 'Bazaar', '--type', 'Buyer')
    const user = await cli(
      'user',
      'create',
      '--email',
      'Cli@Example.com',
      '--name',
      'C',
      '--party',
      `${seller.id},${buyer.id}`,
    )
    expect(user).toMatchObject({ email: 'cli@example.com', partyIds: [seller.id, buyer.id] })
    const token = await accountToken(server, user)
    const membership = ['--user', user.id, '--party', String(buyer.id)]
    expect(await cli('membership', 'remove', ...membership)).toEqual({ removed: true })
    expect((await refused('membership', 'remove', ...membership)).stderr).toBe(
      'There is no such membership.\n',
    )
    expect(await cli('membership', 'create', ...membership)).toEqual({
      userId: user.id,
      partyId: buyer.id,
      role: 'admin',
    })
    expect((await cli('user', 'list', '--q', 'cli@')).map((one: { id: string }) => one.id)).toEqual(
      [user.id],
    )

    const connection = ['--buyer', String(buyer.id), '--seller', String(seller.id)]
    await cli('connection', 'create', ...connection)
    const again = await refused('connection', 'create', ...connection)
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toContain('They are connected already.')
    expect((await refused('membership', 'create', ...membership)).stderr).toContain(
      'The user is a member of this account already.',
    )
    expect(await cli('connection', 'list')).toContainEqual({
      buyerId: buyer.id,
      sellerId: seller.id,
    })
    await cli('connection', 'remove', ...connection)
    expect(await cli('connection', 'list')).not.toContainEqual({
      buyerId: buyer.id,
      sellerId: seller.id,
    })

    const account = () => call(server, 'GET', '/v1/Account', { token })
    expect((await account()).status).toBe(200)
    const renewed = await cli('user', 'password', '--id', user.id)
    expect((await account()).body.code).toBe('invalid_token')
    expect(typeof (await accountToken(server, renewed))).toBe('string')
    expect(
      (await cli('party', 'list', '--q', 'bazaar')).map((one: { id: number }) => one.id),
    ).toEqual([buyer.id])
  })

  test('users have no password where they sign in by single sign-on only', async () => {
    const env = {
      ...{ PASSWORD_LOGIN: 'off', OIDC_ISSUER: 'https://login.example.com' },
      ...{ OIDC_CLIENT_ID: 'marketplace', OIDC_CLIENT_SECRET: 'a secret' },
    }
    const create = ['operator', 'create', '--email', 'sso@example.com', '--name', 'Sina']
    const made = await done(dataDir, create, env)
    expect(made).toMatchObject({ email: 'sso@example.com', operator: true, password: null })
    const words = ['user', 'password', '--id', made.id]
    const { code, stderr } = await run(dataDir, words, { env })
    expect([code, stderr]).toEqual([1, expect.stringContaining('single sign-on')])
  })

  test('everything can be suspended and resumed, and the trail says so', async () => {
    const demo = readDemoFile(dataDir)
    const since = new Date().toISOString()
    const [developer] = await cli('developer', 'list', '--q', 'northwind')
    const [user] = await cli('user', 'list', '--q', demo.users[0]?.email ?? '')
    const { id: installationId = '', partyId } = demo.installations[0] ?? {}
    const things = {
      developer: developer.id,
      app: 'price-sync',
      party: String(partyId),
      user: user.id,
      installation: installationId,
    }
    const work = Object.entries(things).map(async ([kind, id]) => {
      const suspended = await cli(kind, 'suspend', '--id', id, '--reason', 'late')
      expect(suspended).toMatchObject({ suspended: true, suspendedReason: 'late' })
      const resumed = await cli(kind, 'resume', '--id', id)
      expect(resumed).toMatchObject({ suspended: false, suspendedAt: null })
    })
    await Promise.all(work)
    const trail: { action: string; actor: object; address: string | null }[] = await cli(
      'audit',
      'list',
      '--since',
      since,
    )
    expect(trail.map(({ action }) => action).sort()).toEqual(
      Object.keys(things)
        .flatMap((kind) => [`${kind}.suspended`, `${kind}.resumed`])
        .sort(),
    )
    for (const { actor, address } of trail) {
      expect({ actor, address }).toEqual({ actor: { kind: 'system', id: 'cli' }, address: null })
    }
    const cut = await run(dataDir, ['audit', 'list', '--limit', '2', '--subject-kind', 'app'])
    expect(JSON.parse(cut.stdout)).toHaveLength(2)
    expect(cut.stderr).toContain('There are more than these 2')
  })

  test.each([
    [['credential', 'list', '--developer', 'x'], 2, '--developer takes an id'],
    [['party', 'suspend', '--id', '1'], 2, 'Missing: --reason'],
    [['party', 'suspend', '--id', 'x', '--reason', 'y'], 2, '--id takes whole numbers'],
    [['audit', 'list', '--since', 'tomorrow'], 2, '--since takes a moment'],
    [['developer', 'promote'], 2, 'Unknown command "developer promote".'],
    [['party', 'list', '--limit', '0'], 2, '--limit takes whole numbers from 1, not "0".'],
    [['audit', 'list', '--limit', '0'], 2, '--limit takes whole numbers from 1, not "0".'],
    [['installation', 'list', '--status', 'gone'], 2, '--status takes active, suspended'],
    [['demo'], 1, 'The marketplace is not empty.'],
    [['products', 'import', 'x.csv', '--party', '99999'], 1, 'There is no party 99999.'],
    [['user', 'suspend', '--id', NOBODY, '--reason', 'y'], 1, 'There is no such user.'],
    [['app', 'suspend', '--id', 'price-sync', '--reason', ' '], 1, 'reason: must not be empty'],
    [
      ['user', 'create', '--email', 'x', '--name', ' ', '--party', '99999'],
      1,
      'name: must not be empty\n  email: must be an email address',
    ],
    [
      ['connection', 'create', '--buyer', '1', '--seller', '1'],
      1,
      'buyerId: 1 is a sandbox, not a Buyer\n  sellerId: 1 is a sandbox, not a Seller',
    ],
    [
      ['user', 'create', '--email', 'x', '--name', 'x', '--party', '1', '--password', 'short'],
      1,
      'Others on this machine can read a password on the command line: use --password-stdin.',
    ],
  ])('%j is refused with a message and no stack', async (words, code, text) => {
    const result = await run(dataDir, words)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toContain(text)
    expect(result.stderr).not.toMatch(/\bat .+:\d+:\d+|prisma/i)
  })
})

test('a process of its own has the exit code, and reads a password from standard input', async () => {
  const words = ['user', 'create', '--email', 'stdin@example.com', '--name', 'S']
  const party = ['--party', String(readDemoFile(dataDir).users[0]?.partyId)]
  const made = await runCliProcess(dataDir, [...words, ...party, '--password-stdin'], {
    input: 'a password of standard input\n',
  })
  expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' })
  const { status } = await call(server, 'POST', '/v1/Account/Auth', {
    body: { email: 'stdin@example.com', password: 'a password of standard input' },
  })
  expect(status).toBe(200)
  expect(await runCliProcess(dataDir, ['developer', 'promote'])).toMatchObject({
    code: 2,
    stdout: '',
  })
})

test('commands work without a server, in a directory that they make', async () => {
  const own = join(await mkdtemp(join(tmpdir(), 'cli-test-')), 'data')
  const operator = await done(own, [
    'operator',
    'create',
    '--email',
    'o@example.com',
    '--name',
    'O',
  ])
  expect(operator).toMatchObject({ email: 'o@example.com', operator: true, partyIds: [] })
  const [entry] = await done(own, ['audit', 'list'])
  expect(entry).toMatchObject({ action: 'user.created', actor: { kind: 'system', id: 'cli' } })
  expect(JSON.stringify(entry)).not.toContain(operator.password)

  // The key of the directory is changed, as docs/backup-and-upgrade.md says.
  const former = readFileSync(join(own, 'secret-key'), 'utf8').trim()
  const current = randomBytes(32).toString('base64')
  const env = { SECRET_KEY: current, SECRET_KEY_PREVIOUS: former }
  expect(await done(own, ['secrets', 'rotate'], env)).toMatchObject({ settings: 0, signingKeys: 1 })
  expect(await done(own, ['secrets', 'rotate'], env)).toEqual({
    settings: 0,
    signingKeys: 0,
    webhooks: 0,
    secondFactors: 0,
    installRequests: 0,
  })
  expect(await done(own, ['user', 'list'], { SECRET_KEY: current })).toHaveLength(1)
  const lost = await run(own, ['user', 'list'])
  expect(lost).toMatchObject({ code: 1, stdout: '' })
  expect(lost.stderr).toContain('SECRET_KEY_PREVIOUS')
  expect(existsSync(join(own, 'database-url'))).toBe(false)
  // A server that ends and is cleaned up takes the directory with it.
  const last = await processes.start({ dataDir: own, env: { SECRET_KEY: current, DEMO: 'false' } })
  await last.ready()
  expect((await call(last, 'GET', '/readyz')).status).toBe(200)
})

test('products import imports a file as the products of a party, or reports each problem with its place', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'products-'))
  const file = join(dir, 'some.csv')
  await writeFile(file, 'brand,partNumber,inStock\nCli,1,1\nCli,2,-1\n')
  const party = String(readDemoFile(dataDir).users[0]?.partyId)
  const words = ['products', 'import', file, '--party', party]
  const { code, stderr } = await refused(...words)
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/line 3 inStock/),
  })
  expect(await cli(...words, '--on-error', 'skip')).toMatchObject({ rowsCreated: 1 })
  expect(await cli(...words, '--on-error', 'skip')).toMatchObject({
    rowsRead: 2,
    rowsUnchanged: 1,
    rowsRefused: 1,
  })

  const directory = join(dir, 'other.csv')
  await mkdir(directory)
  expect(await refused('products', 'import', directory, '--party', party)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be read: it is a directory/),
  })
  const missing = join(dir, 'missing.csv')
  expect(await refused('products', 'import', missing, '--party', party)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/missing\.csv cannot be read: it does not exist/),
  })
})

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, open, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/process/cli/commands.ts'
import { helpOn } from '../../src/process/cli/help.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { runCli } from '../setup/cli.ts'
import { accountToken } from '../setup/client.ts'
import { COMPILE_CACHE } from '../setup/compile-cache.ts'
import { accept, newAddress } from '../setup/people.ts'
import { signedIn } from '../setup/web-client.ts'

let market: TestMarketplace
let env: Record<string, string>
beforeAll(async () => {
  market = await startMarketplace()
  env = { DATABASE_URL: market.databaseUrl, SECRET_KEY: market.deps.secretKey }
})
afterAll(() => market.close())

const NO_DIRECTORY = join('/', 'nowhere', 'at-all')

/** Runs a command on the marketplace's database. */
async function cli(...words: string[]) {
  const { code, stdout, stderr } = await runCli(NO_DIRECTORY, words, { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('help on a group needs no database, and is shown for a command that it lacks', async () => {
  const { code, stdout } = await runCli(NO_DIRECTORY, ['app', '--help'])
  expect([code, stdout]).toEqual([0, helpOn(COMMANDS, ['app'])])
  const wrong = await runCli(NO_DIRECTORY, ['app', 'remove'])
  expect([wrong.code, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toBe(`Unknown command "app remove".\n\n${helpOn(COMMANDS, ['app'])}\n`)
  expect(existsSync(NO_DIRECTORY)).toBe(false)
})

test.each(['constructor', 'toString'])(
  '%s, which every object has, is no command',
  async (word) => {
    const { code, stdout, stderr } = await runCli(NO_DIRECTORY, [word])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`Unknown command "${word}".`)
  },
)

describe.each(['src/process/cli/main.ts', 'client/src/command-line/main.ts'])('%s', (file) => {
  /** Shows help into `output`; nobody reads a pipe. */
  async function help(output: 'pipe' | number) {
    const main = fileURLToPath(new URL(`../../${file}`, import.meta.url))
    const child = spawn(process.execPath, [main, 'help'], {
      stdio: ['ignore', output, 'pipe'],
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    })
    child.stdout?.destroy()
    const code = new Promise((resolve) => child.once('close', resolve))
    return Promise.all([code, text(child.stderr as Readable)])
  }

  test('ends quietly when nobody reads what it writes', async () => {
    expect(await help('pipe')).toEqual([0, ''])
  })

  test('says in a line that its answer could not be written', async () => {
    const full = await open('/dev/full', 'w')
    const line = 'The answer could not be written: ENOSPC. What the command did, it has done.\n'
    const ended = await help(full.fd)
    await full.close()
    expect(ended).toEqual([1, line])
  })
})

test('apps and installations are listed with their ids', async () => {
  const [app] = await cli('app', 'list', '--q', 'price-sync')
  expect(app).toMatchObject({ id: 'price-sync', listed: true })
  const all = await cli('installation', 'list', '--app', 'price-sync')
  expect(all.length).toBeGreaterThan(1)
  const [one] = all
  const party = String(one.partyId)
  const found = await cli('installation', 'list', '--app', 'price-sync', '--party', party)
  expect(found).toEqual([one])
  expect(await cli('installation', 'list', '--status', 'uninstalled')).toEqual([])
})

test('names are changed, and the operator flag is given and taken', async () => {
  const { developerId } = (await cli('app', 'list', '--q', 'price-sync'))[0]
  const [user] = await cli('user', 'list', '--q', market.demo.users[0]?.email ?? '')
  const things = { developer: developerId, party: String(user.partyIds[0]), user: user.id }
  for (const [kind, id] of Object.entries(things)) {
    const renamed = await cli(kind, 'rename', '--id', id, '--name', `Renamed ${kind}`)
    expect(renamed).toMatchObject({ name: `Renamed ${kind}` })
  }
  expect(await cli('operator', 'grant', '--id', user.id)).toMatchObject({ operator: true })
  expect(await cli('operator', 'revoke', '--id', user.id)).toMatchObject({ operator: false })
})

test('the first owner of a developer is invited by a link that works once', async () => {
  const { id } = await cli('developer', 'create', '--name', 'Newly Made')
  const email = newAddress()
  const made = await cli('developer', 'invite', email, 'Ona Owner', '--id', id, '--link')
  expect(made).toMatchObject({ email, mailed: false })
  const password = 'correct horse battery'
  expect((await accept(market, made.link, password)).status).toBe(200)
  const browser = await signedIn(market, { email, password })
  expect((await browser.get('/Developer/Members')).text).toContain('Ona Owner')
  expect((await browser.get('/Developer/Credentials')).status).toBe(200)
  const nobody = await runCli(
    NO_DIRECTORY,
    ['developer', 'invite', newAddress(), '--id', randomUUID()],
    {
      env,
    },
  )
  expect([nobody.code, nobody.stdout]).toEqual([1, ''])
})

test('the role support is given and taken', async () => {
  const [{ id }] = await cli('user', 'list', '--q', market.demo.users[0]?.email ?? '')
  expect(await cli('support', 'grant', '--id', id)).toMatchObject({ support: true })
  expect(await cli('support', 'revoke', '--id', id)).toMatchObject({ support: false })
})

describe('products import', () => {
  const partyIdOf = (type: 'Buyer' | 'Seller') =>
    String(market.demo.users.find((user) => user.partyType === type)?.partyId)
  async function fileNamed(name: string, content: string | Uint8Array) {
    const file = join(await mkdtemp(join(tmpdir(), 'products-')), name)
    await writeFile(file, content)
    return file
  }
  const refusal = async (file: string, type: 'Buyer' | 'Seller') => {
    const words = ['products', 'import', file, '--party', partyIdOf(type)]
    const { code, stdout, stderr } = await runCli(NO_DIRECTORY, words, { env })
    return { code, stdout, stderr }
  }

  test.each([
    ['more.csv.gz', 'brand,partNumber,inStock\nZipped,1,1\nZipped,2,1\n'],
    ['MORE.CSV.GZ', 'brand,partNumber,inStock\nZipped,3,1\nZipped,4,1\n'],
    [
      'more.ndjson.gz',
      '{"brand":"Zipped","partNumber":"5","inStock":1}\n{"brand":"Zipped","partNumber":"6","inStock":1}',
    ],
  ])('takes a compressed file, as %s', async (name, content) => {
    const file = await fileNamed(name, gzipSync(content))
    const party = partyIdOf('Seller')
    expect(await cli('products', 'import', file, '--party', party)).toMatchObject({
      rowsRead: 2,
      rowsCreated: 2,
    })
  })

  test('gives a Buyer no products', async () => {
    const file = await fileNamed('some.csv', 'brand,partNumber,inStock\nBought,1,1\n')
    expect(await refusal(file, 'Buyer')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringContaining('A Buyer has no products of its own.'),
    })
    expect(await market.deps.db.product.count({ where: { brand: 'Bought' } })).toBe(0)
  })

  test.each(['some.txt', 'some.gz', 'some', 'some.constructor', 'some.csv.gz.gz'])(
    'knows a file by its name, and refuses %s',
    async (name) => {
      const file = await fileNamed(name, 'brand,partNumber,inStock\nUnknown,1,1\n')
      expect(await refusal(file, 'Seller')).toEqual({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringContaining('The file must end in .csv, .ndjson or .jsonl, or'),
      })
    },
  )
})

describe('a password', () => {
  const words = ['user', 'password', '--id']
  const userId = async () => (await cli('user', 'list'))[0].id as string

  test('is read from standard input, without the end of its line', async () => {
    const id = await userId()
    for (const end of ['', '\n', '\r\n']) {
      const password = `pass phrase ${end.length}`
      const result = await runCli(NO_DIRECTORY, [...words, id, '--password-stdin'], {
        env,
        input: `${password}${end}`,
      })
      expect({ ...result, stdout: '' }).toEqual({ code: 0, stdout: '', stderr: '' })
      const { email } = JSON.parse(result.stdout)
      expect(typeof (await accountToken(market, { email, password }))).toBe('string')
    }
  })

  test.each([
    ['ends', [0xe9]],
    ['goes on', [0xe9, 0x0a]],
  ])('in another encoding than UTF-8 is refused, also where it %s there', async (_, bytes) => {
    const input = Buffer.concat([Buffer.from('pass phrase caf'), Buffer.from(bytes)])
    const given = [...words, await userId(), '--password-stdin']
    expect(await runCli(NO_DIRECTORY, given, { env, input })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The password on standard input is not UTF-8.\n',
    })
  })

  test('on the command line comes with a warning; nothing, or both, is a wrong command line', async () => {
    const argument = ['--password', 'correct horse battery']
    const warned = await runCli(NO_DIRECTORY, [...words, await userId(), ...argument], { env })
    expect(warned.code).toBe(0)
    expect(warned.stderr).toContain('use --password-stdin')
    for (const more of [[], argument]) {
      const given = [...words, await userId(), '--password-stdin', ...more]
      expect(await runCli(NO_DIRECTORY, given, { env })).toMatchObject({ code: 2, stdout: '' })
    }
  })
})

describe('a password that is chosen on the command line', () => {
  const PASSWORD = 'seven quiet herons'
  const given = (words: string[], password: string) =>
    runCli(NO_DIRECTORY, [...words, '--password-stdin'], { env, input: `${password}\n` })
  const newEmail = () => `${randomUUID()}@x.example`
  const WAYS: [string, () => Promise<string[]>][] = [
    [
      'operator',
      async () => ['operator', 'create', '--email', newEmail(), '--name', 'Grace Hopper'],
    ],
    [
      'user',
      async () => {
        const { id } = (await cli('party', 'list'))[0]
        const person = ['--email', newEmail(), '--name', 'Grace Hopper']
        return ['user', 'create', ...person, '--party', String(id)]
      },
    ],
    [
      'user who has one',
      async () => {
        const words = ['operator', 'create', '--email', newEmail(), '--name', 'Grace Hopper']
        return ['user', 'password', '--id', (await cli(...words)).id]
      },
    ],
    ['developer', async () => ['developer', 'create', '--name', 'Grace Hopper']],
    [
      'credential',
      async () => {
        const { id } = await cli('developer', 'create', '--name', 'Grace Hopper')
        return ['credential', 'create', '--developer', id]
      },
    ],
  ]

  test.each(WAYS)('for a %s is not shown', async (_what, wordsOf) => {
    const { code, stdout, stderr } = await given(await wordsOf(), PASSWORD)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout).password).toBeNull()
    expect(stdout).not.toContain(PASSWORD)
  })

  test.each(WAYS)('for a %s is no common one and no name', async (_what, wordsOf) => {
    for (const [password, why] of [
      ['password123', 'among the most common ones'],
      ['grace-hopper', 'easy to guess'],
    ] as const) {
      const { code, stdout, stderr } = await given(await wordsOf(), password)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(why)
      expect(stderr).not.toContain(password)
    }
  })
})

test('the audit trail is searched by names and words, as on the page', async () => {
  const { id } = await market.deps.db.party.findFirstOrThrow({ where: { type: 'Seller' } })
  await cli('party', 'suspend', '--id', String(id), '--reason', 'Unpaid')
  await cli('party', 'resume', '--id', String(id))
  const found = await cli('audit', 'list', '--q', 'resumed party')
  expect(found).toMatchObject([{ action: 'party.resumed', subject: { id: String(id) } }])
  expect(await cli('audit', 'list', '--q', 'nothing has this name')).toEqual([])
  for (const text of [' ', 'x'.repeat(201)]) {
    const { code, stderr } = await runCli(NO_DIRECTORY, ['audit', 'list', '--q', text], { env })
    expect([code, stderr]).toEqual([2, expect.stringContaining('--q takes a text')])
  }
})

test('the audit trail is listed up to the limit, also where pages of large entries end early', async () => {
  const { rows } = await market.deps.pool.query(
    `INSERT INTO audit_events (actor_kind, action, subject_kind, subject_id, after)
     SELECT 'system', 'test.large', 'test', n::text, jsonb_build_object('text', repeat('a', 400000))
     FROM generate_series(1, 5) n RETURNING id`,
  )
  const newest = rows.map(({ id }) => Number(id)).toReversed()
  const words = ['audit', 'list', '--action', 'test.large']
  expect((await cli(...words)).map(({ id }: { id: number }) => id)).toEqual(newest)
  const { stdout, stderr } = await runCli(NO_DIRECTORY, [...words, '--limit', '4'], { env })
  expect(JSON.parse(stdout).map(({ id }: { id: number }) => id)).toEqual(newest.slice(0, 4))
  expect(stdout).toBe(`${JSON.stringify(JSON.parse(stdout), null, 2)}\n`)
  expect(stderr).toContain('There are more than these 4')
})

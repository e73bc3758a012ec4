import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveCredentials } from '../../../client/src/command-line/credentials.ts'
import { verifyWebhook } from '../../../client/src/index.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { draft, newId } from '../../setup/apps.ts'
import { runCli } from '../../setup/cli.ts'
import { call, demoInstallation } from '../../setup/client.ts'
import { startDeveloperCli } from '../../setup/developer-cli.ts'
import { freePort } from '../../setup/free-port.ts'
import { credentialsOf } from '../../setup/marketplace-client.ts'
import { waitUntil } from '../../setup/server-process.ts'
import { startReceiver } from '../../setup/webhook-receiver.ts'

let market: TestMarketplace
let home: string
beforeAll(async () => {
  market = await startMarketplace({ background: {} })
  home = await mkdtemp(join(tmpdir(), 'developer-cli-'))
  const { password } = credentialsOf(market, 'price-sync')
  const words = ['login', '--client-id', 'northwind', '--url', market.url]
  const { code, stdout } = await run(words, `${password}\n`)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Signed in to ${market.url} as northwind.\n`,
  })
})
afterAll(async () => {
  await market.close()
  await rm(home, { recursive: true, force: true })
})

const run = (words: string[], input?: string) => startDeveloperCli(home, words, input).ended
const refusedAt = (url: string) => `The attempt ended so: connect ECONNREFUSED ${new URL(url).host}`

describe('login', () => {
  const file = () => join(home, 'app-marketplace', 'credentials.json')

  test('keeps the credentials where nobody else reads them', async () => {
    expect((await stat(file())).mode & 0o777).toBe(0o600)
  })

  test('keeps nothing of what is wrong', async () => {
    const before = await readFile(file(), 'utf8')
    const words = ['login', '--client-id', 'northwind', '--url', market.url]
    const { code, stderr } = await run(words, 'wrong\n')
    expect(code).toBe(1)
    expect(stderr).not.toContain('wrong\n')
    expect(await readFile(file(), 'utf8')).toBe(before)
  })

  test('takes the password of a demo marketplace out of its file', async () => {
    const demo = join(home, 'demo.json')
    await writeFile(demo, JSON.stringify(market.demo))
    const { code } = await run(['login', '--client-id', 'northwind', '--demo', demo])
    expect(code).toBe(0)
  })

  test.each([
    [['--demo', '/no/such/file'], 'Cannot read /no/such/file: '],
    [['--demo', fileURLToPath(import.meta.url)], 'Cannot read '],
    [['--demo', 'package.json'], 'package.json is not the demo.json of a server.'],
    [['--url', 'localhost:3000'], '--url is an address such as http://127.0.0.1:3000'],
    ...['/docs', '/v1', '/?x=1', '/#x'].map((more): [string[], string] => [
      ['--url', `http://127.0.0.1:3000${more}`],
      '--url is an address without a path, such as http://127.0.0.1:3000',
    ]),
    [['--url', 'http://nora:secret@127.0.0.1:3000'], '--url is an address without a path'],
  ])('with %j is told what is wrong, without a stack', async (words, problem) => {
    const { code, stderr } = await run(['login', '--client-id', 'northwind', ...words])
    expect(code).toBe(2)
    expect(stderr.startsWith(problem)).toBe(true)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test.each(['{', '{}'])('is needed again when its file holds %s', async (text) => {
    const damaged = join(home, `damaged-${text.length}`)
    const path = join(damaged, 'app-marketplace', 'credentials.json')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    const { code, stderr } = await startDeveloperCli(damaged, ['sandbox', 'x']).ended
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `${path} is damaged. Sign in again: login --client-id ID\n`,
    })
  })

  test('at an address where nothing answers names that address', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const nobody = join(home, 'nobody')
    const words = ['login', '--client-id', 'northwind', '--url', url]
    const { code, stderr } = await startDeveloperCli(nobody, words, 'password\n').ended
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'The marketplace cannot be reached.\n' +
        `Is a marketplace running at ${url}? ${refusedAt(url)}\n`,
    })
  })

  test.each([
    [200, '', 'The response has no token.'],
    [200, '<p>Another server</p>', 'The response has no token.'],
    [200, '{"ok":true}', 'The response has no token.'],
    [404, 'Not found', 'The response is no problem document, but 404.'],
  ])(
    'at another server, which responds %i %j, names that address and keeps nothing',
    async (...one) => {
      const [status, body, problem] = one
      const other = createServer((_request, response) => {
        const type = body.startsWith('{') ? 'application/json' : 'text/html'
        response.writeHead(status, { 'content-type': type }).end(body)
      })
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
      const words = ['login', '--client-id', 'northwind', '--url', url]
      const { code, stderr } = await startDeveloperCli(join(home, 'lost'), words, 'password\n')
        .ended
      other.close()
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `${problem}\nIs a marketplace running at ${url}?\n`,
      })
      await expect(stat(join(home, 'lost'))).rejects.toThrow('ENOENT')
    },
  )

  test('is followed by the same question when its marketplace has gone away', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const left = join(home, 'left')
    const file = join(left, 'app-marketplace', 'credentials.json')
    await saveCredentials(file, { baseUrl: url, clientId: 'northwind', password: 'password' })
    const { code, stderr } = await startDeveloperCli(left, ['sandbox', 'x']).ended
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'The marketplace cannot be reached.\n' +
        `Is a marketplace running at ${url}? ${refusedAt(url)}\n`,
    })
  })

  test('says why it cannot keep the credentials, and leaves nothing of them', async () => {
    const blocked = join(home, 'blocked')
    const path = join(blocked, 'app-marketplace', 'credentials.json')
    await mkdir(path, { recursive: true })
    const { password } = credentialsOf(market, 'price-sync')
    const words = ['login', '--client-id', 'northwind', '--url', market.url]
    const login = await startDeveloperCli(blocked, words, password).ended
    expect(login.code).toBe(2)
    expect(login.stderr).toMatch(/^The credentials cannot be kept: EISDIR: .*\n$/)
    expect(await readdir(dirname(path))).toEqual(['credentials.json'])
    const { code, stderr } = await startDeveloperCli(blocked, ['sandbox', 'x']).ended
    expect(code).toBe(2)
    expect(stderr).toMatch(/^The credentials cannot be read: EISDIR: .*\n$/)
  })

  test('comes before everything else', async () => {
    const empty = join(home, 'empty')
    const { code, stderr } = await startDeveloperCli(empty, ['sandbox', 'x']).ended
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Sign in first: login --client-id ID\n' })
  })
})

test('token prints a token of one installation, as narrow as asked', async () => {
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const { stdout } = await run(['token', id, '--permissions', 'profile:read'])
  const token = stdout.trim()
  expect((await call(market, 'GET', '/v1/User/Profile', { token })).status).toBe(200)
  expect((await call(market, 'GET', '/v1/Products', { token })).status).toBe(403)
})

test('token of no installation says what is wrong, and where to look', async () => {
  const { code, stderr } = await run(['token', 'nope'])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'No live installation of your apps has this id. ' +
      'List your installations with GET /v1/Developer/Installations.\n',
  })
})

test('app push creates an app, app diff shows changes, and a breaking one needs a version', async () => {
  const file = join(home, 'app.json')
  const definition = draft(newId())
  const write = (change: object) => writeFile(file, JSON.stringify({ ...definition, ...change }))
  const said = async (command: string) => {
    const { code, stdout, stderr } = await run(['app', command, file])
    return { code, text: stdout + stderr }
  }
  await write({})
  expect((await said('check')).text).toContain('is valid: not published yet.')
  expect((await said('push')).text).toContain('was created.')
  await write({ description: 'Another description of this app.' })
  expect((await said('diff')).text).toMatch(/^harmless .*\/description: /m)
  expect((await said('push')).text).toContain('is published.')
  expect((await said('diff')).text).toBe('the same as published\n')
  await write({ permissions: [{ id: 'products:write', purpose: 'Writes prices.' }] })
  const refused = await said('push')
  expect(refused.code).toBe(1)
  expect(refused.text).toMatch(/^ {2}BREAKING .*\/permissions/m)
  await write({ name: 5 })
  expect((await said('check')).text).toMatch(/^ {2}\/name: /m)
})

test('listen forwards what trigger makes happen, signed as webhooks are', async () => {
  const receiver = await startReceiver()
  const words = ['listen', '--forward-to', receiver.url, '--app', 'Price-Sync']
  const listening = startDeveloperCli(home, words)
  try {
    await waitUntil(() => listening.stdout().includes('Webhook secret: '))
    const [, secret = ''] = /Webhook secret: (\S+)/.exec(listening.stdout()) ?? []
    for (const type of ['installation.suspended', 'installation.resumed']) {
      const { code, stdout } = await run(['trigger', type, '--app', 'price-sync'])
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `${type} was triggered for price-sync.\n`,
      })
    }
    await receiver.until(2)
    const events = receiver.received.map(({ body, headers }) =>
      verifyWebhook(body, headers, secret),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'installation.suspended',
      'installation.resumed',
    ])
    await waitUntil(() => listening.stdout().includes('installation.resumed -> 204'))
    listening.child.kill('SIGINT')
    expect(await listening.ended).toMatchObject({ code: 0, stderr: '' })
  } finally {
    listening.child.kill('SIGKILL')
    await receiver.close()
  }
})

test.each(['app.suspended', 'constructor'])('trigger says that %s cannot be', async (type) => {
  const { code, stderr } = await run(['trigger', type, '--app', 'price-sync'])
  expect(code).toBe(2)
  expect(stderr).toContain('installation.created')
})

test.each(['stock-watch', 'Stock-Watch'])('sandbox installs an app again: %s', async (id) => {
  const { stdout } = await run(['sandbox', id])
  expect(JSON.parse(stdout)).toMatchObject({ appId: 'stock-watch', partyType: 'None' })
})

test('sandbox, trigger and listen name the apps there are when one is mistyped', async () => {
  for (const words of [
    ['sandbox', 'stock-wach'],
    ['trigger', 'installation.created', '--app', 'stock-wach'],
    ['listen', '--forward-to', 'http://127.0.0.1:9', '--app', 'stock-wach'],
  ]) {
    const { code, stderr } = await startDeveloperCli(home, words).ended
    expect(code).toBe(2)
    expect(stderr).toMatch(/^You have no app stock-wach\. Your apps: .*stock-watch.*\.\n$/)
  }
})

test.each(['', '.', '..', '../Apps'])('%j is the id of no app', async (id) => {
  const { code, stderr } = await run(['sandbox', id])
  expect(code).toBe(2)
  expect(stderr).toContain(`You have no app ${id}. Your apps: `)
  const file = join(home, 'odd.json')
  await writeFile(file, JSON.stringify({ ...draft(newId()), id }))
  const check = await run(['app', 'check', file])
  expect(check.code).toBe(1)
  expect(check.stderr).toContain('  /id: ')
})

test('a definition may begin with a byte order mark', async () => {
  const file = join(home, 'marked.json')
  await writeFile(file, `\uFEFF${JSON.stringify(draft(newId()))}`)
  expect((await run(['app', 'check', file])).stderr).toBe('')
})

test.each(['whsec_', 'whsec_@@@'])('listen takes no secret %s', async (secret) => {
  const at = 'http://127.0.0.1:9'
  const { code, stderr } = await run(['listen', '--forward-to', at, '--secret', secret])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^--secret is whsec_ .*\n$/)
})

test('listen reads the secret from standard input, and signs with it', async () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const receiver = await startReceiver()
  const words = ['listen', '--forward-to', receiver.url, '--app', 'price-sync', '--secret', '-']
  const listening = startDeveloperCli(home, words, `${secret}\n`)
  try {
    await waitUntil(() => listening.stdout().includes(`Webhook secret: ${secret}`))
    await run(['trigger', 'installation.suspended', '--app', 'price-sync'])
    await receiver.until(1)
    const [event] = receiver.received
    expect(verifyWebhook(event?.body ?? '', event?.headers ?? {}, secret).type).toBe(
      'installation.suspended',
    )
    await run(['trigger', 'installation.resumed', '--app', 'price-sync'])
  } finally {
    listening.child.kill('SIGKILL')
    await receiver.close()
  }
})

test.each([
  ['', 'There is no webhook secret on standard input.\n'],
  ['whsec_@@@\n', '--secret is whsec_ and a key in base64, as the marketplace shows it.\n'],
])('listen takes no secret %j of standard input', async (input, said) => {
  const words = ['listen', '--forward-to', 'http://127.0.0.1:9', '--secret', '-']
  const { code, stderr } = await run(words, input)
  expect({ code, stderr }).toEqual({ code: 2, stderr: said })
})

test('token takes permissions with spaces between them', async () => {
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const { stderr } = await run(['token', id, '--permissions', 'profile:read, products:read'])
  expect(stderr).toBe('')
})

test('the command line of the marketplace has the same commands', async () => {
  const { code, stdout } = await runCli(home, ['dev', 'help'])
  expect(code).toBe(0)
  expect(stdout).toContain('listen --forward-to URL')
  expect((await runCli(home, ['dev', 'nothing'])).code).toBe(2)
})

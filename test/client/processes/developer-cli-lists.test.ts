import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import pkg from '../../../client/package.json' with { type: 'json' }
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { startDeveloperCli } from '../../setup/developer-cli.ts'
import { credentialsOf } from '../../setup/marketplace-client.ts'

let market: TestMarketplace
let home: string
beforeAll(async () => {
  market = await startMarketplace()
  home = await mkdtemp(join(tmpdir(), 'developer-cli-'))
  const { password } = credentialsOf(market, 'price-sync')
  const words = ['login', '--client-id', 'northwind', '--url', market.url]
  const { code, stderr } = await run(words, `${password}\n`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})
afterAll(async () => {
  await market.close()
  await rm(home, { recursive: true, force: true })
})

const run = (words: string[], input?: string) => startDeveloperCli(home, words, input).ended
const printed = async (words: string[]) => (await run(words)).stdout
const northwind = () => {
  const own = market.demo.developers.find(({ clientId }) => clientId === 'northwind')
  if (own === undefined) throw new Error('the demo has no northwind')
  return own
}

test('whoami names the developer, its credential and the marketplace', async () => {
  expect(await printed(['whoami'])).toBe(`${northwind().name} (northwind) at ${market.url}\n`)
})

test('apps lists the own apps in columns', async () => {
  const lines = (await printed(['apps'])).trimEnd().split('\n')
  expect(lines.map((line) => line.split(/ +/)[0]).sort()).toEqual([...northwind().apps].sort())
  for (const line of lines) expect(line).toMatch(/^[a-z-]+ +[\d.]+ +(listed|not listed) +\S/)
})

test('installations lists those of all own apps, or of one', async () => {
  const all = await printed(['installations'])
  const own = market.demo.installations.filter(({ appId }) => northwind().apps.includes(appId))
  for (const { id, appId } of own) expect(all).toMatch(new RegExp(`^${id} +${appId} `, 'm'))
  const ofOne = await printed(['installations', '--app', 'price-sync'])
  expect(ofOne).toContain('price-sync')
  expect(
    ofOne
      .trimEnd()
      .split('\n')
      .every((line) => line.includes(' price-sync ')),
  ).toBe(true)
  const unknown = await run(['installations', '--app', 'nope'])
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('no app nope') })
})

test('--version says which release of the client this is', async () => {
  expect(await printed(['--version'])).toBe(`${pkg.name} ${pkg.version}\n`)
})

test.each([
  [['help', 'login'], ['login --client-id ID'], 'listen --forward-to'],
  [['listen', '--help'], ['listen --forward-to URL'], 'login --client-id'],
  [['help', 'app'], ['app check FILE', 'app push FILE'], 'login --client-id'],
  [['app', 'diff', '-h'], ['app diff FILE'], 'app push FILE'],
])('%j helps with that command alone', async (words, shown, hidden) => {
  const help = await printed(words)
  for (const usage of shown) expect(help).toContain(usage)
  expect(help).not.toContain(hidden)
})

test('logout forgets the credential, and whoami then asks to sign in', async () => {
  expect(await printed(['logout'])).toBe('Signed out.\n')
  await expect(stat(join(home, 'app-marketplace', 'credentials.json'))).rejects.toThrow('ENOENT')
  expect(await printed(['logout'])).toBe('Nobody was signed in.\n')
  expect(await run(['whoami'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Sign in first/),
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { freePort } from '../../setup/free-port.ts'
import { startIdentityProvider, type TestProvider } from '../../setup/identity-provider.ts'
import { enrol, nextCode } from '../../setup/second-factor.ts'
import { hiddenFields, signedIn, webClient } from '../../setup/web-client.ts'

// A sign-in that succeeds answers once, and nothing about it is worth a warning.

let market: TestMarketplace
let provider: TestProvider
let lines: string[] = []
beforeAll(async () => {
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  provider = await startIdentityProvider(publicUrl)
  const config = { ...provider.config, logLevel: 'warn' as const }
  market = await startMarketplace({ config, log: (line) => lines.push(line) })
})
afterAll(() => Promise.all([market.close(), provider.close()]))
beforeEach(() => {
  lines = []
})

const newUser = () =>
  createUser(market.deps, { email: `${randomUUID()}@example.com`, name: 'Sina Sign-in' })

test('with a password', async () => {
  const browser = await signedIn(market, await newUser())
  expect((await browser.get('/Account')).text).toContain('Sina Sign-in')
  expect(lines).toEqual([])
})

test('with a password and a code', async () => {
  const user = await newUser()
  const { secret } = await enrol(market, user)
  const browser = webClient(market)
  await browser.login(user)
  const fields = hiddenFields((await browser.get('/login/code')).text)
  await browser.post('/login/code', { ...fields, code: nextCode(market, secret) })
  expect((await browser.get('/Account')).text).toContain('Sina Sign-in')
  expect(lines).toEqual([])
})

test('by single sign-on', async () => {
  const { email } = await newUser()
  provider.person = { sub: email, email, email_verified: true }
  const browser = webClient(market)
  const begun = await browser.get('/signin/oidc?next=%2F')
  await browser.get(await provider.visit(begun.location ?? ''))
  expect((await browser.get('/Account')).text).toContain('Sina Sign-in')
  expect(lines).toEqual([])
})

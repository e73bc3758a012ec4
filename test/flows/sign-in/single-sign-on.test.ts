import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { unlinkIdentities } from '../../../src/identity/single-sign-on/identity-service.ts'
import { CALLBACK_PATH } from '../../../src/identity/single-sign-on/provider-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { freePort } from '../../setup/free-port.ts'
import { startIdentityProvider, type TestProvider } from '../../setup/identity-provider.ts'
import { demoUser, type Page, type WebClient, webClient } from '../../setup/web-client.ts'
import { withConfig } from '../../setup/with-config.ts'

let market: TestMarketplace
let provider: TestProvider
beforeAll(async () => {
  ;({ market, provider } = await startBoth())
})
afterAll(() => Promise.all([market.close(), provider.close()]))
beforeEach(async () => {
  await market.deps.db.userIdentity.deleteMany()
  provider.person = { sub: 'seller', email: seller().email.toUpperCase(), email_verified: true }
})

/** The marketplace listens on a port of its own, which the provider has to know before. */
async function startBoth() {
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  const made = await startIdentityProvider(publicUrl)
  return { provider: made, market: await startMarketplace({ config: made.config }) }
}

const seller = () => demoUser(market, 'Seller')
const identities = () => market.deps.db.userIdentity.findMany({ include: { user: true } })

async function begin(browser: WebClient, next = '/'): Promise<string> {
  const answer = await browser.get(`/signin/oidc?next=${encodeURIComponent(next)}`)
  expect(answer.status).toBe(303)
  return answer.location ?? ''
}

async function signIn(browser = webClient(market), next = '/'): Promise<Page> {
  return browser.get(await provider.visit(await begin(browser, next)))
}

function expectRefused(page: Page, words: string): void {
  expect(page.status).toBe(403)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.text).toContain('You are not signed in')
  expect(page.text).toContain(words)
  expect(page.headers.getSetCookie().join()).not.toMatch(/^session=[^;]/)
}

describe('single sign-on', () => {
  test('is a button beside the password, and leads where the sign-in was to lead', async () => {
    const browser = webClient(market)
    const form = (await browser.get('/login?next=%2FInstalled')).text
    expect(form).toContain('Sign in with Example ID')
    expect(form).toContain('href="/signin/oidc?next=%2FInstalled"')
    expect(form).toContain('name="password"')
    const answer = await signIn(browser, '/Installed')
    expect(answer.status).toBe(303)
    expect(answer.location).toBe('/Installed')
    expect((await browser.get('/')).text).toContain(seller().email)
    const [linked, ...others] = await identities()
    expect(others).toEqual([])
    expect(linked).toMatchObject({ issuer: provider.issuer, subject: 'seller' })
    expect(linked?.user.email).toBe(seller().email)
  })

  test('sends on who is signed in already', async () => {
    const browser = webClient(market)
    await signIn(browser)
    const answer = await browser.get('/signin/oidc?next=%2FInstalled')
    expect(answer.location).toBe('/Installed')
  })

  test.each([
    [
      'that is not trusted with a second factor leads to turning one on',
      false,
      '/Account/SecondFactor?next=%2FInstalled',
    ],
    ['that is trusted with it leads where it was to lead', true, '/Installed'],
  ])(
    'where admins must have a second factor, a provider %s',
    async (_what, isTrusted, expected) => {
      const changes = { requireSecondFactor: ['admins' as const], oidcTrustSecondFactor: isTrusted }
      await withConfig(market, changes, async () => {
        expect((await signIn(webClient(market), '/Installed')).location).toBe(expected)
      })
    },
  )

  test('never leads to another site', async () => {
    expect((await signIn(webClient(market), '//evil.example')).location).toBe('/')
  })

  test('knows a person by issuer and subject, whatever becomes of the address', async () => {
    await signIn()
    provider.person = { sub: 'seller', email: 'new@elsewhere.example', email_verified: false }
    const browser = webClient(market)
    expect((await signIn(browser)).status).toBe(303)
    expect((await browser.get('/')).text).toContain(seller().email)
  })

  test('refuses an address that the provider has not verified', async () => {
    const { email } = seller()
    for (const no of [false, 'false']) {
      provider.person = { sub: 'x', email, email_verified: no }
      expectRefused(await signIn(), 'has not verified your email')
    }
    expect(await identities()).toEqual([])
  })

  test('makes no user of a stranger', async () => {
    const users = await market.deps.db.user.count()
    provider.person = { sub: 'y', email: 'stranger@elsewhere.example', email_verified: true }
    const page = await signIn()
    expectRefused(page, 'No user of this marketplace')
    // Who has several accounts at the provider reads which one it was, and how to take another.
    expect(page.text).toContain('stranger@elsewhere.example')
    expect(page.text).toContain('sign out at the provider first')
    expect(await market.deps.db.user.count()).toBe(users)
  })

  test('takes an address that only looks like that of a user for another mailbox', async () => {
    const [first = '', ...others] = seller().email
    const fullwidth = String.fromCodePoint(first.charCodeAt(0) + 0xfee0)
    provider.person = { sub: 'x', email: [fullwidth, ...others].join(''), email_verified: true }
    expectRefused(await signIn(), 'No user of this marketplace')
    expect(await identities()).toEqual([])
  })

  test('refuses another subject with the same address', async () => {
    await signIn()
    provider.person = { ...provider.person, sub: 'another' }
    expectRefused(await signIn(), 'Another person of the provider')
    expect(await identities()).toHaveLength(1)
  })

  test('links one of two subjects that come at once', async () => {
    const ways: { browser: WebClient; path: string }[] = []
    for (const sub of ['one', 'two']) {
      const browser = webClient(market)
      provider.person = { ...provider.person, sub }
      ways.push({ browser, path: await provider.visit(await begin(browser)) })
    }
    const answers = await Promise.all(ways.map(({ browser, path }) => browser.get(path)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403])
    expect(await identities()).toHaveLength(1)
  })

  test('refuses a suspended user, and does not link one', async () => {
    const { email } = seller()
    const { db } = market.deps
    const suspend = () => db.user.update({ where: { email }, data: { suspendedAt: new Date() } })
    const resume = () => db.user.update({ where: { email }, data: { suspendedAt: null } })
    onTestFinished(async () => void (await resume()))
    await suspend()
    expectRefused(await signIn(), 'suspended')
    expect(await identities()).toEqual([])
    await resume()
    await signIn()
    await suspend()
    expectRefused(await signIn(), 'suspended')
  })

  test('refuses an answer with another nonce', async () => {
    const browser = webClient(market)
    const url = new URL(await begin(browser))
    url.searchParams.set('nonce', 'another')
    expectRefused(await browser.get(await provider.visit(url.href)), 'did not confirm')
  })

  test('that is refused leads back to a sign-in that goes on to the same page', async () => {
    const next = '/Apps/Authenticate/price-sync?state=abc'
    const browser = webClient(market)
    const again = `href="/login?next=${encodeURIComponent(next)}"`
    const state = new URL(await begin(browser, next)).searchParams.get('state')
    const cancelled = await browser.get(`${CALLBACK_PATH}?state=${state}&error=access_denied`)
    expectRefused(cancelled, again)
    provider.person = { sub: 'y', email: 'stranger@elsewhere.example', email_verified: true }
    expectRefused(await signIn(browser, next), again)
    expectRefused(await signIn(browser, '//evil.example'), 'href="/login?next=%2F"')
  })

  test('refuses a state that came back before, except from who is signed in', async () => {
    const browser = webClient(market)
    const path = await provider.visit(await begin(browser))
    const cookies = new Map(browser.cookies)
    expect((await browser.get(path)).status).toBe(303)
    const session = browser.cookies.get('session')
    expect((await browser.get(path)).location).toBe('/login')
    expect(browser.cookies.get('session')).toBe(session)
    const replayed = webClient(market)
    for (const [name, value] of cookies) replayed.cookies.set(name, value)
    expectRefused(await replayed.get(path), 'has ended')
  })

  test('refuses a code of another session', async () => {
    const path = await provider.visit(await begin(webClient(market)))
    expectRefused(await webClient(market).get(path), 'started in another browser')
    const victim = webClient(market)
    await begin(victim)
    expectRefused(await victim.get(path), 'started in another browser')
    // With a state of the own browser, the provider refuses the code: its challenge is another's.
    const own = webClient(market)
    const ownUrl = new URL(await begin(own))
    const mixed = new URL(path, market.url)
    mixed.searchParams.set('state', ownUrl.searchParams.get('state') ?? '')
    expectRefused(await own.get(mixed.pathname + mixed.search), 'did not confirm')
  })

  test('goes on in the newest of two tabs, whatever comes back before', async () => {
    const browser = webClient(market)
    const older = await provider.visit(await begin(browser))
    const newer = await provider.visit(await begin(browser, '/Installed'))
    for (const path of [older, '/signin/oidc/callback?state=x']) {
      expectRefused(await browser.get(path), 'Finish the newer one, or start again')
    }
    const answer = await browser.get(newer)
    expect([answer.status, answer.location]).toEqual([303, '/Installed'])
    expect([...browser.cookies.keys()].filter((name) => name.endsWith('sign-in'))).toEqual([])
  })

  test('refuses an answer after ten minutes', async () => {
    const browser = webClient(market)
    const path = await provider.visit(await begin(browser))
    market.advance(601)
    expectRefused(await browser.get(path), 'took too long')
    market.advance(-601)
  })

  test.each([
    ['an error', 'error=access_denied'],
    ['no code', ''],
    ['two codes', 'code=a&code=b'],
    ['broken percent signs', 'code=%zz%'],
    ['another issuer', 'code=a&iss=https%3A%2F%2Fevil.example'],
  ])('refuses an answer with %s', async (_name, query) => {
    const browser = webClient(market)
    const state = new URL(await begin(browser)).searchParams.get('state')
    expectRefused(await browser.get(`/signin/oidc/callback?state=${state}&${query}`), 'You are')
  })

  test('refuses an answer that it did not ask for', async () => {
    for (const query of ['?code=a&state=b', '']) {
      const page = await webClient(market).get(`/signin/oidc/callback${query}`)
      expectRefused(page, 'started in another browser')
    }
  })
})

describe('a provider that is away', () => {
  test('leaves the password, and the button says so', async () => {
    const both = await startBoth()
    const user = demoUser(both.market, 'Seller')
    await both.provider.close()
    const browser = webClient(both.market)
    const page = await browser.get('/signin/oidc?next=%2FInstalled')
    expect(page.status).toBe(503)
    expect(page.headers.get('retry-after')).toBe('5')
    expect(page.text).toContain('Signing in with Example ID does not work right now')
    expect(page.text).toContain('href="/login?next=%2FInstalled"')
    expect((await browser.login(user)).status).toBe(303)
    await both.market.close()
  })
})

test('unlinking a user ends sessions and tokens, and lets another person be linked', async () => {
  const browser = webClient(market)
  await signIn(browser)
  const { email, password } = seller()
  const body = { email, password }
  const { token } = (await call(market, 'POST', '/v1/Account/Auth', { body })).body
  const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email } })
  expect(await unlinkIdentities(market.deps, id, SYSTEM)).toEqual({ unlinked: 1 })
  expect((await browser.get('/Account')).location).toBe('/login?next=%2FAccount')
  expectProblem(await call(market, 'GET', '/v1/Account', { token }), 'invalid_token')
  expect(await unlinkIdentities(market.deps, id, SYSTEM)).toEqual({ unlinked: 0 })
  provider.person = { ...provider.person, sub: 'successor' }
  expect((await signIn()).status).toBe(303)
  expect(await identities()).toMatchObject([{ subject: 'successor', userId: id }])
})

describe('without a provider', () => {
  test('there is no button and no address', async () => {
    const plain = await startMarketplace()
    const browser = webClient(plain)
    expect((await browser.get('/login')).text).not.toContain('/signin/oidc')
    expect((await browser.get('/signin/oidc')).status).toBe(404)
    expect((await browser.get('/signin/oidc/callback?code=a&state=b')).status).toBe(404)
    await plain.close()
  })
})

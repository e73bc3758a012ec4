import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { cookieLine, demoUser, hiddenFields, signedIn, webClient } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const user = () => demoUser(market, 'Seller')
const SIGNED_IN = 'Kim Keyline'

/** What a cookie of that name and value sees. */
async function pageWith(cookie: string | undefined, path = '/'): Promise<string> {
  const headers = { cookie: cookieLine(market, [['session', cookie ?? '']]) }
  return (await webClient(market).get(path, headers)).text
}

describe('the sign-in', () => {
  test('leads to the start page, which shows the user', async () => {
    const browser = webClient(market)
    const answer = await browser.login(user())
    expect(answer.status).toBe(303)
    expect(answer.location).toBe('/')
    expect((await browser.get('/')).text).toContain(SIGNED_IN)
  })

  test('does not mind case and space of the address', async () => {
    const { email, password } = user()
    const answer = await webClient(market).login({ email: ` ${email.toUpperCase()} `, password })
    expect(answer.status).toBe(303)
  })

  test('sends on who is signed in already', async () => {
    const browser = await signedIn(market, user())
    expect((await browser.get('/login')).location).toBe('/')
    const answer = await browser.get('/login?next=%2Fsigned-out')
    expect(answer.status).toBe(303)
    expect(answer.location).toBe('/signed-out')
    expect(answer.headers.get('cache-control')).toContain('no-store')
  })

  test.each([
    ['a wrong password', () => user().email, 'wrong-<password>-1'],
    ['an unknown address', () => 'nobody-"<b>@keyline.example', 'wrong-<password>-1'],
    ['an address of 5,000 characters', () => `${'a'.repeat(5000)}@x.example`, 'wrong-<password>-1'],
    ['no address', () => '', ''],
    ['a password over 1,024 bytes', () => user().email, 'wrong-<password>'.repeat(80)],
  ])('refuses %s with a page that keeps the address, never the password', async (...rule) => {
    const [_name, email, password] = rule
    const browser = webClient(market)
    const page = await browser.login({ email: email(), password }, '/Apps/Authenticate/price-sync')
    expect(page.status).toBe(401)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(page.headers.get('www-authenticate')).toBe('Password realm="App Marketplace"')
    expect(page.text).toContain('Wrong email or password.')
    expect(page.text).not.toContain('wrong-')
    const kept = email().replace('"', '&quot;').replace('<', '&lt;').replace('>', '&gt;')
    expect(page.text).toContain(`value="${kept}"`)
    expect(hiddenFields(page.text).next).toBe('/Apps/Authenticate/price-sync')
    expect([...browser.cookies.keys()]).toEqual(['form'])
  })

  test('answers an unknown address and a wrong password alike', async () => {
    const texts = []
    for (const email of ['nobody@keyline.example', user().email]) {
      const page = await webClient(market).login({ email, password: 'wrong password' })
      texts.push(page.text.replaceAll(email, '').replace(/value="[^"]*"/g, ''))
    }
    expect(texts[0]).toBe(texts[1])
  })

  test.each([
    ['an address twice', { email: ['a@x.example', 'b@x.example'], password: 'p' }],
    ['no password', { email: 'a@x.example' }],
    ['NUL in the address', { email: 'a\0b@x.example', password: 'p' }],
  ])('refuses a form with %s', async (_name, fields) => {
    const browser = webClient(market)
    const { _csrf = '' } = hiddenFields((await browser.get('/login')).text)
    expect((await browser.post('/login', { _csrf, ...fields })).status).toBe(400)
  })
})

describe('after the sign-in, next leads to our own site only', () => {
  test.each([
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['/apps/../..//evil.example', '/'],
    ['/%2f/evil.example', '/%2f/evil.example'],
    ['%2f%2fevil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/a\r\nset-cookie: x=y', '/'],
    [`/${'a'.repeat(5000)}`, '/'],
    ['/Apps/Authenticate/price-sync?state=1', '/Apps/Authenticate/price-sync?state=1'],
  ])('%j: %s', async (next, location) => {
    const browser = webClient(market)
    const page = await browser.get(`/login?next=${encodeURIComponent(next)}`)
    expect(hiddenFields(page.text).next).toBe(location)
    const { email, password } = user()
    const _csrf = hiddenFields(page.text)._csrf ?? ''
    const answer = await browser.post('/login', { _csrf, email, password, next })
    expect(answer.status).toBe(303)
    expect(answer.location).toBe(location)
    expect(answer.headers.get('set-cookie')).not.toContain('x=y')
  })

  test('more than one next leads to the start page', async () => {
    const browser = webClient(market)
    const page = await browser.get('/login?next=/a&next=//evil.example')
    expect(hiddenFields(page.text).next).toBe('/')
    const _csrf = hiddenFields(page.text)._csrf ?? ''
    const { email, password } = user()
    const form = { _csrf, email, password, next: ['/a', '//evil.example'] }
    expect((await browser.post('/login', form)).location).toBe('/')
  })
})

describe('a session', () => {
  test('gets a new id at each sign-in', async () => {
    const first = await signedIn(market, user())
    const second = await signedIn(market, user())
    expect(first.cookies.get('session')).not.toBe(second.cookies.get('session'))
    expect(first.cookies.get('session')).toMatch(/^[\w-]{43}$/)
  })

  test('is never one that was planted before the sign-in', async () => {
    const browser = webClient(market)
    const planted = 'A'.repeat(43)
    browser.cookies.set('session', planted)
    await browser.login(user())
    expect(browser.cookies.get('session')).not.toBe(planted)
    expect(await pageWith(planted)).not.toContain(SIGNED_IN)
  })

  test('of an attacker, planted in the victim’s browser, ends when the victim signs in', async () => {
    const attacker = await signedIn(market, demoUser(market, 'Buyer'))
    const cookie = attacker.cookies.get('session') ?? ''
    expect(await pageWith(cookie)).toContain('Fran Fairmarket')
    const victim = webClient(market)
    victim.cookies.set('session', cookie)
    const login = await victim.get('/login?next=/')
    // The browser is signed in as the attacker: the victim sees that, and signs out first.
    expect(login.status).toBe(303)
    const { _csrf = '' } = hiddenFields((await victim.get('/')).text)
    const { email, password } = user()
    expect((await victim.post('/login', { _csrf, email, password })).status).toBe(303)
    expect(await pageWith(cookie)).not.toMatch(/Fran Fairmarket|Kim Keyline/)
    expect(await pageWith(victim.cookies.get('session'))).toContain(SIGNED_IN)
  })

  test('is kept in the database as a hash only', async () => {
    const browser = await signedIn(market, user())
    const cookie = browser.cookies.get('session') ?? ''
    const sessions = await market.deps.db.session.findMany()
    expect(sessions.length).toBeGreaterThan(0)
    for (const { id } of sessions) {
      expect(Buffer.from(id)).toHaveLength(32)
      expect(Buffer.from(id).toString('base64url')).not.toBe(cookie)
    }
  })

  test('ends on the server at the sign-out: a copy of the cookie is dead', async () => {
    const browser = await signedIn(market, user())
    const cookie = browser.cookies.get('session')
    expect(await pageWith(cookie)).toContain(SIGNED_IN)
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    const answer = await browser.post('/logout', { _csrf })
    expect(answer.status).toBe(303)
    expect(answer.location).toBe('/signed-out')
    expect(browser.cookies.has('session')).toBe(false)
    expect(await pageWith(cookie)).not.toContain(SIGNED_IN)
    expect((await browser.get('/signed-out')).text).toContain('You are signed out')
  })

  test('is one of a hundred of its user at most: one more ends the oldest', async () => {
    const person = await createUser(market.deps, {
      email: 'many@browsers.example',
      name: 'Max Many',
    })
    const oldest = await signedIn(market, person)
    const { db } = market.deps
    const {
      id: _id,
      publicId: _publicId,
      ...like
    } = await db.session.findFirstOrThrow({
      where: { userId: person.id },
    })
    const others = Array.from({ length: 99 }, () => {
      return { ...like, id: new Uint8Array(randomBytes(32)), createdAt: market.deps.now() }
    })
    await db.session.createMany({ data: others })
    expect((await oldest.get('/')).text).toContain('Max Many')
    const newest = await signedIn(market, person)
    expect((await oldest.get('/')).text).not.toContain('Max Many')
    expect((await newest.get('/')).text).toContain('Max Many')
    expect(await db.session.count({ where: { userId: person.id } })).toBe(100)
  })

  test('of another browser goes on when one signs out', async () => {
    const one = await signedIn(market, user())
    const other = await signedIn(market, user())
    const { _csrf = '' } = hiddenFields((await one.get('/')).text)
    await one.post('/logout', { _csrf })
    expect((await other.get('/')).text).toContain(SIGNED_IN)
  })

  test.each(['', 'x', 'A'.repeat(43), '%00', 'a'.repeat(5000), "' OR 1=1"])(
    'is not opened by the cookie %j',
    async (cookie) => {
      const headers = { cookie: cookieLine(market, [['session', cookie]]) }
      const page = await webClient(market).get('/', headers)
      expect(page.status).toBe(200)
      expect(page.text).not.toContain(SIGNED_IN)
    },
  )
})

describe('a user who is suspended', () => {
  const suspend = (suspendedAt: Date | null) =>
    market.deps.db.user.update({ where: { email: user().email }, data: { suspendedAt } })
  afterEach(() => suspend(null))

  test('cannot sign in and is told no more than with a wrong password', async () => {
    await suspend(new Date())
    const page = await webClient(market).login(user())
    expect(page.status).toBe(401)
    expect(page.text).toContain('Wrong email or password.')
    const whom = 'Try again, or reset your password.'
    expect(page.text).toContain(whom)
    await suspend(null)
    const wrong = await webClient(market).login({ ...user(), password: 'wrong password' })
    expect(wrong.text).toContain(whom)
  })

  test('loses the session, for the redirect too', async () => {
    const browser = await signedIn(market, user())
    await suspend(new Date())
    expect((await browser.get('/')).text).not.toContain(SIGNED_IN)
    expect((await browser.get('/Apps/Authenticate/price-sync')).location).toMatch(/^\/login\?/)
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import {
  cookieLine,
  demoUser,
  hiddenFields,
  signedIn,
  signedInDeveloper,
  webClient,
} from '../../setup/web-client.ts'

const SIGNED_IN = 'Kim Keyline'
const MINUTE = 60

let market: TestMarketplace
const start = async (config: Parameters<typeof startMarketplace>[0] = {}) => {
  market = await startMarketplace(config)
}
afterEach(() => market.close())

const user = () => demoUser(market, 'Seller')

/** The attributes of a cookie, sorted, without name and value. */
async function attributesOf(name: string): Promise<string[]> {
  const browser = webClient(market)
  const page = await browser.get('/login')
  const answer = await browser.post('/login', {
    ...hiddenFields(page.text),
    email: user().email,
    password: user().password,
  })
  const lines = [...page.headers.getSetCookie(), ...answer.headers.getSetCookie()]
  const found = lines.filter((line) => line.startsWith(`${name}=`))
  expect(found).toHaveLength(1)
  return (found[0] ?? '').split('; ').slice(1).sort()
}

describe('the cookies', () => {
  test('are for our pages alone', async () => {
    await start()
    const { port } = new URL(market.url)
    for (const name of [`marketplace_session_${port}`, `marketplace_form_${port}`]) {
      expect(await attributesOf(name)).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
    }
  })

  test('of an https address are secure and bound to its host', async () => {
    await start({ config: { publicUrl: 'https://marketplace.example' } })
    for (const name of ['__Host-session', '__Host-form']) {
      expect(await attributesOf(name)).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'])
    }
    const browser = await signedIn(market, user())
    expect((await browser.get('/')).text).toContain(SIGNED_IN)
    const planted = { cookie: `session=${browser.cookies.get('__Host-session')}` }
    expect((await webClient(market).get('/', planted)).text).not.toContain(SIGNED_IN)
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    await browser.post('/logout', { _csrf })
    expect(browser.cookies.has('__Host-session')).toBe(false)
  })
})

describe('two marketplaces on one host', () => {
  test('and other programs there leave each other signed in', async () => {
    await start()
    const other = await startMarketplace()
    try {
      const browser = await signedIn(market, user())
      const beside = await signedIn(other, demoUser(other, 'Seller'))
      const cookie = `session=flask; form=flask; ${cookieLine(other, beside.cookies)}; ${cookieLine(market, browser.cookies)}`
      expect((await webClient(market).get('/', { cookie })).text).toContain(SIGNED_IN)
      expect((await webClient(other).get('/', { cookie })).text).toContain(SIGNED_IN)
    } finally {
      await other.close()
    }
  })
})

describe('a session runs out', () => {
  beforeEach(() => start({ config: { sessionIdleSeconds: 3600, sessionTtlSeconds: 4 * 3600 } }))

  test('when the browser does nothing for SESSION_IDLE_SECONDS', async () => {
    const browser = await signedIn(market, user())
    market.advance(3500)
    expect((await browser.get('/')).text).toContain(SIGNED_IN)
    market.advance(3500)
    expect((await browser.get('/')).text).toContain(SIGNED_IN)
    market.advance(3601)
    expect((await browser.get('/')).text).not.toContain(SIGNED_IN)
    expect((await browser.get('/Apps/Authenticate/price-sync')).location).toMatch(/^\/login\?/)
  })

  test('SESSION_TTL_SECONDS after the sign-in, however busy', async () => {
    const browser = await signedIn(market, user())
    for (let elapsed = 0; elapsed < 4 * 3600 - 30 * MINUTE; elapsed += 30 * MINUTE) {
      market.advance(30 * MINUTE)
      expect((await browser.get('/')).text).toContain(SIGNED_IN)
    }
    market.advance(30 * MINUTE)
    expect((await browser.get('/')).text).not.toContain(SIGNED_IN)
  })

  test('and the form of its last page leads to the sign-in', async () => {
    const browser = await signedIn(market, user())
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    market.advance(3601)
    expect((await browser.post('/logout', { _csrf })).location).toBe('/signed-out')
    expect((await webClient(market).login(user())).status).toBe(303)
  })

  test('and is removed from the database at the next sign-in', async () => {
    await signedIn(market, user())
    market.advance(4 * 3600 + 1)
    await signedIn(market, user())
    expect(await market.deps.db.session.count()).toBe(1)
  })
})

test('a browser that does something within a short SESSION_IDLE_SECONDS stays signed in', async () => {
  await start({ config: { sessionIdleSeconds: 60 } })
  const browser = await signedIn(market, user())
  for (let click = 0; click < 4; click++) {
    market.advance(40)
    expect((await browser.get('/')).text).toContain(SIGNED_IN)
  }
  market.advance(61)
  expect((await browser.get('/')).text).not.toContain(SIGNED_IN)
})

describe('an error page', () => {
  beforeEach(() => start())
  const signIn = (area = '') => new RegExp(`class="button small sign-in" href="${area}/login"`, 'i')

  test('knows who is signed in: of what is gone, and for a form that has expired', async () => {
    const browser = await signedIn(market, user())
    const pages = [
      await browser.get('/Apps/no-such-app'),
      await browser.post('/Account/Password', {}),
      await browser.post('/login', {}),
    ]
    expect(pages.map(({ status }) => status)).toEqual([404, 403, 403])
    for (const { text } of pages) {
      expect(text).toContain(SIGNED_IN)
      expect(text).toContain('href="/Installed"')
      expect(text).not.toMatch(signIn())
    }
  })

  test('knows developers at their addresses only', async () => {
    const browser = await signedInDeveloper(market)
    const { text } = await browser.get('/Developer/Apps/no-such-app')
    expect(text).toContain('href="/Developer">Developer console</a>')
    expect(text).not.toMatch(signIn())
    const elsewhere = (await browser.get('/Apps/no-such-app')).text
    expect(elsewhere).not.toContain('href="/Developer/Credentials"')
    expect(elsewhere).toContain('href="/Developer"')
  })

  test('of an address that there is not reads no session', async () => {
    const browser = await signedIn(market, user())
    for (const path of ['/no-such-page', '/%zz', '/logout', '/Developer/no-such-page']) {
      expect((await browser.get(path)).text).not.toContain(SIGNED_IN)
    }
  })

  test('asks who is not signed in to do so', async () => {
    const browser = await signedIn(market, user())
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    const cookie = cookieLine(market, browser.cookies)
    await browser.post('/logout', { _csrf })
    for (const headers of [
      {},
      { cookie },
      { cookie: cookieLine(market, [['session', '']]) },
      { cookie: `${cookieLine(market, [['session', 'x']])}; =; %` },
    ]) {
      const { status, text } = await webClient(market).get('/no-such-page', headers)
      expect(status).toBe(404)
      expect(text).toMatch(signIn())
    }
  })

  test('of the API looks at no cookie, in whatever form it is asked for', async () => {
    const browser = await signedIn(market, user())
    market.advance(5 * MINUTE)
    const seen = () =>
      market.deps.db.session.findFirstOrThrow().then(({ lastSeenAt }) => lastSeenAt)
    const before = await seen()
    for (const path of ['/v1/nothing', '/V1/Account', '/api/v1/Account', '/no-such-page']) {
      const { status, text } = await browser.get(path)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain(SIGNED_IN)
    }
    expect(await seen()).toEqual(before)
    await browser.get('/Apps/no-such-app')
    expect(await seen()).not.toEqual(before)
  })
})

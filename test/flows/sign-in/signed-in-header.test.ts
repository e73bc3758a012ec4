import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import {
  demoUser,
  hiddenFields,
  type Page,
  signedIn,
  signedInDeveloper,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

const DOCS = ['/docs', '/docs/apps', '/docs/api', '/docs/operate', '/docs/errors']
const STORE = ['/', '/Apps', '/Apps/price-sync']

let market: TestMarketplace
let developer: WebClient
let user: WebClient
let both: WebClient
beforeAll(async () => {
  market = await startMarketplace()
  developer = await signedInDeveloper(market)
  user = await signedIn(market, demoUser(market, 'Seller'))
  both = await signedInDeveloper(market, 0, await signedIn(market, demoUser(market, 'Seller')))
})
afterAll(() => market.close())

const headerOf = ({ text }: Page) => text.split('<main')[0] ?? ''

describe('the header of a page for everybody', () => {
  test.each([...STORE, ...DOCS])('knows the developer who is signed in: %s', async (path) => {
    const header = headerOf(await developer.get(path))
    expect(header).toContain('<bdi class="who-name">Northwind Tools</bdi>')
    expect(header).toContain('href="/Developer"')
    expect(header).not.toContain('Sign in<')
  })

  test.each(DOCS)('has all links of the console for a developer: %s', async (path) => {
    const linksOf = (header: string) =>
      [...header.matchAll(/<a\s+href="([^"]*)"/g)].map(([, to]) => to)
    const console = headerOf(await developer.get('/Developer'))
    const docs = headerOf(await developer.get(path)).split('<div class="docs-side"')[0] ?? ''
    expect(linksOf(docs.split('</header>')[0] ?? '')).toEqual(
      linksOf(console.split('</header>')[0] ?? ''),
    )
    expect(docs).toContain('href="/Developer/Credentials"')
    expect(docs).toContain('action="/Developer/Logout"')
  })

  test('signs out from the documentation whom it shows', async () => {
    const out = await signedInDeveloper(market, 0)
    const form = hiddenFields(headerOf(await out.get('/docs')))
    const answer = await out.post('/Developer/Logout', form)
    expect([answer.status, answer.location]).toEqual([303, '/Developer/SignedOut'])
    const person = await signedIn(market, demoUser(market, 'Buyer'))
    const own = hiddenFields(headerOf(await person.get('/docs/errors')))
    expect((await person.post('/logout', own)).status).toBe(303)
    expect(headerOf(await person.get('/docs'))).toContain('Sign in<')
  })

  test.each(DOCS)('knows the user who is signed in: %s', async (path) => {
    const header = headerOf(await user.get(path))
    expect(header).toContain('<bdi class="who-name">Kim Keyline</bdi>')
    expect(header).toContain('href="/Installed"')
    expect(header).not.toContain('Northwind')
  })

  test.each(STORE)(
    'shows the user where both are, and the way to the console: %s',
    async (path) => {
      const header = headerOf(await both.get(path))
      expect(header).toContain('<bdi class="who-name">Kim Keyline</bdi>')
      expect(header).toContain('href="/Developer">Developer</a>')
      expect(header).toContain('action="/logout"')
    },
  )

  test('shows the developer where both are, in the documentation', async () => {
    expect(headerOf(await both.get('/docs'))).toContain(
      '<bdi class="who-name">Northwind Tools</bdi>',
    )
  })

  test('signs the developer out, and nobody else', async () => {
    const browser = await signedInDeveloper(market, 0)
    const header = headerOf(await browser.get('/Apps'))
    expect(header).toContain('action="/Developer/Logout"')
    const answer = await browser.post('/Developer/Logout', hiddenFields(header))
    expect([answer.status, answer.location]).toEqual([303, '/Developer/SignedOut'])
    expect(headerOf(await browser.get('/Apps'))).toContain('Sign in<')
    expect((await both.get('/Installed')).status).toBe(200)
  })
})

describe('the page after a sign-out', () => {
  test('names the user who is still signed in, and signs out that one, too', async () => {
    const browser = await signedInDeveloper(
      market,
      0,
      await signedIn(market, demoUser(market, 'Buyer')),
    )
    const header = headerOf(await browser.get('/Developer'))
    const { location } = await browser.post('/Developer/Logout', hiddenFields(header))
    const page = await browser.get(location ?? '')
    expect(page.text).toContain('The developer is signed out')
    expect(page.text).toMatch(/you are still signed in as <bdi>Fran Fairmarket<\/bdi>/)
    expect(page.text).not.toContain('You are signed out')
    expect(headerOf(page)).not.toContain('Sign in<')
    const out = await browser.post('/logout', hiddenFields(page.text.split('<main')[1] ?? ''))
    expect((await browser.get(out.location ?? '')).text).toContain('You are signed out')
    expect((await browser.get('/Installed')).location).toMatch(/^\/login/)
  })

  test('names the developer who is still signed in, and signs out that one, too', async () => {
    const browser = await signedInDeveloper(
      market,
      0,
      await signedIn(market, demoUser(market, 'Buyer')),
    )
    const header = headerOf(await browser.get('/Apps'))
    const { location } = await browser.post('/logout', hiddenFields(header))
    const page = await browser.get(location ?? '')
    expect(page.text).toContain('The user is signed out')
    expect(page.text).toContain('you are still signed in as <bdi>Northwind Tools</bdi>')
    const fields = hiddenFields(page.text.split('<main')[1] ?? '')
    const out = await browser.post('/Developer/Logout', fields)
    expect((await browser.get(out.location ?? '')).text).toContain('You are signed out')
    expect((await browser.get('/Developer')).location).toMatch(/^\/Developer\/Login/)
  })

  test('is nothing for who has signed in again', async () => {
    expect((await user.get('/signed-out')).location).toBe('/')
    expect((await developer.get('/Developer/SignedOut')).location).toBe('/Developer')
  })
})

describe('the documentation', () => {
  test('is one page for all strangers, that caches keep apart from what is personal', async () => {
    const strangers = [webClient(market), webClient(market)]
    strangers[1]?.cookies.set('session', 'made-up')
    strangers[1]?.cookies.set('developer-session', 'made-up')
    const pages = await Promise.all(strangers.map((one) => one.get('/docs')))
    expect(pages[0]?.text).toBe(pages[1]?.text)
    for (const { headers } of pages) {
      expect(headers.get('cache-control')).toBe('public, max-age=300')
      expect(headers.get('vary')).toMatch(/\bCookie\b/i)
      expect(headers.has('set-cookie')).toBe(false)
    }
  })

  test.each(DOCS)('with a name in its header is stored by nobody: %s', async (path) => {
    const stranger = await webClient(market).get(path)
    for (const browser of [developer, user, both]) {
      const etag = stranger.headers.get('etag') ?? ''
      const { status, headers } = await browser.get(path, { 'if-none-match': etag })
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('private, no-store')
      expect(headers.get('vary')).toMatch(/\bCookie\b/i)
      expect(headers.has('etag')).toBe(false)
    }
  })

  test('forgets who is signed out', async () => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    await market.deps.db.session.deleteMany({ where: { user: { name: 'Kim Keyline' } } })
    const page = await browser.get('/docs')
    expect(headerOf(page)).not.toContain('Kim')
    expect(page.headers.get('cache-control')).toBe('public, max-age=300')
    user = await signedIn(market, demoUser(market, 'Seller'))
  })
})

test('every page but the documentation of strangers and files is stored by nobody', async () => {
  const pages = market.app.routes
    .all()
    .filter(
      ({ audience, method, url }) =>
        method === 'GET' && (audience === 'browser' || /^\/(docs|assets)/.test(url)),
    )
  const pathOf = (url: string) => url.replace(':appId', 'price-sync').replace('*', 'style.css')
  for (const { url, audience } of pages) {
    const isFile = url.startsWith('/assets')
    const own = (await user.get(pathOf(url))).headers.get('cache-control')
    expect([url, own]).toEqual([url, expect.stringMatching(isFile ? /^public, max/ : /no-store/)])
    if (audience === 'browser') continue
    const open = (await webClient(market).get(pathOf(url))).headers.get('cache-control')
    expect([url, open]).toEqual([url, expect.stringMatching(/^public, max-age=/)])
  }
})

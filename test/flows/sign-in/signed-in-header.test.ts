import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { makeOwner } from '../../setup/developer-person.ts'
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
  await makeOwner(market, demoUser(market, 'Seller', 1))
  both = await signedIn(market, demoUser(market, 'Seller', 1))
})
afterAll(() => market.close())

const headerOf = ({ text }: Page) => text.split('<main')[0] ?? ''

describe('the header of a page for everybody', () => {
  test.each([...STORE, ...DOCS])('knows the person of a developer: %s', async (path) => {
    const header = headerOf(await developer.get(path))
    expect(header).toContain('<bdi class="who-name">Noel Northwind</bdi>')
    expect(header).toContain('href="/Developer"')
    expect(header).not.toContain('Sign in<')
  })

  test('signs out from the documentation whom it shows', async () => {
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

  test.each(STORE)('shows who has accounts the way to the console, too: %s', async (path) => {
    const header = headerOf(await both.get(path))
    expect(header).toContain('<bdi class="who-name">Harper Homewell</bdi>')
    expect(header).toContain('href="/Developer">Developer console</a>')
  })
})

test('the page after a sign-out is nothing for who has signed in again', async () => {
  expect((await user.get('/signed-out')).location).toBe('/')
})

describe('the documentation', () => {
  test('is one page for all strangers, that caches keep apart from what is personal', async () => {
    const strangers = [webClient(market), webClient(market)]
    strangers[1]?.cookies.set('session', 'made-up')
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

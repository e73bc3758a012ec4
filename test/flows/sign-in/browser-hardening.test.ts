import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../../src/http/route-table.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import {
  call,
  demoInstallation,
  developerToken,
  installationToken,
  userToken,
} from '../../setup/client.ts'
import {
  directives,
  expectGuarded,
  expectHardened,
  expectNothingInline,
} from '../../setup/hardened.ts'
import { operatorCalls } from '../../setup/operator.ts'
import {
  demoUser,
  hiddenFields,
  signedIn,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

const HTML = { accept: 'text/html' }
const EVIL = 'https://evil.example'

let market: TestMarketplace
let secure: TestMarketplace
beforeAll(async () => {
  ;[market, secure] = await Promise.all([
    startMarketplace(),
    startMarketplace({ config: { publicUrl: 'https://marketplace.example' } }),
  ])
})
afterAll(() => Promise.all([market.close(), secure.close()]))

const user = () => demoUser(market, 'Seller')
const pathOf = ({ url }: Pick<Route, 'url'>) =>
  url.replace(':appId', 'price-sync').replace('*', 'style.css')

/**
 * Every address that answers GET with a page, as the application declares them, but for the API
 * reference, whose policy has a test of its own.
 */
const pages = () =>
  market.app.routes
    .all()
    .filter(
      ({ audience, method, url }) =>
        method === 'GET' &&
        url !== '/docs/api' &&
        (audience === 'browser' || /^\/(docs|assets)/.test(url)),
    )

describe('every page that the router knows', () => {
  test('is among those that are looked at here', () => {
    expect(pages().map(({ url }) => url)).toEqual(
      expect.arrayContaining(['/', '/login', '/signed-out', '/docs', '/Apps/Authenticate/:appId']),
    )
  })

  test('has the headers that keep browsers from harm, for visitors and users', async () => {
    for (const browser of [webClient(market), await signedIn(market, user())]) {
      for (const page of pages()) {
        const { headers, text } = await browser.get(pathOf(page))
        expectHardened(headers)
        if (!headers.get('content-type')?.startsWith('text/html')) continue
        expectNothingInline(text)
        const policy = headers.get('content-security-policy')
        expect(directives(policy).get('script-src')).toBe("'self'")
      }
    }
  })

  test('has them when it fails, too', async () => {
    for (const page of pages()) {
      const path = pathOf(page)
      const answers = await Promise.all([
        call(market, 'GET', `${path}/%zz`, { headers: HTML }),
        call(market, 'GET', `${path}/nothing/there`, { headers: HTML }),
        call(market, 'DELETE', path, { headers: HTML }),
        call(market, 'POST', path, { headers: HTML, body: '{' }),
      ])
      for (const { status, headers, text } of answers) {
        expect(status).toBeGreaterThanOrEqual(400)
        expectHardened(headers)
        expect(headers.get('cache-control')).toMatch(/no-store/)
        expectNothingInline(text)
      }
    }
  })

  test('asks for https ever after where PUBLIC_URL is https, and only there', async () => {
    const paths = [...pages().map(pathOf), '/livez', '/v1/Products', '/nothing', '/%zz']
    for (const path of paths) {
      const promised = (await call(secure, 'GET', path)).headers
      expect(promised.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
      const plain = (await call(market, 'GET', path)).headers
      expect(plain.has('strict-transport-security')).toBe(false)
    }
  })
})

test('every answer of the API has those that count for it, and none to a token is kept by others', async () => {
  const operator = await operatorCalls(market)
  const { body: document } = await call(market, 'GET', '/openapi.json')
  const tokens: Record<string, string> = {
    developer: await developerToken(market),
    account: await userToken(market),
    installation: await installationToken(market, demoInstallation(market, 'price-sync', 'Seller')),
  }
  const installationId = demoInstallation(market, 'price-sync').id
  let succeeded = 0
  for (const { method, url, audience } of market.app.routes.all()) {
    if (method !== 'GET' || audience === undefined || audience === 'browser') continue
    if (!Object.hasOwn(document.paths, url.replaceAll(/:(\w+)/g, '{$1}'))) continue
    const path = url
      .replace(':appId', 'price-sync')
      .replace(':installationId', installationId)
      .replaceAll(/:\w+/g, '1')
    const token = tokens[audience]
    const { status, headers } =
      audience === 'operator'
        ? await operator('GET', path.slice('/v1/Operator/'.length))
        : await call(market, 'GET', path, token === undefined ? {} : { token })
    expectGuarded(headers)
    if (audience === 'public') continue
    expect(headers.get('cache-control'), path).toMatch(
      /^(private, no-(store|cache)|no-store)(, no-transform)?$/,
    )
    if (status === 200) succeeded += 1
  }
  expect(succeeded).toBeGreaterThan(15)
})

describe('a sign-in that somebody else began', () => {
  const fieldsOf = async (browser: WebClient) => {
    const { email, password } = demoUser(market, 'Buyer')
    return { ...hiddenFields((await browser.get('/login')).text), email, password }
  }

  test('with the attacker’s form in the victim’s browser is refused', async () => {
    const fields = await fieldsOf(webClient(market))
    const victims = [webClient(market), webClient(market)]
    await victims[1]?.get('/login')
    for (const victim of victims) {
      const answer = await victim.post('/login', fields)
      expect(answer.status).toBe(403)
      expect(victim.cookies.has('session')).toBe(false)
    }
  })

  test.each(['cross-site', 'same-site'])(
    'from a %s page is refused, even with our own form',
    async (site) => {
      const victim = webClient(market)
      const answer = await victim.post('/login', await fieldsOf(victim), { 'sec-fetch-site': site })
      expect(answer.status).toBe(403)
      expect(victim.cookies.has('session')).toBe(false)
    },
  )

  test('by the address is none: the query signs nobody in', async () => {
    const browser = webClient(market)
    const { email, password } = user()
    await browser.get(
      `/login?email=${encodeURIComponent(email)}&password=${encodeURIComponent(password)}`,
    )
    expect(browser.cookies.has('session')).toBe(false)
  })
})

describe('the sign-out', () => {
  const signOut = async (target: TestMarketplace) => {
    const browser = await signedIn(target, demoUser(target, 'Seller'))
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    return browser.post('/logout', { _csrf })
  }

  test('clears the pages that the back button shows, on https', async () => {
    expect((await signOut(secure)).headers.get('clear-site-data')).toBe('"cache"')
    expect((await signOut(market)).headers.has('clear-site-data')).toBe(false)
  })

  test('is never done by an address', async () => {
    const browser = await signedIn(market, user())
    expect((await browser.get('/logout')).status).toBe(405)
    expect((await browser.get('/')).text).toContain('Kim Keyline')
  })
})

describe('no address of ours leads elsewhere', () => {
  const targets = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%09/evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    '%2f%2fevil.example',
    EVIL,
    'HTTPS:evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/apps/../..//evil.example',
    '/./%2e%2e//evil.example',
    '/.//evil.example',
    '//127.0.0.1@evil.example',
    '/@evil.example',
    '/;@evil.example',
    '//evil.example/%2e%2e',
    '/login?next=//evil.example',
    '/\u2028//evil.example',
    '/\u3002\u3002//evil',
    '//evil%E3%80%82example',
    '/?next=https://evil.example',
    '#//evil.example',
    '?//evil.example',
    '',
    ' //evil.example',
  ]
  const expectOurs = (location: string | null) => {
    if (location === null) return
    expect(new URL(location, market.url).origin).toBe(market.url)
    expect(location).toMatch(/^\/(?![/\\])/)
  }

  test.each(targets)('next=%j', async (next) => {
    const browser = await signedIn(market, user())
    const encoded = [encodeURIComponent(next), encodeURIComponent(encodeURIComponent(next))]
    for (const value of encoded) {
      for (const query of [`next=${value}`, `next[]=${value}`, `next=/a&next=${value}`]) {
        expectOurs((await browser.get(`/login?${query}`)).location)
      }
      for (const page of pages()) {
        const query = `next=${value}&returnUrl=${value}&redirect=${value}&state=${value}`
        const answer = await market.app.inject({ url: `${pathOf(page)}?${query}`, headers: HTML })
        expectOurs(answer.headers.location ?? null)
      }
    }
  })

  test.each([
    '//evil.example/docs',
    '//evil.example',
    '/docs//evil.example/',
    '/login//evil.example/..',
    '/assets//evil.example/%2e%2e/',
    '//evil.example/assets/',
  ])('a path like %s', async (path) => {
    const { location } = await webClient(market).get(path)
    expectOurs(location)
  })

  test('the Host header is not believed', async () => {
    const evil = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const headers = { ...evil, 'x-forwarded-proto': 'https' }
    for (const page of pages()) {
      const answer = await webClient(market).get(pathOf(page), headers)
      expectOurs(answer.location)
      expect(answer.text).not.toContain('evil.example')
    }
  })
})

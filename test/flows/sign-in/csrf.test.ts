import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { everything } from '../../setup/apps.ts'
import { makeOwner } from '../../setup/developer-person.ts'
import { setReturnUrl } from '../../setup/redirect.ts'
import {
  demoUser,
  hiddenFields,
  signedIn,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

const RETURN_URL = 'https://app.example/auth/return'
const SIGNED_IN = 'Kim Keyline'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, 'price-sync', RETURN_URL)
  await makeOwner(market, demoUser(market, 'Seller'), 0)
  await makeOwner(market, demoUser(market, 'Buyer'), 1)
})
afterAll(() => market.close())

const user = () => demoUser(market, 'Seller')
/** An installation of the user's account. */
const installed = () =>
  market.demo.installations.find(({ partyId }) => partyId === user().partyId)?.id ?? ''
const csrfOf = async (browser: WebClient, path = '/') =>
  hiddenFields((await browser.get(path)).text)._csrf ?? ''

/** Where the pages of a path begin. */
const startOf = (path: string) => (path.startsWith('/Developer') ? '/Developer' : '/')

/** A browser in which somebody is signed in who has an account and works for a developer. */
const signedInBoth = (partyType: 'Seller' | 'Buyer') =>
  signedIn(market, demoUser(market, partyType))

/** What forms could change, but for what sign-ins leave behind. */
async function changeable() {
  const { sessions: _sessions, login_failures: _attempts, ...rest } = await everything(market)
  return rest
}

/** Every address that takes forms, as the application declares them. */
function formPaths({ ofOperator = false } = {}): string[] {
  return market.app.routes
    .all()
    .filter(({ audience, method }) => audience === 'browser' && !['GET', 'HEAD'].includes(method))
    .filter(({ url }) => url.startsWith('/Operator') === ofOperator)
    .map(({ url }) =>
      url
        .replace(':appId', 'price-sync')
        .replace(':installationId', installed())
        .replace(':credentialId', randomUUID()),
    )
}

describe('a form', () => {
  test('exists for everything that a visitor changes', () => {
    expect(formPaths()).toEqual(
      expect.arrayContaining([
        '/login',
        '/logout',
        '/Apps/Authenticate/price-sync',
        '/Apps/price-sync/Install',
        ...['Settings', 'Option', 'Upgrade', 'Uninstall'].map(
          (what) => `/Installed/${installed()}/${what}`,
        ),
        '/Account/Password',
        '/Account/Choose',
        '/Account/SignOutEverywhere',
        ...['Apps/New', 'Credentials'].map((what) => `/Developer/${what}`),
        ...['Definition', 'List', 'Unlist', 'Delete', 'Terms', 'Sandbox'].map(
          (what) => `/Developer/Apps/price-sync/${what}`,
        ),
        ...['Settings', 'Suspend', 'Resume', 'Tokens', 'Uninstall'].map(
          (what) => `/Developer/Installations/${installed()}/${what}`,
        ),
        expect.stringMatching('^/Developer/Credentials/.*/Remove$'),
      ]),
    )
  })

  test('that has expired leads to the page at its address, a sign-out to the start', async () => {
    const own = await signedInBoth('Seller')
    for (const path of formPaths()) {
      const { text } = await own.post(path, { email: user().email, password: 'x' })
      const isSignOut = path === '/logout'
      const leadsToStart = /Go to (your apps|the start page)/.test(text)
      expect([path, leadsToStart]).toEqual([path, isSignOut])
      expect(text.includes(`href="${path}">Open the page again<`)).toBe(!isSignOut)
    }
    const shown = market.app.routes
      .all()
      .flatMap(({ method, url }) => (method === 'GET' ? [url] : []))
    const forms = market.app.routes
      .all()
      .filter(({ audience, method }) => audience === 'browser' && method === 'POST')
    const pageless = forms.filter(({ url }) => !shown.includes(url)).map(({ url }) => url)
    expect(pageless).toEqual(['/logout'])
  })

  type Fields = Record<string, string | string[]>
  type Forge = (
    own: WebClient,
    start: string,
    other: WebClient,
  ) => Promise<[Fields, Record<string, string>?]>
  const forgeries: [string, Forge][] = [
    ['without a token', async () => [{}]],
    ['with an empty token', async () => [{ _csrf: '' }]],
    ['with an invented token', async () => [{ _csrf: 'AAAA-AAAA' }]],
    [
      'with two tokens',
      async (own, start) => [{ _csrf: [await csrfOf(own, start), await csrfOf(own, start)] }],
    ],
    [
      'with the token of another session',
      async (_own, start, other) => [{ _csrf: await csrfOf(other, start) }],
    ],
    [
      'with the token of a visitor',
      async () => [{ _csrf: await csrfOf(webClient(market), '/login') }],
    ],
    [
      'that another site sends',
      async (own, start) => [
        { _csrf: await csrfOf(own, start) },
        { 'sec-fetch-site': 'cross-site' },
      ],
    ],
    [
      'that a sister site sends',
      async (own, start) => [
        { _csrf: await csrfOf(own, start) },
        { 'sec-fetch-site': 'same-site' },
      ],
    ],
  ]

  test.each(forgeries)('%s is refused and changes nothing', async (_name, forge) => {
    const own = await signedInBoth('Seller')
    const before = new Map(own.cookies)
    const { email, password } = demoUser(market, 'Buyer')
    const other = await signedInBoth('Buyer')
    const rows = await changeable()
    for (const path of formPaths()) {
      const [fields, headers] = await forge(own, startOf(path), other)
      const answer = await own.post(path, { email, password, ...fields }, headers)
      expect([path, answer.status]).toEqual([path, 403])
      expect(answer.location).toBeNull()
      expect(answer.text).toContain('The form has expired')
      expect(await changeable()).toEqual(rows)
      expect(own.cookies).toEqual(before)
    }
    // The cookies are the same as before: a session that any of them ended is over here, too.
    expect((await own.get('/')).text).toContain(SIGNED_IN)
    expect((await own.get('/Developer')).text).toContain('Your apps')
  })

  test('of the operator console needs the token of its session, too', async () => {
    const { db } = market.deps
    const [userId, developerId, credentialId] = await Promise.all([
      db.user.findFirstOrThrow({ where: { operator: false } }).then(({ id }) => id),
      db.developer.findFirstOrThrow().then(({ id }) => id),
      db.developerCredential.findFirstOrThrow().then(({ id }) => id),
    ])
    const ids: Record<string, string> = {
      Users: userId,
      Developers: developerId,
      Parties: String(user().partyId),
      Apps: 'price-sync',
      Installations: installed(),
    }
    const paths = formPaths({ ofOperator: true }).map((path) =>
      path
        .replace(':id', ids[path.split('/')[2] ?? ''] ?? '')
        .replace(':partyId', String(user().partyId))
        .replace(':otherId', String(demoUser(market, 'Buyer').partyId))
        .replace(':credentialId', credentialId),
    )
    expect(paths.length).toBeGreaterThan(20)
    const operator = await signedIn(market, market.demo.operator)
    const foreign = await csrfOf(await signedIn(market, user()))
    const rows = await everything(market)
    for (const path of paths) {
      for (const fields of [{}, { _csrf: 'AAAA-AAAA' }, { _csrf: foreign }]) {
        const sent = { name: 'New', type: 'Buyer', reason: 'x', email: user().email, ...fields }
        expect([path, (await operator.post(path, sent)).status]).toEqual([path, 403])
      }
    }
    expect(await everything(market)).toEqual(rows)
  })

  test('of a page that was open during a sign-in is refused', async () => {
    const browser = webClient(market)
    const _csrf = await csrfOf(browser, '/login')
    await browser.login(user())
    expect((await browser.post('/logout', { _csrf })).status).toBe(403)
  })

  test('is no JSON', async () => {
    const { email, password } = user()
    for (const type of ['application/json', 'application/merge-patch+json', 'text/plain']) {
      const answer = await fetch(`${market.url}/login`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': type },
        body: JSON.stringify({ email, password }),
      })
      expect(answer.status).toBe(415)
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
  })

  test('sent from our own page is taken', async () => {
    const browser = await signedIn(market, user())
    const headers = { 'sec-fetch-site': 'same-origin', origin: market.url }
    expect((await browser.post('/logout', { _csrf: await csrfOf(browser) }, headers)).status).toBe(
      303,
    )
  })
})

describe('a page', () => {
  const directive = (policy: string | null, name: string) =>
    policy
      ?.split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(`${name} `))

  test.each([
    '/',
    '/login',
    '/signed-out',
    '/Developer',
    '/Developer/Apps/price-sync/Definition',
    '/Developer/Credentials',
    '/login?next=/Apps/Authenticate/price-sync',
    '/Apps/Authenticate/nothing',
    '/no-such-page',
  ])('%s is private, never stored, never framed, and holds nothing inline', async (path) => {
    for (const browser of [webClient(market), await signedInBoth('Seller')]) {
      const { headers } = await browser.get(path)
      expect(headers.get('cache-control')).toContain('no-store')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const policy = headers.get('content-security-policy')
      expect(directive(policy, 'default-src')).toBe("default-src 'none'")
      expect(directive(policy, 'style-src')).toBe("style-src 'self'")
      expect(directive(policy, 'frame-ancestors')).toBe("frame-ancestors 'none'")
      expect(directive(policy, 'base-uri')).toBe("base-uri 'none'")
      expect(policy).not.toMatch(/unsafe|\*/)
      expect([undefined, "script-src 'self'"]).toContain(directive(policy, 'script-src'))
    }
  })

  test('lets forms lead to other sites only on the way to an app', async () => {
    const browser = webClient(market)
    const targetsAt = async (path: string) =>
      directive((await browser.get(path)).headers.get('content-security-policy'), 'form-action')
    const app = '/login?next=%2FApps%2FAuthenticate%2Fprice-sync'
    expect(await targetsAt('/login')).toBe("form-action 'self'")
    expect(await targetsAt('/')).toBe("form-action 'self'")
    expect(await targetsAt('/signed-out')).toBe("form-action 'self'")
    const withState = app.replace('price-sync', 'Price-Sync%3Fstate%3Ds')
    for (const path of [app, withState, app.replace('%2FApps', '%2Fapi%2FApps')]) {
      expect(await targetsAt(path)).toBe("form-action 'self' https:")
    }
    // The same for apps that are not listed, and for none.
    const anywhere = "form-action 'self' https: http:"
    expect(await targetsAt(app.replace('price-sync', 'unknown'))).toBe(anywhere)
    expect(await targetsAt(app.replace('price-sync', '%2500'))).toBe(anywhere)
    await setReturnUrl(market, 'price-sync', 'http://localhost:4000/return')
    expect(await targetsAt(app)).toBe(
      "form-action 'self' https: http://localhost:* http://127.0.0.1:*",
    )
    await setReturnUrl(market, 'price-sync', 'http://[::1]:4000/return')
    expect(await targetsAt(app)).toBe("form-action 'self' http:")
    await setReturnUrl(market, 'price-sync', 'https://evil.example; script-src *')
    expect(await targetsAt(app)).toBe(anywhere)
    await setReturnUrl(market, 'price-sync', RETURN_URL)
  })
})

import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createCredential } from '../../../src/identity/accounts/credentials-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { everything } from '../../setup/apps.ts'
import { demoInstallation } from '../../setup/client.ts'
import {
  demoUser,
  hiddenFields,
  signedIn,
  signedInDeveloper,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

const COOKIE = 'developer-session'
const START = 'Your apps'

let market: TestMarketplace
beforeEach(async () => {
  market = await startMarketplace({
    config: { sessionIdleSeconds: 3600, sessionTtlSeconds: 4 * 3600 },
  })
})
afterEach(() => market.close())

const developer = (index = 0) => {
  const { clientId, password } = market.demo.developers[index] ?? { clientId: '', password: '' }
  return { clientId, password }
}
const credentialOf = ({ clientId }: { clientId: string }) =>
  market.deps.db.developerCredential.findUniqueOrThrow({ where: { clientId } })
const isSignedIn = async (browser: WebClient) => {
  const page = await browser.get('/Developer')
  if (page.status === 303) expect(page.location).toBe('/Developer/Login?next=%2FDeveloper')
  else expect(page.text).toContain(START)
  return page.status === 200
}

describe('the sign-in of a developer', () => {
  test('opens a session of its own, with a new id each time, kept as a hash only', async () => {
    const first = await signedInDeveloper(market)
    const second = await signedInDeveloper(market)
    expect(first.cookies.get(COOKIE)).toMatch(/^[\w-]{43}$/)
    expect(first.cookies.get(COOKIE)).not.toBe(second.cookies.get(COOKIE))
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([true, true])
    const rows = await market.deps.db.developerSession.findMany()
    expect(rows).toHaveLength(2)
    for (const { id } of rows) {
      expect(Buffer.from(id)).toHaveLength(32)
      expect(Buffer.from(id).toString('base64url')).not.toBe(first.cookies.get(COOKIE))
    }
  })

  test('ends the session that the browser had before', async () => {
    const browser = await signedInDeveloper(market)
    const former = browser.cookies.get(COOKIE) ?? ''
    const { _csrf = '' } = hiddenFields((await browser.get('/Developer')).text)
    const answer = await browser.post('/Developer/Login', { _csrf, ...developer(1) })
    expect(answer.status).toBe(303)
    const copy = webClient(market)
    copy.cookies.set(COOKIE, former)
    expect(await isSignedIn(copy)).toBe(false)
    expect((await browser.get('/Developer')).text).not.toContain('Price Sync')
  })

  test('answers an unknown client id and a wrong password alike, and keeps what was typed', async () => {
    const texts = []
    for (const clientId of ['nobody-<b>', developer().clientId]) {
      const browser = webClient(market)
      const page = await browser.loginDeveloper({ clientId, password: 'wrong password' })
      expect(page.status).toBe(401)
      expect(page.headers.get('www-authenticate')).toBe('Password realm="App Marketplace"')
      expect(page.text).toContain('Wrong client ID or password.')
      expect(page.text).toContain('If you are sure of both, ask the operator of this marketplace.')
      expect(page.text).not.toContain('wrong password')
      expect(page.text).toContain(`value="${clientId.replace('<b>', '&lt;b&gt;')}"`)
      expect([...browser.cookies.keys()]).toEqual(['form'])
      texts.push(page.text.replace(/value="[^"]*"/g, ''))
    }
    expect(texts[0]).toBe(texts[1])
  })

  test('shares the budget of wrong passwords with POST /v1/Auth', async () => {
    for (let count = 0; count < 10; count++) {
      const body = JSON.stringify({ ...developer(), password: 'wrong' })
      const headers = { 'content-type': 'application/json' }
      await fetch(`${market.url}/v1/Auth`, { method: 'POST', headers, body })
    }
    expect((await webClient(market).loginDeveloper(developer())).status).toBe(429)
  })

  test.each([
    ['/Developer/Credentials', '/Developer/Credentials'],
    ['//evil.example', '/Developer'],
    ['https://evil.example', '/Developer'],
    ['', '/Developer'],
  ])('with next %j leads to %s', async (next, location) => {
    expect((await webClient(market).loginDeveloper(developer(), next)).location).toBe(location)
  })

  test('is not asked of who is signed in', async () => {
    const browser = await signedInDeveloper(market)
    const path = '/Developer/Login?next=%2FDeveloper%2FCredentials'
    expect((await browser.get(path)).location).toBe('/Developer/Credentials')
  })

  test('of a browser in which a user is signed in leaves that session alone, and the sign-out too', async () => {
    const user = await signedIn(market, demoUser(market, 'Seller'))
    const both = await signedInDeveloper(market, 0, user)
    expect((await both.get('/')).text).toContain('Kim Keyline')
    expect(await isSignedIn(both)).toBe(true)
    const { _csrf = '' } = hiddenFields((await both.get('/Developer')).text)
    expect((await both.post('/Developer/Logout', { _csrf })).location).toBe('/Developer/SignedOut')
    expect(await isSignedIn(both)).toBe(false)
    expect((await both.get('/')).text).toContain('Kim Keyline')
  })

  test('is not done with the session of a user, nor the other way round', async () => {
    const user = await signedIn(market, demoUser(market, 'Seller'))
    const one = webClient(market)
    one.cookies.set(COOKIE, user.cookies.get('session') ?? '')
    expect(await isSignedIn(one)).toBe(false)
    const other = webClient(market)
    other.cookies.set('session', (await signedInDeveloper(market)).cookies.get(COOKIE) ?? '')
    expect((await other.get('/Account')).location).toBe('/login?next=%2FAccount')
  })
})

describe('the session of a developer ends', () => {
  test('at the sign-out, on the server: a copy of the cookie is dead', async () => {
    const browser = await signedInDeveloper(market)
    const copy = webClient(market)
    copy.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '')
    expect(await isSignedIn(copy)).toBe(true)
    const { _csrf = '' } = hiddenFields((await browser.get('/Developer')).text)
    await browser.post('/Developer/Logout', { _csrf })
    expect(browser.cookies.has(COOKIE)).toBe(false)
    expect(await isSignedIn(copy)).toBe(false)
  })

  test('when the browser does nothing for SESSION_IDLE_SECONDS', async () => {
    const browser = await signedInDeveloper(market)
    market.advance(3500)
    expect(await isSignedIn(browser)).toBe(true)
    market.advance(3601)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('SESSION_TTL_SECONDS after the sign-in, however busy', async () => {
    const browser = await signedInDeveloper(market)
    for (let hours = 1; hours < 8; hours++) {
      market.advance(1795)
      expect(await isSignedIn(browser)).toBe(true)
    }
    market.advance(1836)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('when its credential is removed, and no other session of the developer', async () => {
    const [browser, other] = [await signedInDeveloper(market), webClient(market)]
    const { id, developerId } = await credentialOf(developer())
    const second = await createCredential(market.deps, developerId, {}, SYSTEM)
    await other.loginDeveloper(second)
    const { _csrf = '' } = hiddenFields((await other.get('/Developer')).text)
    const answer = await other.post(`/Developer/Credentials/${id}/Remove`, { _csrf })
    expect(answer.location).toBe('/Developer/Credentials')
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([false, true])
  })

  test('when the developer is suspended, and the form on its page does nothing', async () => {
    const browser = await signedInDeveloper(market)
    const { _csrf = '' } = hiddenFields((await browser.get('/Developer')).text)
    const { developerId } = await credentialOf(developer())
    const where = { id: developerId }
    await market.deps.db.developer.update({ where, data: { suspendedAt: new Date() } })
    const answer = await browser.post('/Developer/Apps/price-sync/Unlist', { _csrf })
    expect(answer.location).toMatch(
      /^\/Developer\/Login\?next=%2FDeveloper%2FApps%2Fprice-sync%2FUnlist%3Fform%3D[0-9a-f-]{36}$/,
    )
    const { listed } = await market.deps.db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })
    expect(listed).toBe(true)
    expect((await webClient(market).loginDeveloper(developer())).status).toBe(401)
  })
})

describe('the pages of the console', () => {
  /** Every address that shows a page, with the ids of the first developer's things in it. */
  const paths = () =>
    market.app.routes
      .all()
      .filter(({ audience, method, url }) => audience === 'browser' && method === 'GET' && url)
      .map(({ url }) => url)
      .filter((url) => url.startsWith('/Developer') && !/Login|SignedOut/.test(url))

  test('send who is not signed in to the sign-in, and from there back', async () => {
    expect(paths().length).toBeGreaterThan(15)
    const user = await signedIn(market, demoUser(market, 'Seller'))
    for (const url of paths()) {
      const path = url.replace(/:\w+/, 'price-sync')
      const first = url.includes(':installationId')
        ? url.replace(/:\w+/, demoInstallation(market, 'price-sync').id)
        : path.replace('price-sync/Remove', `${(await credentialOf(developer())).id}/Remove`)
      // Endpoints and deliveries of webhooks.
      const known = first.replaceAll(/:\w+/g, randomUUID())
      const page = await user.get(`${known}?x=1`)
      const next = encodeURIComponent(`${known}?x=1`)
      expect([page.status, page.location]).toEqual([303, `/Developer/Login?next=${next}`])
    }
  })

  test('show nothing of another developer: as if there were nothing', async () => {
    const other = await signedInDeveloper(market, 1)
    const { id } = await credentialOf(developer())
    const ids = [demoInstallation(market, 'price-sync').id, 'price-sync', id]
    const unknown = ['5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11', 'no-such-app', ids[0] as string]
    const own = paths().filter((url) => url.includes(':') && !/(List|Resume)$/.test(url))
    expect(own.length).toBeGreaterThan(10)
    for (const url of own) {
      const kind = url.includes(':installationId') ? 0 : url.includes(':appId') ? 1 : 2
      const texts = []
      for (const one of [ids[kind], unknown[kind]]) {
        const page = await other.get(url.replace(/:\w+/, one ?? ''))
        expect([url, page.status]).toEqual([url, 404])
        expect(page.text).toContain('<a class="button primary" href="/Developer">')
        // Each page has a request id and a form token of its own.
        texts.push(
          page.text.replaceAll(/<code>[0-9a-f-]{36}<\/code>|name="_csrf" value="[^"]*"/g, ''),
        )
      }
      expect(new Set(texts).size).toBe(1)
      expect((await other.get(url.replace(/:\w+/, 'no%20id'))).status).toBe(404)
    }
  })

  test('change nothing of another developer', async () => {
    const other = await signedInDeveloper(market, 1)
    const { _csrf = '' } = hiddenFields((await other.get('/Developer')).text)
    const { id } = await credentialOf(developer())
    const forms = market.app.routes
      .all()
      .filter(({ method, url }) => method === 'POST' && /^\/Developer\/.*:/.test(url))
      .map(({ url }) =>
        url
          .replace(':appId', 'price-sync')
          .replace(':installationId', demoInstallation(market, 'price-sync').id)
          .replace(':credentialId', id),
      )
    expect(forms.length).toBeGreaterThan(10)
    const before = await everything(market)
    for (const path of forms) {
      for (const how of ['save', 'remove']) {
        const fields = { reason: 'x', document: 'x', purchaseOptionId: 'free', definition: '{}' }
        const answer = await other.post(path, { _csrf, ...fields, do: how })
        expect([path, answer.status]).toEqual([path, 404])
      }
    }
    expect(await everything(market)).toEqual(before)
  })
})

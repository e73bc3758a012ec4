import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { everything } from '../../setup/apps.ts'
import { call, demoInstallation } from '../../setup/client.ts'
import { makeOwner } from '../../setup/developer-person.ts'
import {
  demoDeveloper,
  demoUser,
  hiddenFields,
  signedIn,
  signedInDeveloper,
  webClient,
} from '../../setup/web-client.ts'

/** Buttons: their addresses lead on to the page of the thing, whoever asks. */
const NO_QUESTION = /(List|Resume|Icon\/Remove|:screenshotId\/(Earlier|Later|Remove))$/

let market: TestMarketplace
beforeEach(async () => {
  market = await startMarketplace()
})
afterEach(() => market.close())

const credentialOf = ({ clientId }: { clientId: string }) =>
  market.deps.db.developerCredential.findUniqueOrThrow({ where: { clientId } })

describe('a client id and its password', () => {
  test('open no console: they are for programs', async () => {
    const { clientId, password } = demoDeveloper(market)
    const body = { clientId, password }
    expect((await call(market, 'POST', '/v1/Auth', { body })).status).toBe(200)
    const browser = webClient(market)
    expect((await browser.login({ email: clientId, password }, '/Developer')).status).toBe(401)
    expect([...browser.cookies.keys()]).toEqual(['form'])
    const { _csrf = '' } = hiddenFields((await browser.get('/login')).text)
    expect((await browser.submit('/Developer/Login', { _csrf, ...body })).status).toBe(405)
    expect((await browser.get('/Developer')).location).toBe('/login?next=%2FDeveloper')
    const authorization = `Basic ${Buffer.from(`${clientId}:${password}`).toString('base64')}`
    const page = await browser.get('/Developer', { authorization })
    expect(page.location).toBe('/login?next=%2FDeveloper')
  })

  test('leave a browser alone in which somebody is signed in', async () => {
    const browser = await signedInDeveloper(market)
    const { id } = await credentialOf(demoDeveloper(market))
    const path = `/Developer/Credentials/${id}/Remove`
    const fields = hiddenFields((await browser.get(path)).text)
    expect((await browser.submit(path, fields)).location).toBe('/Developer/Credentials')
    expect((await browser.get('/Developer')).status).toBe(200)
  })
})

describe('/Developer/Login', () => {
  test.each([
    ['', '/Developer'],
    ['?next=%2FDeveloper%2FCredentials', '/Developer/Credentials'],
    ['?next=%2FDeveloper%2FEvents%3Ftype%3Dapp.installed', '/Developer/Events?type=app.installed'],
    ['?next=%2F%2Fevil.example', '/Developer'],
    ['?next=https%3A%2F%2Fevil.example', '/Developer'],
    ['?next=', '/Developer'],
    ['?next=a&next=b', '/Developer'],
  ])('with %j leads to the sign-in, and from there to %s', async (query, next) => {
    const browser = webClient(market)
    const { status, location } = await browser.get(`/Developer/Login${query}`)
    expect([status, location]).toEqual([303, `/login?next=${encodeURIComponent(next)}`])
    const { person } = demoDeveloper(market)
    expect((await browser.login(person, next)).location).toBe(next)
    expect((await browser.get(location ?? '')).location).toBe(next)
  })
})

describe('after the sign-in', () => {
  test('who belongs to a developer only lands in its console', async () => {
    const { person } = demoDeveloper(market)
    expect((await webClient(market).login(person)).location).toBe('/Developer')
  })

  test('who has accounts, too, lands on the start page', async () => {
    const user = demoUser(market, 'Seller')
    await makeOwner(market, user)
    expect((await webClient(market).login(user)).location).toBe('/')
  })
})

describe('who works for no developer', () => {
  test('reads so in the console, and may sign in as somebody else', async () => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    for (const path of ['/Developer', '/Developer/Choose', '/Developer/Apps/price-sync']) {
      const { status, text } = await browser.get(path)
      expect([path, status]).toEqual([path, 403])
      expect(text).toContain('<h1 id="heading">You do not work for a developer</h1>')
      expect(text).toContain('Kim Keyline')
      expect(text).not.toContain('Price Sync')
    }
    const { text } = await browser.get('/Developer')
    const form = hiddenFields(text.split('<main')[1] ?? '')
    const out = await browser.submit('/logout', form)
    expect(out.location).toBe('/login?next=%2FDeveloper')
    expect((await browser.login(demoDeveloper(market).person, '/Developer')).status).toBe(303)
    expect((await browser.get('/Developer')).status).toBe(200)
  })

  test('does nothing with a form of the console', async () => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    const before = await everything(market)
    const answer = await browser.submit('/Developer/Apps/price-sync/Unlist', { _csrf })
    expect(answer.status).toBe(403)
    expect(await everything(market)).toEqual(before)
  })
})

describe('the pages of the console', () => {
  /** Every address that shows a page, with the ids of the first developer's things in it. */
  const paths = () =>
    market.app.routes
      .all()
      .filter(({ audience, method, url }) => audience === 'browser' && method === 'GET' && url)
      .map(({ url }) => url)
      .filter((url) => url.startsWith('/Developer') && url !== '/Developer/Login')

  test('send who is not signed in to the sign-in, and from there back', async () => {
    expect(paths().length).toBeGreaterThan(15)
    const visitor = webClient(market)
    for (const url of paths()) {
      const path = url.replace(/:\w+/, 'price-sync')
      const first = url.includes(':installationId')
        ? url.replace(/:\w+/, demoInstallation(market, 'price-sync').id)
        : path.replace(
            'price-sync/Remove',
            `${(await credentialOf(demoDeveloper(market))).id}/Remove`,
          )
      // Documents, endpoints and deliveries of webhooks.
      const known = first.replace(':sha256', 'ab'.repeat(32)).replaceAll(/:\w+/g, randomUUID())
      const page = await visitor.get(`${known}?x=1`)
      const next = encodeURIComponent(`${known}?x=1`)
      expect([page.status, page.location]).toEqual([303, `/login?next=${next}`])
    }
  })

  test('show nothing of another developer: as if there were nothing', async () => {
    const other = await signedInDeveloper(market, 1)
    const { id } = await credentialOf(demoDeveloper(market))
    const ids = [demoInstallation(market, 'price-sync').id, 'price-sync', id]
    const unknown = ['5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11', 'no-such-app', ids[0] as string]
    const own = paths().filter((url) => url.includes(':') && !NO_QUESTION.test(url))
    expect(own.length).toBeGreaterThan(10)
    for (const url of own) {
      const kind = url.includes(':installationId') ? 0 : url.includes(':appId') ? 1 : 2
      const texts = []
      for (const one of [ids[kind], unknown[kind]]) {
        const page = await other.get(url.replace(/:\w+/, one ?? ''))
        expect([url, page.status]).toEqual([url, 404])
        expect(page.text).toContain('<a class="button primary" href="/Developer">')
        // Each page has a request id, a form token and a way back of its own.
        texts.push(
          page.text.replaceAll(
            /<code>[0-9a-f-]{36}<\/code>|name="_csrf" value="[^"]*"|\?next=[^"]*/g,
            '',
          ),
        )
      }
      expect(new Set(texts).size).toBe(1)
      expect((await other.get(url.replace(/:\w+/, 'no%20id'))).status).toBe(404)
    }
  })

  test('change nothing of another developer', async () => {
    const other = await signedInDeveloper(market, 1)
    const { _csrf = '' } = hiddenFields((await other.get('/Developer')).text)
    const { id } = await credentialOf(demoDeveloper(market))
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

import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, demoInstallation } from '../../setup/client.ts'
import { expectRefused, setReturnUrl, tokenOf } from '../../setup/redirect.ts'
import { demoUser, hiddenFields, signedIn, webClient } from '../../setup/web-client.ts'

const APP = 'price-sync'
const PATH = `/Apps/Authenticate/${APP}`
const RETURN_URL = 'https://app.example/auth/return'
const HOSTILE_STATE = `a b+c&d=e#f/?%20"'<>é漢😀`

let market: TestMarketplace
let undo: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, APP, RETURN_URL)
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
  undo = []
})
afterAll(() => market.close())

const seller = () => demoUser(market, 'Seller')
const sandboxUser = () => demoUser(market, 'None')

describe('a user who is not signed in', () => {
  test('sees the login page, signs in and arrives at the app with a token', async () => {
    const browser = webClient(market)
    const first = await browser.get(`${PATH}?state=${encodeURIComponent(HOSTILE_STATE)}`)
    expect(first.status).toBe(303)
    expect(first.location).toMatch(/^\/login\?next=/)
    expect(first.headers.get('cache-control')).toContain('no-store')

    const login = await browser.get(first.location ?? '')
    expect(login.status).toBe(200)
    expect(login.text).toContain('Price Sync')
    const { email, password } = seller()
    const posted = await browser.post('/login', { ...hiddenFields(login.text), email, password })
    expect(posted.status).toBe(303)
    expect(posted.location).toMatch(/^\/Apps\/Authenticate\/price-sync\?state=/)

    const sent = await browser.get(posted.location ?? '')
    expect(sent.status).toBe(303)
    const target = new URL(sent.location ?? '')
    expect(target.origin + target.pathname).toBe(RETURN_URL)
    expect(target.searchParams.getAll('state')).toEqual([HOSTILE_STATE])
    const products = await call(market, 'GET', '/v1/Products', { token: tokenOf(sent) })
    expect(products.status).toBe(200)
    expect(products.body).toHaveLength(33)
  })

  test.each(['s'.repeat(4096), '漢'.repeat(1365), `${HOSTILE_STATE}${'x y&'.repeat(700)}`])(
    'keeps a state of kilobytes on the way through the login page: %.8s',
    async (state) => {
      const browser = webClient(market)
      const first = await browser.get(`${PATH}?state=${encodeURIComponent(state)}`)
      expect(first.location?.length).toBeLessThan(200)
      const next = new URL(first.location ?? '', market.url).searchParams.get('next') ?? ''
      const sent = await browser.get((await browser.login(seller(), next)).location ?? '')
      expect(new URL(sent.location ?? '').searchParams.get('state')).toBe(state)
      // Another browser does not have the state.
      const other = await (await signedIn(market, seller())).get(next)
      expect(other.status).toBe(400)
      expect(other.text).toContain('This link has expired')
    },
  )

  test('keeps the longest state on the way through the login page', async () => {
    const browser = webClient(market)
    const state = '漢'.repeat(341)
    const query = `clientId=northwind&state=${encodeURIComponent(state)}&utm=${'x'.repeat(3000)}`
    const first = await browser.get(`${PATH}?${query}`)
    const next = new URL(first.location ?? '', market.url).searchParams.get('next') ?? ''
    const posted = await browser.login(seller(), next)
    const sent = await browser.get(posted.location ?? '')
    expect(new URL(sent.location ?? '').searchParams.get('state')).toBe(state)
  })

  test('comes back to the form of the chooser when the session ended meanwhile', async () => {
    const browser = await signedIn(market, seller())
    const page = await browser.get('/')
    await market.deps.db.session.deleteMany()
    const { _csrf = '' } = hiddenFields(page.text)
    const partyId = String(seller().partyId)
    const answer = await browser.post(PATH, { _csrf, partyId, state: 'kept' })
    expect(answer.location).toBe(
      `/login?next=${encodeURIComponent(`${PATH}?state=kept&partyId=${partyId}`)}`,
    )
  })
})

describe('the redirect to the app', () => {
  test('is a 303 that is not stored and sends no referrer', async () => {
    const answer = await (await signedIn(market, seller())).get(PATH)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.text).toBe('')
  })

  test('carries a token of the user and the installation for 900 seconds', async () => {
    const user = seller()
    const answer = await (await signedIn(market, user)).get(PATH)
    const token = tokenOf(answer)
    const { id: userId } = await market.deps.db.user.findUniqueOrThrow({
      where: { email: user.email },
    })
    const claims = decodeJwt(token)
    expect(claims).toMatchObject({
      iss: market.url,
      aud: 'installation',
      sub: demoInstallation(market, APP, 'Seller').id,
      app_id: APP,
      party_id: user.partyId,
      party_type: 'Seller',
      user_id: userId,
    })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900)
    const profile = await call(market, 'GET', '/v1/User/Profile', { token })
    expect(profile.body).toMatchObject({
      partyId: user.partyId,
      partyName: user.partyName,
      appId: APP,
      user: { id: userId, email: user.email, name: 'Kim Keyline' },
    })
  })

  test('makes a new token each time', async () => {
    const browser = await signedIn(market, seller())
    expect(tokenOf(await browser.get(PATH))).not.toBe(tokenOf(await browser.get(PATH)))
  })

  test('keeps the own query of the return URL byte for byte', async () => {
    await setReturnUrl(market, APP, `${RETURN_URL}?tenant=a%20b&x=1&x=2&empty=`)
    undo.push(() => setReturnUrl(market, APP, RETURN_URL))
    const answer = await (await signedIn(market, seller())).get(`${PATH}?state=s`)
    expect(answer.location).toMatch(
      /^https:\/\/app\.example\/auth\/return\?tenant=a%20b&x=1&x=2&empty=&token=[\w.-]+&state=s$/,
    )
  })

  test.each([
    ['an empty state', '?state=', 'state=', ''],
    ['no state', '', undefined, null],
    ['an encoded state', `?state=${encodeURIComponent(HOSTILE_STATE)}`, undefined, HOSTILE_STATE],
    ['a state that looks like parameters', '?state=%26token%3Dx', undefined, '&token=x'],
    ['1,024 bytes', `?state=${'s'.repeat(1024)}`, undefined, 's'.repeat(1024)],
  ])('echoes %s exactly', async (_name, query, raw, state) => {
    const answer = await (await signedIn(market, seller())).get(PATH + query)
    tokenOf(answer)
    expect(new URL(answer.location ?? '').searchParams.get('state')).toBe(state)
    if (raw !== undefined) expect(answer.location).toContain(raw)
  })

  test.each(['/apps/authenticate/PRICE-SYNC', '/APPS/AUTHENTICATE/Price-Sync/'])(
    'finds the app at %s, without regard to case',
    async (path) => {
      const answer = await (await signedIn(market, seller())).get(path)
      expect(decodeJwt(tokenOf(answer)).app_id).toBe(APP)
    },
  )

  test.each([
    'clientId=northwind',
    'client_id=northwind',
    'clientId=northwind&client_id=northwind',
  ])('takes %s of the app’s developer', async (query) => {
    const answer = await (await signedIn(market, seller())).get(`${PATH}?${query}`)
    expect(answer.status).toBe(303)
    tokenOf(answer)
  })
})

describe('several accounts with the app', () => {
  beforeAll(async () => {
    const { id: userId } = await market.deps.db.user.findUniqueOrThrow({
      where: { email: sandboxUser().email },
    })
    const data = { userId, partyId: seller().partyId }
    await market.deps.db.membership.create({ data })
  })
  afterAll(() =>
    market.deps.db.membership.deleteMany({
      where: { partyId: seller().partyId, user: { email: sandboxUser().email } },
    }),
  )

  test('are offered for a choice, without a token', async () => {
    const page = await (await signedIn(market, sandboxUser())).get(`${PATH}?state=s`)
    expect(page.status).toBe(200)
    expect(page.location).toBeNull()
    expect(page.text).toContain('Choose an account')
    expect(page.text).toContain(seller().partyName)
    expect(page.text).toContain(sandboxUser().partyName)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https:;")
  })

  test.each(['x&y', 'x&'.repeat(2_048)])(
    'the choice leads to the app with a token of that account: %.3s',
    async (state) => {
      const encoded = encodeURIComponent(state)
      const browser = await signedIn(market, sandboxUser())
      const chooser = await browser.get(`${PATH}?clientId=northwind&state=${encoded}`)
      for (const { partyId } of [seller(), sandboxUser()]) {
        const fields = { ...hiddenFields(chooser.text), partyId: String(partyId) }
        const answer = await browser.post(PATH, fields)
        expect(answer.status).toBe(303)
        expect(answer.headers.get('cache-control')).toContain('no-store')
        expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
        expect(decodeJwt(tokenOf(answer)).party_id).toBe(partyId)
        expect(new URL(answer.location ?? '').searchParams.get('state')).toBe(state)
      }
    },
  )

  test('the choice leads back to all that the app sent, when its form has expired', async () => {
    const browser = await signedIn(market, sandboxUser())
    const wanted = `${PATH}?clientId=northwind&state=x%26y`
    const chooser = await browser.get(wanted)
    const [, action = ''] =
      /<form method="post" action="(\/Apps\/Auth[^"]*)"/.exec(chooser.text) ?? []
    const fields = { ...hiddenFields(chooser.text), partyId: String(seller().partyId) }
    browser.cookies.delete('session')
    await browser.login(sandboxUser())
    const expired = await browser.post(action.replaceAll('&amp;', '&'), fields)
    expect(expired.status).toBe(403)
    expect(expired.text).toContain(`href="${wanted.replace('&', '&amp;')}">Open the page again<`)
  })

  test('is named by partyId in the address', async () => {
    const browser = await signedIn(market, sandboxUser())
    const answer = await browser.get(`${PATH}?partyId=${seller().partyId}`)
    expect(decodeJwt(tokenOf(answer)).party_id).toBe(seller().partyId)
  })

  test('the start page opens each app for the account it stands under', async () => {
    const home = await (await signedIn(market, sandboxUser())).get('/')
    for (const { partyId } of [seller(), sandboxUser()]) {
      expect(home.text).toContain(`href="${PATH}?partyId=${partyId}"`)
    }
  })

  test('a suspended one is not offered', async () => {
    const { id } = demoInstallation(market, APP, 'None')
    await market.deps.db.installation.update({
      where: { id },
      data: { status: 'suspended', suspendedAt: new Date() },
    })
    undo.push(() =>
      market.deps.db.installation.update({
        where: { id },
        data: { status: 'active', suspendedAt: null },
      }),
    )
    const answer = await (await signedIn(market, sandboxUser())).get(PATH)
    expect(decodeJwt(tokenOf(answer)).party_id).toBe(seller().partyId)
  })

  test('somebody else’s account cannot be chosen', async () => {
    const other = demoUser(market, 'Seller', 1)
    await setReturnUrl(market, 'catalog-sync', RETURN_URL)
    const browser = await signedIn(market, sandboxUser())
    const page = await browser.get(`/Apps/Authenticate/catalog-sync?partyId=${other.partyId}`)
    expectRefused(page, 404, /You do not belong to account/)
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    const form = { _csrf, partyId: String(other.partyId) }
    expectRefused(
      await browser.post('/Apps/Authenticate/catalog-sync', form),
      404,
      /You do not belong/,
    )
  })
})

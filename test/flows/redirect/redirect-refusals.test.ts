import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { demoInstallation } from '../../setup/client.ts'
import { expectRefused, setReturnUrl, tokenOf } from '../../setup/redirect.ts'
import { demoUser, hiddenFields, signedIn, webClient } from '../../setup/web-client.ts'

const APP = 'price-sync'
const PATH = `/Apps/Authenticate/${APP}`
const RETURN_URL = 'https://app.example/auth/return'

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

describe('a page that says what to do next, without a token or redirect', () => {
  const open = async (path: string) => (await signedIn(market, seller())).get(path)

  test.each([
    ['', 'no-such-app'],
    ['of one letter', 'x'],
    ['with a long name', 'a'.repeat(400)],
    ['with slashes', '..%2f..%2fetc'],
    ['with other letters', '%F0%9F%98%80'],
    ['with a quote', '%27--'],
  ])('an unknown app %s', async (_name, id) => {
    expectRefused(await open(`/Apps/Authenticate/${id}`), 404, /Check the link/)
  })

  test('an unknown app with NUL', async () => {
    expectRefused(await open('/Apps/Authenticate/%00'), 404, /Page not found/)
  })

  test('an app that the user’s accounts have not installed', async () => {
    const page = await (await signedIn(market, demoUser(market, 'Buyer'))).get(PATH)
    expectRefused(page, 404, /Install it first, or sign in as a user/)
  })

  test('an account that never had the app, by partyId', async () => {
    expectRefused(
      await open(`${PATH}?partyId=2147483647`),
      404,
      /You do not belong to account 2147483647/,
    )
  })

  test.each([
    'clientId=contoso',
    'client_id=contoso',
    'clientId=nobody',
    'clientId=',
    'clientId=%00',
  ])('a client id that is not the developer’s: %s', async (query) => {
    expectRefused(await open(`${PATH}?${query}`), 422, /Ask the app&#39;s developer/)
  })

  test.each([
    ['a control character in the state', 'state=a%0Ab', 'its state contains control characters'],
    ['NUL in the state', 'state=%00', 'its state contains control characters'],
    ['a C1 control in the state', 'state=%C2%85', 'its state contains control characters'],
    ['a state over 4,096 bytes', `state=${'s'.repeat(4097)}`, 'its state is longer than 4,096'],
    [
      'a state of 1,366 wide characters',
      `state=${'%E6%BC%A2'.repeat(1366)}`,
      'its state is longer',
    ],
    ['two states', 'state=a&state=b', 'its state occurs more than once'],
    ['two client ids', 'clientId=northwind&clientId=x', 'its clientId occurs more than once'],
    ['contradicting client ids', 'clientId=northwind&client_id=contoso', 'differ'],
    ['a client id of 201 characters', `clientId=${'c'.repeat(201)}`, 'its clientId is too long'],
    ['a partyId that is no number', 'partyId=1e3', 'its partyId must be a positive whole number'],
    ['a partyId beyond the column', 'partyId=2147483648', 'its partyId must be at most'],
    ['two partyIds', 'partyId=1&partyId=2', 'its partyId occurs more than once'],
  ])('%s', async (_name, query, why) => {
    const page = await open(`${PATH}?${query}`)
    expectRefused(page, 400, new RegExp(`The link to the app is wrong: .*${why}`))
    const visitor = await webClient(market).get(`${PATH}?${query}`)
    expectRefused(visitor, 400, /ask its developer for a correct link/)
  })

  test.each([
    'http://app.example/return',
    'javascript:alert(1)',
    '//app.example/return',
    'https://user:pw@app.example/return',
    'https://app.example/return#fragment',
    'https://app.example/return?token=mine',
    'https://app.example/return?state=mine',
    'https://app.example/re\nturn',
  ])('the return URL %j', async (authReturnUrl) => {
    await setReturnUrl(market, APP, authReturnUrl)
    undo.push(() => setReturnUrl(market, APP, RETURN_URL))
    expectRefused(await open(PATH), 422, /Its developer has to configure one/)
  })

  const suspended = { suspendedAt: new Date(), suspendedReason: 'abuse' }
  const resumed = { suspendedAt: null, suspendedReason: null }

  test.each([
    ['operator', /Reason: abuse\. Contact the operator of this marketplace\.</],
    ['developer', /Its developer suspended it\. Reason: abuse\. Contact the app&#39;s support\.</],
  ])('an installation that its %s suspended: whom to contact', async (suspendedBy, whom) => {
    const { db } = market.deps
    const where = { id: demoInstallation(market, APP, 'Seller').id }
    const data = { ...suspended, suspendedBy, status: 'suspended' } as const
    await db.installation.update({ where, data })
    undo.push(() => db.installation.update({ where, data: { ...resumed, status: 'active' } }))
    expectRefused(await open(PATH), 403, whom)
  })

  test('a suspended app', async () => {
    const { db } = market.deps
    await db.app.update({ where: { id: APP }, data: suspended })
    undo.push(() => db.app.update({ where: { id: APP }, data: resumed }))
    expectRefused(await open(PATH), 422, /The marketplace has suspended this app/)
    expect((await open('/')).text).not.toContain(`href="${PATH}`)
  })

  test('a suspended developer', async () => {
    const { db } = market.deps
    await db.developer.updateMany({ where: { name: 'Northwind Tools' }, data: suspended })
    undo.push(() => db.developer.updateMany({ data: resumed }))
    expectRefused(await open(PATH), 422, /The marketplace has suspended this app/)
    expect((await open('/')).text).not.toContain(`href="${PATH}`)
  })

  test('a suspended account', async () => {
    const { db } = market.deps
    const where = { id: seller().partyId }
    await db.party.update({ where, data: suspended })
    undo.push(() => db.party.update({ where, data: resumed }))
    expectRefused(await open(PATH), 403, /Contact the operator of this marketplace/)
  })

  test('an uninstalled app', async () => {
    const { db } = market.deps
    // Uninstalling is final; no other test here uses this installation.
    await db.installation.update({
      where: { id: demoInstallation(market, APP, 'None').id },
      data: { status: 'uninstalled', live: null, uninstalledAt: new Date() },
    })
    const page = await (await signedIn(market, demoUser(market, 'None'))).get(PATH)
    expectRefused(page, 404, /Install it first/)
  })
})

describe('what is hidden from a visitor', () => {
  const UNKNOWN = /No app has this address\. Check the link/
  const buyer = () => signedIn(market, demoUser(market, 'Buyer'))
  const change = async (data: object, back: object) => {
    const { db } = market.deps
    await db.app.update({ where: { id: APP }, data })
    undo.push(() => db.app.update({ where: { id: APP }, data: back }))
  }
  const unlisted = () => change({ listed: false }, { listed: true })
  const login = async (id: string) => {
    const page = await webClient(market).get(
      `/login?next=${encodeURIComponent(`/Apps/Authenticate/${id}`)}`,
    )
    expect(page.status).toBe(200)
    return page
  }

  test.each([
    ['an app', APP],
    ['no app', 'no-such-app'],
    ['no id', 'no_id'],
  ])('before the sign-in: whether there is %s, and whose client id it is', async (_name, id) => {
    for (const query of ['', '?clientId=northwind', '?clientId=contoso', '?client_id=nobody']) {
      const path = `/Apps/Authenticate/${id}${query.replace('client_id', 'clientId')}`
      const page = await webClient(market).get(`/Apps/Authenticate/${id}${query}`)
      expect(page.status).toBe(303)
      expect(page.location).toBe(`/login?next=${encodeURIComponent(path)}`)
    }
  })

  test('at the sign-in: the name of an unlisted app, and its address', async () => {
    await unlisted()
    const [hidden, none] = [await login(APP), await login('no-such-app')]
    const seen = ({ headers, text }: typeof hidden) => ({
      policy: headers.get('content-security-policy'),
      text: text.replaceAll(APP, 'no-such-app').replace(/value="[^"]*"/g, ''),
    })
    expect(seen(hidden)).toEqual(seen(none))
    expect(hidden.headers.get('content-security-policy')).toContain(
      "form-action 'self' https: http:;",
    )
    expect(hidden.text).not.toContain('Price Sync')
  })

  test('at the sign-in a listed app shows its name, and its address is allowed', async () => {
    const page = await login(APP)
    expect(page.text).toContain('Price Sync')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https:;")
    await setReturnUrl(market, APP, 'no address')
    undo.push(() => setReturnUrl(market, APP, RETURN_URL))
    expect((await login(APP)).text).toContain('Price Sync')
  })

  test.each([
    ['not listed', { listed: false }, { listed: true }],
    ['suspended', { suspendedAt: new Date() }, { suspendedAt: null }],
  ])(
    'after the sign-in: an app that is %s, unless an account has it',
    async (_name, data, back) => {
      await change(data, back)
      for (const query of ['', '?clientId=northwind', '?clientId=nobody']) {
        const page = await (await buyer()).get(PATH + query)
        expectRefused(page, 404, UNKNOWN)
        expect(page.text).not.toContain('Price Sync')
      }
      const own = await (await signedIn(market, seller())).get(PATH)
      if ('suspendedAt' in data) expectRefused(own, 422, /Price Sync is suspended/)
      else tokenOf(own)
    },
  )

  test('after the sign-in: client ids, even of a listed app', async () => {
    for (const clientId of ['northwind', 'contoso', 'nobody']) {
      const page = await (await buyer()).get(`${PATH}?clientId=${clientId}`)
      expectRefused(page, 404, /Price Sync is not installed for /)
    }
  })

  test("but not from its developer's sandbox", async () => {
    await unlisted()
    const { db } = market.deps
    const sandbox = demoUser(market, 'None')
    const where = { appId: APP, partyId: sandbox.partyId, live: true }
    const data = { status: 'uninstalled', live: null, uninstalledAt: new Date() } as const
    await db.installation.updateMany({ where, data })
    const page = await (await signedIn(market, sandbox)).get(PATH)
    expectRefused(page, 404, /Price Sync is not installed for/)
  })
})

describe('only a person who opens the page gets a token', () => {
  test('HEAD does not', async () => {
    const browser = await signedIn(market, seller())
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(market.url + PATH, {
      method: 'HEAD',
      redirect: 'manual',
      headers: { cookie },
    })
    expect([404, 405]).toContain(answer.status)
    expect(answer.headers.get('location')).toBeNull()
  })

  test.each([
    ['sec-purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['X-Purpose', 'instant, preview'],
    ['sec-purpose', 'prefetch;prerender'],
    ['sec-purpose', 'prefetch;anonymous-client-ip'],
    ['purpose', 'prefetch'],
    ['x-moz', 'prefetch'],
    ['purpose', 'preview'],
    ['sec-fetch-dest', 'iframe'],
    ['sec-fetch-dest', 'frame'],
    ['sec-fetch-dest', 'embed'],
    ['sec-fetch-dest', 'object'],
    ['sec-fetch-dest', 'empty'],
    ['sec-fetch-dest', 'image'],
    ['sec-fetch-dest', 'script'],
  ])('%s: %s does not', async (name, value) => {
    const browser = await signedIn(market, seller())
    expectRefused(
      await browser.get(PATH, { [name]: value }),
      400,
      /Open this address in its own tab/,
    )
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    expectRefused(await browser.post(PATH, { _csrf }, { [name]: value }), 400, /in its own tab/)
  })

  test('a navigation as browsers announce it does', async () => {
    const browser = await signedIn(market, seller())
    const answer = await browser.get(PATH, {
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-site': 'cross-site',
    })
    tokenOf(answer)
  })

  test('a form of another site, or without our token, does not', async () => {
    const browser = await signedIn(market, seller())
    const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
    const forged = await browser.post(PATH, { _csrf }, { 'sec-fetch-site': 'cross-site' })
    const wayOut = 'Open the page again'
    expectRefused(forged, 403, /from another site/, wayOut)
    expectRefused(await browser.post(PATH, {}), 403, /The form has expired/, wayOut)
  })
})

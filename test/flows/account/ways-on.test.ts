import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { demoInstallation } from '../../setup/client.ts'
import { fullDraft, newCustomer } from '../../setup/customer.ts'
import { setReturnUrl } from '../../setup/redirect.ts'
import {
  demoDeveloper,
  demoUser,
  hiddenFields,
  mainOf,
  signedIn,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

const APP = 'price-sync'
const PATH = `/Apps/Authenticate/${APP}`
const BACKGROUND = 'Runs in the background'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterEach(() => market.deps.pool.query('DELETE FROM login_failures'))
afterAll(() => market.close())

const titleOf = ({ text }: { text: string }) => /<title>(.*?) · /.exec(text)?.[1]

describe('an app without a return address', () => {
  const id = () => demoInstallation(market, 'catalog-sync', 'Seller').id
  let browser: WebClient
  beforeAll(async () => {
    browser = await signedIn(market, demoUser(market, 'Seller'))
  })

  test.each([
    ['home', () => '/'],
    ['the list', () => '/Installed'],
    ['its page', () => `/Installed/${id()}`],
    ['its listing', () => '/Apps/catalog-sync'],
  ])('runs in the background, says %s, and nothing is wrong with it', async (_where, path) => {
    const main = mainOf(await browser.get(path()))
    expect(main).toContain(`<span class="badge">${BACKGROUND}</span>`)
    expect(main).not.toMatch(/Unavailable|badge-off|be opened/)
  })

  test('runs in the background, says the redirect, and leads to the installation', async () => {
    const page = await browser.get('/Apps/Authenticate/catalog-sync')
    expect([page.status, titleOf(page)]).toEqual([422, 'Catalog Sync runs in the background'])
    expect(mainOf(page)).toContain(`href="/Installed/${id()}"`)
    expect(mainOf(page)).not.toMatch(/Error|eyebrow|breaks a rule/)
  })
})

describe('an error page of the redirect', () => {
  test('names the app and the account in its title, and leads on', async () => {
    const user = demoUser(market, 'Buyer')
    const page = await (await signedIn(market, user)).get(`${PATH}?state=s`)
    expect([page.status, titleOf(page)]).toEqual([
      404,
      `Price Sync is not installed for ${user.partyName}`,
    ])
    expect(mainOf(page)).toContain(`href="/Apps/${APP}?partyId=${user.partyId}">View listing<`)
    expect(mainOf(page)).not.toContain('Switch account')
  })

  test('offers the other accounts to who has several', async () => {
    const buyer = demoUser(market, 'Buyer')
    const { party, user } = await newCustomer(market, 'Seller', [buyer.partyId])
    const browser = await signedIn(market, user)
    const none = await browser.get(PATH)
    expect(titleOf(none)).toBe('Price Sync is not installed for any of your accounts')
    expect(mainOf(none)).toContain('href="/Account/Choose?next=%2FApps%2Fprice-sync"')
    const elsewhere = await browser.get(`/Apps/Authenticate/stock-watch?partyId=${party.id}`)
    expect(elsewhere.text).toContain('runs in the background')
    await setReturnUrl(market, 'stock-watch', 'https://app.example/return')
    const other = await browser.get(`/Apps/Authenticate/stock-watch?partyId=${party.id}&state=s`)
    await setReturnUrl(market, 'stock-watch', null)
    expect(titleOf(other)).toBe(`Stock Watch is not installed for ${party.name}`)
    expect(mainOf(other)).toContain(
      'href="/Apps/Authenticate/stock-watch?state=s">Open for another',
    )
    expect(other.text).toContain('class="switch"')
  })

  test('lets somebody else sign in, who comes back to the same address', async () => {
    const browser = await signedIn(market, demoUser(market, 'Buyer'))
    const page = await browser.get(`${PATH}?state=kept`)
    const form = /<form method="post" action="\/logout">(?:(?!<form).)*another user/s.exec(
      mainOf(page),
    )?.[0]
    const out = await browser.post('/logout', hiddenFields(form ?? ''))
    expect([out.status, out.location]).toEqual([
      303,
      `/login?next=${encodeURIComponent(`${PATH}?state=kept`)}`,
    ])
    const posted = await browser.login(demoUser(market, 'Seller'), `${PATH}?state=kept`)
    expect(posted.location).toBe(`${PATH}?state=kept`)
  })

  test('has a sign-out in its header that works', async () => {
    const browser = await signedIn(market, demoUser(market, 'Buyer'))
    const { text } = await browser.get(PATH)
    const header = text.split('<main')[0] ?? ''
    expect(header).toContain('action="/logout"')
    expect((await browser.post('/logout', hiddenFields(header))).location).toBe('/signed-out')
    expect((await browser.get('/Installed')).location).toMatch(/^\/login/)
  })

  test.each(['suspended installation', 'suspended app'])(
    'says of a %s what it is',
    async (what) => {
      const { db } = market.deps
      const user = demoUser(market, 'Seller')
      const where = { id: demoInstallation(market, APP, 'Seller').id }
      const stop = { suspendedAt: new Date(), suspendedReason: 'Unpaid invoices' }
      const go = { suspendedAt: null, suspendedReason: null }
      const isApp = what === 'suspended app'
      onTestFinished(async () => {
        await db.app.update({ where: { id: APP }, data: go })
        await db.installation.update({ where, data: { ...go, status: 'active' } })
      })
      if (isApp) await db.app.update({ where: { id: APP }, data: stop })
      else await db.installation.update({ where, data: { ...stop, status: 'suspended' } })
      const page = await (await signedIn(market, user)).get(PATH)
      expect(titleOf(page)).toBe(`Price Sync is suspended${isApp ? '' : ` for ${user.partyName}`}`)
      expect(mainOf(page)).toContain('Reason: Unpaid invoices.')
      expect(mainOf(page)).toContain(`href="/Installed/${where.id}"`)
    },
  )

  test('tells of an app that is not listed no more than of one that there is not', async () => {
    const developer = await author(market)
    const hidden = fullDraft({ name: 'Secret Project' })
    expect((await developer.create(hidden)).status).toBe(201)
    const stranger = await signedIn(market, demoUser(market, 'Buyer'))
    const pages = await Promise.all(
      [hidden.id, 'no-such-app-either'].map((id) => stranger.get(`/Apps/Authenticate/${id}`)),
    )
    const [first, second] = pages.map((page) =>
      mainOf(page)
        .replace(/<code>.*?<\/code>/, '')
        .replaceAll(hidden.id, 'no-such-app-either'),
    )
    expect(pages.map(({ status }) => status)).toEqual([404, 404])
    expect(first).toBe(second)
    expect(first).not.toContain('Secret Project')
  })
})

describe('too many wrong passwords', () => {
  test.each([
    ['/login', { email: 'kim@keyline.example' }, '/Apps/Authenticate/price-sync?state=s'],
    ['/login', { email: 'noel@northwind.example' }, '/Developer/Apps/price-sync'],
  ])(
    'show the form of %s again, with the way on, and say how long to wait',
    async (path, who, next) => {
      const browser = webClient(market)
      const page = await browser.get(`${path}?next=${encodeURIComponent(next)}`)
      const fields = { ...hiddenFields(page.text), ...who, password: 'wrong' }
      for (let count = 0; count < 10; count++) {
        expect((await browser.post(path, fields)).status).toBe(401)
      }
      const answer = await browser.post(path, fields)
      expect(answer.status).toBe(429)
      const seconds = Number(answer.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(0)
      expect(answer.text).toContain(`Wait ${seconds} second`)
      expect(answer.text).toContain(`value="${Object.values(who)[0]}"`)
      expect(hiddenFields(answer.text).next).toBe(next)
      await market.deps.pool.query('DELETE FROM login_failures')
      const people = [demoUser(market, 'Seller'), demoDeveloper(market).person]
      const { password = '' } = people.find(({ email }) => email === who.email) ?? {}
      const again = await browser.post(path, { ...hiddenFields(answer.text), ...who, password })
      expect([again.status, again.location]).toEqual([303, next])
    },
  )
})

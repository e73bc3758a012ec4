import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { openBrowser } from '../setup/browser.ts'
import { signOutOn } from '../setup/browser-pages.ts'
import { call } from '../setup/client.ts'
import { setReturnUrl } from '../setup/redirect.ts'
import { demoUser } from '../setup/web-client.ts'

const APP = 'price-sync'

/** The app: answers its return URL and remembers what it was asked for. */
type ReturnServer = { url: string; visits: URL[]; referrers: string[]; server: Server }

let market: TestMarketplace
let target: ReturnServer
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  ;[market, target, browser] = await Promise.all([
    startMarketplace(),
    startReturnServer(),
    openBrowser(),
  ])
  await setReturnUrl(market, APP, `${target.url}/auth/return?tenant=7`)
})
afterAll(async () => {
  await browser?.close()
  target?.server.close()
  await market?.close()
})
beforeEach(async () => {
  target.visits = []
  target.referrers = []
  complaints = []
  context = await browser.newContext()
  page = await context.newPage()
  // Violations of a content security policy are console errors too.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`))
})
afterEach(() => context.close())

async function startReturnServer(): Promise<ReturnServer> {
  const visits: ReturnServer = {
    url: '',
    visits: [],
    referrers: [],
    server: createServer((request, response) => {
      const url = new URL(request.url ?? '/', visits.url)
      if (url.pathname === '/auth/return') {
        visits.visits.push(url)
        visits.referrers.push(request.headers.referer ?? '')
      }
      if (url.searchParams.has('hop')) {
        // Another origin: the same machine by its name.
        const elsewhere = `${visits.url.replace('127.0.0.1', 'localhost')}/dashboard`
        response.writeHead(302, { location: elsewhere }).end()
        return
      }
      response.setHeader('content-type', 'text/html')
      response.end(
        '<!doctype html><title>The app</title><link rel="icon" href="data:,"><h1>Welcome</h1>',
      )
    }),
  }
  await new Promise<void>((resolve) => visits.server.listen(0, '127.0.0.1', resolve))
  visits.url = `http://127.0.0.1:${(visits.server.address() as AddressInfo).port}`
  return visits
}

async function signIn(user: { email: string; password: string }) {
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The one visit that the app had, and its token at work. */
async function expectArrival(state: string | null, products: number) {
  await page.waitForURL(`${target.url}/auth/return**`)
  expect(await page.title()).toBe('The app')
  expect(target.visits).toHaveLength(1)
  expect(target.referrers).toEqual([''])
  const [{ searchParams }] = target.visits as [URL]
  expect(searchParams.get('tenant')).toBe('7')
  expect(searchParams.get('state')).toBe(state)
  const [token = '', ...more] = searchParams.getAll('token')
  expect(more).toEqual([])
  const answer = await call(market, 'GET', '/v1/Products', { token })
  expect(answer.status).toBe(200)
  expect(answer.body).toHaveLength(products)
  return token
}

describe('in a browser, the redirect', () => {
  test('leads over the login page to the app with a token that works', async () => {
    const state = 'a b+c&d=é😀'
    await page.goto(`${market.url}/Apps/Authenticate/${APP}?state=${encodeURIComponent(state)}`)
    expect(new URL(page.url()).pathname).toBe('/login')
    await page.getByText('to continue to Price Sync').waitFor()
    await signIn(demoUser(market, 'Seller'))
    await expectArrival(state, 33)
    expect(complaints).toEqual([])
  })

  test('shows a wrong password and keeps the way on', async () => {
    await page.goto(`${market.url}/Apps/Authenticate/${APP}?state=s`)
    const user = demoUser(market, 'Seller')
    await signIn({ ...user, password: 'not the password' })
    await page.getByRole('alert').getByText('Wrong email or password.').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(user.email)
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    await signIn(user)
    await expectArrival('s', 33)
    // Chromium reports the status of a page in its console.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
  })

  test('asks for which account, and opens the app for it', async () => {
    const [seller, sandbox] = [demoUser(market, 'Seller'), demoUser(market, 'None')]
    const { id: userId } = await market.deps.db.user.findUniqueOrThrow({
      where: { email: sandbox.email },
    })
    const membership = { userId, partyId: seller.partyId }
    await market.deps.db.membership.create({ data: membership })

    await page.goto(`${market.url}/Apps/Authenticate/${APP}?state=s`)
    await signIn(sandbox)
    await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
    expect(target.visits).toEqual([])
    await page.getByRole('button', { name: seller.partyName }).click()
    const token = await expectArrival('s', 33)
    const profile = await call(market, 'GET', '/v1/User/Profile', { token })
    expect(profile.body).toMatchObject({ partyId: seller.partyId, user: { id: userId } })

    target.visits = []
    target.referrers = []
    await page.goto(market.url)
    await page.getByRole('link', { name: `Open Price Sync for ${seller.partyName}` }).click()
    await expectArrival(null, 33)
    expect(complaints).toEqual([])
    await market.deps.db.membership.delete({ where: { userId_partyId: membership } })
  })

  test('goes on to the app after another account was chosen in the header', async () => {
    const seller = demoUser(market, 'Seller')
    const { id: without } = await createParty(market.deps, { name: 'Without it', type: 'Seller' })
    const user = await createUser(market.deps, {
      email: 'two@accounts.example',
      name: 'Two Accounts',
      partyIds: [seller.partyId, without],
    })
    await page.goto(`${market.url}/Apps/Authenticate/${APP}?state=s&partyId=${without}`)
    await signIn(user)
    await page.getByText('is not installed for').waitFor()
    await page.getByRole('link', { name: 'For all accounts' }).click()
    await page.getByRole('heading', { name: 'Switch account' }).waitFor()
    await page.getByRole('button', { name: seller.partyName }).click()
    await expectArrival('s', 33)
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
  })

  test('works for an app that sends its users on to another of its origins', async () => {
    await setReturnUrl(market, APP, `${target.url}/auth/return?hop=1`)
    await page.goto(`${market.url}/Apps/Authenticate/${APP}`)
    await signIn(demoUser(market, 'Seller'))
    await page.waitForURL(/^http:\/\/localhost:\d+\/dashboard$/)
    expect(complaints).toEqual([])
    await setReturnUrl(market, APP, `${target.url}/auth/return?tenant=7`)
  })

  test('leads to an app that is not listed, whose name the sign-in does not tell', async () => {
    const where = { id: APP }
    await market.deps.db.app.update({ where, data: { listed: false } })
    await page.goto(`${market.url}/Apps/Authenticate/${APP}?state=s`)
    await page.getByText('to open the apps of your accounts').waitFor()
    expect(await page.content()).not.toContain('Price Sync')
    await signIn(demoUser(market, 'Seller'))
    await expectArrival('s', 33)
    expect(complaints).toEqual([])
    await market.deps.db.app.update({ where, data: { listed: true } })
  })

  test('ends in a styled page with a way out when the app is not installed', async () => {
    await page.goto(`${market.url}/Apps/Authenticate/${APP}`)
    await signIn(demoUser(market, 'Buyer'))
    await page.getByText('is not installed for').waitFor()
    const card = page.locator('section.card')
    expect(await card.evaluate('(card) => getComputedStyle(card).borderRadius')).not.toBe('0px')
    await page.getByRole('link', { name: 'Go to the start page' }).click()
    await page.getByRole('heading', { name: 'Your apps' }).waitFor()
    expect(target.visits).toEqual([])
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
  })
})

describe('in a browser, after the sign-out', () => {
  test('nothing personal is shown, with the back button neither', async () => {
    await page.goto(`${market.url}/login`)
    await signIn(demoUser(market, 'Seller'))
    expect(await page.locator('.who-name').textContent()).toBe('Kim Keyline')
    await page.goto(`${market.url}/?again`)
    await signOutOn(page)
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    for (let step = 0; step < 2; step++) {
      await page.goBack()
      expect(await page.content()).not.toMatch(/Kim Keyline|kim@keyline/)
      await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
    }
    await page.goto(`${market.url}/Apps/Authenticate/${APP}`)
    expect(new URL(page.url()).pathname).toBe('/login')
    expect(complaints).toEqual([])
  })
})

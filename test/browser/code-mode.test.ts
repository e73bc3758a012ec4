import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { receiverAddress } from '../../src/marketplace/apps/receiver-address.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { openBrowser } from '../setup/browser.ts'
import { type PriceChecker, startPriceChecker } from '../setup/price-checker.ts'
import { demoDeveloper, demoUser } from '../setup/web-client.ts'

let market: TestMarketplace
let example: PriceChecker
let browser: Browser
let context: BrowserContext
let page: Page
let visited: string[]
beforeAll(async () => {
  const config = { demo: true }
  ;[market, browser] = await Promise.all([
    startMarketplace({ background: {}, config }),
    openBrowser(),
  ])
  example = await startPriceChecker(market)
})
beforeEach(async () => {
  visited = []
  context = await browser.newContext()
  page = await context.newPage()
  page.on('request', (request) => {
    if (request.isNavigationRequest()) visited.push(request.url())
  })
})
afterEach(() => context.close())
afterAll(async () => {
  await browser?.close()
  await example?.stop()
  await market?.close()
})

async function signIn(user: { email: string; password: string }) {
  await page.goto(`${market.url}/login`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** That a code was in one address of the way, and a token in none. */
function expectOneCode() {
  const addresses = visited.map((url) => new URL(url))
  expect(addresses.filter(({ searchParams }) => searchParams.has('token'))).toEqual([])
  expect(addresses.filter(({ searchParams }) => searchParams.has('code'))).toHaveLength(1)
}

test('a click on an app that takes codes only leads to its products, and no token is in an address', async () => {
  await signIn(demoUser(market, 'None'))
  const { host } = new URL(example.origin)
  await page.getByRole('link', { name: `Open at ${host} Price Checker` }).click()
  await page.getByText(/^Products over 100: \d+/).waitFor()
  expect(page.url()).toBe(`${example.origin}/`)
  const paths = visited.map((url) => new URL(url)).filter(({ origin }) => origin === example.origin)
  expect(paths.map(({ pathname }) => pathname)).toContain('/auth/return')
  expectOneCode()
})

test('a developer opens an own app that takes codes only in the sandbox, and signs in nowhere', async () => {
  await signIn(demoDeveloper(market).person)
  await page.goto(`${market.url}/Developer/Apps/price-checker`)
  await page.getByRole('link', { name: 'Open in the sandbox' }).click()
  await page.getByRole('button', { name: 'Open in the sandbox' }).click()
  await page.getByText(/^Products over 100: \d+/).waitFor()
  expect(page.url()).toBe(`${example.origin}/`)
  expectOneCode()
})

test('the demo receiver exchanges the code of an app that takes codes only', async () => {
  const authReturnUrl = receiverAddress(market.url, 'price-sync')
  const data = { authReturnUrl, tokenDelivery: 'code' }
  await market.deps.db.app.update({ where: { id: 'price-sync' }, data })
  await signIn(demoUser(market, 'Seller'))
  const { host } = new URL(market.url)
  await page.getByRole('link', { name: `Open at ${host} Price Sync` }).click()
  await page.getByRole('heading', { name: 'your app has a token' }).waitFor()
  expect(page.url()).toBe(authReturnUrl)
  await page.getByText('exchanged the code').waitFor()
  expectOneCode()
})

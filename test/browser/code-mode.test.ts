import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { openBrowser } from '../setup/browser.ts'
import { type PriceChecker, startPriceChecker } from '../setup/price-checker.ts'
import { demoUser } from '../setup/web-client.ts'

let market: TestMarketplace
let example: PriceChecker
let browser: Browser
let context: BrowserContext
let page: Page
const visited: string[] = []
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace({ background: {} }), openBrowser()])
  example = await startPriceChecker(market)
  context = await browser.newContext()
  page = await context.newPage()
  page.on('request', (request) => {
    if (request.isNavigationRequest()) visited.push(request.url())
  })
})
afterAll(async () => {
  await browser?.close()
  await example?.stop()
  await market?.close()
})

test('a click on an app that takes codes only leads to its products, and no token is in an address', async () => {
  const { email, password } = demoUser(market, 'None')
  await page.goto(`${market.url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const { host } = new URL(example.origin)
  await page.getByRole('link', { name: `Open at ${host} Price Checker` }).click()
  await page.getByText(/^Products over 100: \d+/).waitFor()
  expect(page.url()).toBe(`${example.origin}/`)
  const addresses = visited.map((url) => new URL(url))
  const paths = addresses.filter(({ origin }) => origin === example.origin)
  expect(paths.map(({ pathname }) => pathname)).toContain('/auth/return')
  expect(addresses.filter(({ searchParams }) => searchParams.has('token'))).toEqual([])
  expect(addresses.filter(({ searchParams }) => searchParams.has('code'))).toHaveLength(1)
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emulateUntilShown } from '../setup/accessible.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { openBrowser } from '../setup/browser.ts'
import { signInOn } from '../setup/browser-pages.ts'
import { demoInstallation } from '../setup/client.ts'
import { makeOwner } from '../setup/developer-person.ts'
import { demoUser } from '../setup/web-client.ts'
import { fillWebhookPages } from '../setup/webhook-pages.ts'

let market: TestMarketplace
let browser: Browser
let delivery: string
/** A user and a developer are signed in, in one browser; an operator in another one. */
let customer: Page
let operator: Page
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  delivery = (await fillWebhookPages(market))['{delivery}'] ?? ''
  const newPage = async () => (await browser.newContext({ colorScheme: 'dark' })).newPage()
  ;[customer, operator] = [await newPage(), await newPage()]
  await makeOwner(market, demoUser(market, 'Seller'))
  await signInOn(customer, market, demoUser(market, 'Seller'))
  await signInOn(operator, market, market.demo.operator)
})
afterAll(async () => {
  await browser.close()
  await market.close()
})

/** The width of A4 between the margins of a browser. */
const PAPER = { width: 718, height: 1000 }

/** Parts of a page that belong to the screen, and are shown all the same. */
const NAVIGATION = `[...document.querySelectorAll('header, nav, footer, .button, .skip-link')]
  .filter((one) => one.checkVisibility()).map((one) => one.outerHTML)`
/** Boxes with more in them than they show. */
const CUT = `[...document.querySelectorAll('pre, .table, .text-box')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.outerHTML.slice(0, 200))`
const WIDTH = 'document.documentElement.scrollWidth'
const GROUND = 'getComputedStyle(document.body).backgroundColor'

async function print(page: Page, path: string): Promise<void> {
  expect((await page.goto(market.url + path))?.status()).toBe(200)
  await page.setViewportSize(PAPER)
  await emulateUntilShown(page, { media: 'print' }, 'print')
}

describe('a page on paper', () => {
  test.each([
    ['a listing', () => customer, () => '/Apps/price-sync'],
    [
      'an installation',
      () => customer,
      () => `/Installed/${demoInstallation(market, 'price-sync', 'Seller').id}`,
    ],
    ['an app of a developer', () => customer, () => '/Developer/Apps/price-sync'],
    ['a delivery', () => customer, () => delivery],
    ['a guide', () => customer, () => '/docs/receive-events'],
    ['the guide to definitions', () => customer, () => '/docs/apps'],
    ['the audit trail', () => operator, () => '/Operator/Audit?size=20'],
    ['the figures of the operator', () => operator, () => '/Operator'],
  ])('has no navigation, is white and cuts nothing off: %s', async (_name, pageOf, path) => {
    const page = pageOf()
    await print(page, path())
    expect(await page.evaluate(NAVIGATION)).toEqual([])
    expect(await page.evaluate(CUT)).toEqual([])
    expect(await page.evaluate(WIDTH)).toBe(PAPER.width)
    expect(await page.evaluate(GROUND)).toBe('rgb(255, 255, 255)')
  })

  test('names the addresses of other sites that it links', async () => {
    await print(customer, '/Apps/price-sync')
    const website = `document.querySelector('main a[href^="https://price-sync.example"]')`
    const address = await customer.evaluate(`getComputedStyle(${website}, '::after').content`)
    expect(address).toContain('https://price-sync.example')
  })

  test('says by which filters a list is narrowed', async () => {
    await print(operator, '/Operator/Audit')
    const action = operator.getByLabel('Action', { exact: true })
    expect(await action.isVisible()).toBe(false)
    await print(operator, '/Operator/Audit?action=party.created')
    expect(await action.isVisible()).toBe(true)
    expect(await action.inputValue()).toBe('party.created')
    expect(await operator.getByLabel('Object ID').isVisible()).toBe(false)
    expect(await operator.getByLabel('By', { exact: true }).isVisible()).toBe(false)
  })

  test('shows what is folded on the screen', async () => {
    await print(operator, '/Operator')
    expect(await operator.getByRole('table').isVisible()).toBe(true)
  })
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { violations } from '../setup/axe.ts'
import { launchBrowser } from '../setup/browser.ts'

let market: TestMarketplace
let browser: Browser
let page: Page

beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), launchBrowser()])
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

/**
 * On a wide screen the navigation is open though its `details` are not, which axe does not see:
 * the test of the keyboard below does.
 */
const OPENED = /^scrollable-region-focusable: <details>$/

const PATHS = ['', '/apps', '/api', '/api/apps', '/api/installations', '/schemas', '/errors']

describe.each(PATHS.map((path) => `/docs${path}`))('the page %s of the documentation', (path) => {
  test.each([
    ['light', 390],
    ['dark', 1280],
  ] as const)('has nothing that axe finds, %s and %i pixels wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    expect((await page.goto(market.url + path))?.status()).toBe(200)
    expect((await violations(page)).filter((one) => !OPENED.test(one))).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})

test('on a wide screen the keyboard reaches the navigation and scrolls it', async () => {
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.goto(`${market.url}/docs/schemas`)
  const last = page.locator('.docs-nav a').last()
  await last.focus()
  const seen = await page.evaluate(`(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect()
    return document.activeElement.matches('.docs-nav a') && top >= 0 && bottom <= innerHeight
  })()`)
  expect(seen).toBe(true)
})

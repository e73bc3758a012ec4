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

const PATHS = [
  ...['', '/apps', '/api', '/api/apps', '/api/products', '/api/operator'],
  ...['/schemas', '/errors'],
]

describe.each(PATHS.map((path) => `/docs${path}`))('the page %s of the documentation', (path) => {
  test.each([
    ['light', 390, 844],
    ['light', 1280, 800],
    ['dark', 1280, 800],
  ] as const)(
    'has nothing that axe finds, %s, %i x %i',
    async (colorScheme, width, height) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      expect((await page.goto(market.url + path))?.status()).toBe(200)
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    },
    120_000,
  )
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

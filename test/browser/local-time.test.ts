import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf, signInOn } from '../setup/browser-pages.ts'
import { demoUser } from '../setup/web-client.ts'

let market: TestMarketplace
let browser: Browser
/** A page with a time that is known. */
let path: string
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  const { email } = demoUser(market, 'Seller')
  const createdAt = new Date('2026-01-31T22:57:08.123Z')
  const user = await market.deps.db.user.update({ where: { email }, data: { createdAt } })
  path = `/Operator/Users/${user.id}`
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

test.each([
  ['2026-01-31 22:57 UTC (17:57 your time)', { timezoneId: 'America/New_York' }],
  ['2026-01-31 22:57 UTC (2026-02-01 04:27 your time)', { timezoneId: 'Asia/Kolkata' }],
  ['2026-01-31 22:57 UTC', { timezoneId: 'UTC' }],
  ['2026-01-31 22:57 UTC', { timezoneId: 'America/New_York', javaScriptEnabled: false }],
] as const)('a time is shown as %s to %j', async (text, options: BrowserContextOptions) => {
  const page = await (await browser.newContext(options)).newPage()
  const complaints = complaintsOf(page)
  await signInOn(page, market, market.demo.operator)
  await page.goto(market.url + path)
  const time = page.locator('dd time').first()
  await time.waitFor()
  expect(await time.textContent()).toBe(text)
  expect(await time.getAttribute('datetime')).toBe('2026-01-31T22:57:08.123Z')
  expect(complaints).toEqual([])
  await page.context().close()
})

/** Times whose date or clock is on two lines, or that reach out of their text. */
const BROKEN = `[...document.querySelectorAll('time')].filter((time) => {
  const range = document.createRange()
  range.selectNodeContents(time.firstChild)
  const text = time.closest('.row-text, dd').getBoundingClientRect()
  const lines = [...range.getClientRects()]
  return new Set(lines.map(({ top }) => top)).size > 1 || lines[0].right > text.right + 1
}).length`

test.each(['/Account/Members', '/Account/Security'])(
  'no time is broken within its date, however narrow the screen is: %s',
  async (shown) => {
    const page = await (await browser.newContext({ timezoneId: 'America/New_York' })).newPage()
    await signInOn(page, market, demoUser(market, 'Seller'))
    await page.goto(market.url + shown)
    await page.locator('main time').first().waitFor()
    for (let width = 320; width <= 420; width += 10) {
      await page.setViewportSize({ width, height: 800 })
      expect([width, await page.evaluate(BROKEN)]).toEqual([width, 0])
    }
    await page.context().close()
  },
)

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

const NEW_YORK = { timezoneId: 'America/New_York' }

async function timeOn(options: BrowserContextOptions, at: Date): Promise<Shown> {
  const { email } = demoUser(market, 'Seller')
  await market.deps.db.user.update({ where: { email }, data: { createdAt: at } })
  const page = await (await browser.newContext(options)).newPage()
  const complaints = complaintsOf(page)
  await signInOn(page, market, market.demo.operator)
  await page.goto(market.url + path)
  const time = page.locator('dd time').first()
  await time.waitFor()
  const shown = { text: await time.textContent(), title: await time.getAttribute('title') }
  expect(await time.getAttribute('datetime')).toBe(at.toISOString())
  expect(complaints).toEqual([])
  await page.context().close()
  return shown
}

type Shown = { text: string | null; title: string | null }

test.each([
  ['2026-01-31 17:57', 'America/New_York'],
  ['2026-02-01 04:27', 'Asia/Kolkata'],
  ['2026-01-31 22:57', 'UTC'],
])('a time of another month is shown as %s in %s', async (text, timezoneId) => {
  const shown = await timeOn({ timezoneId }, new Date('2026-01-31T22:57:08.123Z'))
  expect(shown).toEqual({ text, title: `${text} your time, 2026-01-31 22:57 UTC` })
})

test.each([
  [20, 'just now'],
  [5 * 60 + 30, '5 minutes ago'],
  [3 * 3600 + 60, '3 hours ago'],
  [86_400 + 60, 'yesterday'],
  [9 * 86_400 + 60, '9 days ago'],
])('a time %i seconds ago is shown as %s, with the own clock on hover', async (seconds, text) => {
  const shown = await timeOn(NEW_YORK, new Date(Date.now() - seconds * 1000))
  expect(shown.text).toBe(text)
  expect(shown.title).toMatch(/^[-\d]{10} \d\d:\d\d your time, [-\d]{10} \d\d:\d\d UTC$/)
})

test('without script a time is one clock, in UTC', async () => {
  const at = new Date('2026-01-31T22:57:08.123Z')
  const shown = await timeOn({ ...NEW_YORK, javaScriptEnabled: false }, at)
  expect(shown).toEqual({ text: '2026-01-31 22:57 UTC', title: null })
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

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { violations } from '../setup/axe.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf, signInOn } from '../setup/browser-pages.ts'

const HOUR_MS = 3_600_000
const BUCKETS = 13

let market: TestMarketplace
let browser: Browser
let page: Page
let complaints: string[]
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  const hour = Math.floor(Date.now() / HOUR_MS)
  await market.deps.db.hourlyFigures.createMany({
    data: Array.from({ length: 40 }, (_, back) => ({
      hour: new Date((hour - back - 1) * HOUR_MS),
      requests: BigInt(1000 + 40 * back),
      errors: back % 7 === 0 ? 3n : 0n,
      latencies: Array.from({ length: BUCKETS }, (_, place) => (place === back % 8 ? 1000n : 0n)),
      tokens: BigInt(30 + back),
      installs: BigInt(back % 3),
      deliveries: 90n,
      failures: BigInt(back % 5),
    })),
  })
  page = await browser.newPage()
  complaints = complaintsOf(page)
  await signInOn(page, market, market.demo.operator)
})
afterAll(async () => {
  await browser.close()
  await market.close()
})

test.each(['light', 'dark'] as const)('charts can be seen and read in %s', async (colorScheme) => {
  await page.emulateMedia({ colorScheme })
  await page.goto(`${market.url}/Operator`)
  const range = page.getByRole('region', { name: 'Last 24 hours' })
  const charts = range.getByRole('img', { name: /: Peak/ })
  expect(await charts.count()).toBe(6)
  expect(await page.getByRole('img', { name: 'Server errors: Peak 3' }).count()).toBe(1)
  for (const chart of await charts.all()) {
    const { width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThan(40)
  }
  expect(await violations(page)).toEqual([])
})

test('the same stands in a table, which opens without a script', async () => {
  await page.goto(`${market.url}/Operator`)
  await page.getByText('View as table').click()
  expect(await page.getByRole('row').count()).toBe(25)
  expect(await page.getByRole('columnheader', { name: 'Server errors' }).isVisible()).toBe(true)
  expect(await violations(page)).toEqual([])
})

test('30 days are a link away, on a narrow screen too', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('link', { name: 'Last 30 days' }).click()
  expect(await page.getByRole('heading', { name: 'Last 30 days' }).isVisible()).toBe(true)
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate(overflow)).toBe(0)
  expect(complaints).toEqual([])
})

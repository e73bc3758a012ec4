import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { openBrowser } from '../setup/browser.ts'
import { signInOn } from '../setup/browser-pages.ts'
import { makeOwner } from '../setup/developer-person.ts'

let market: TestMarketplace
let browser: Browser
let page: Page

beforeAll(async () => {
  market = await startMarketplace()
  browser = await openBrowser()
  page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await makeOwner(market, market.demo.operator)
  await signInOn(page, market, market.demo.operator)
})
afterAll(async () => {
  await browser.close()
  await market.close()
})

/** Buttons within 6 pixels of the edge of their card, and what is within 4 of an input or legend above. */
const cramped = () =>
  page.evaluate(`(() => {
    const box = (one) => one.getBoundingClientRect()
    const found = []
    for (const one of document.querySelectorAll('main .button, main fieldset label')) {
      const { left, top, bottom } = box(one)
      const card = one.closest('.card')
      if (card && (left - box(card).left < 6 || box(card).bottom - bottom < 6)) {
        found.push(one.textContent + ': edge')
      }
      for (const above of document.querySelectorAll('main input, main legend')) {
        const inside = above.matches('legend') ? getComputedStyle(above).paddingBottom : '0'
        const gap = top - box(above).bottom + Number.parseFloat(inside)
        if (gap > -1 && gap < 4) found.push(one.textContent + ': ' + (above.textContent || 'input'))
      }
    }
    return found
  })()`)

test.each([
  '/Operator/Audit',
  '/Account/Token',
  '/Developer/Apps/price-sync/Terms',
  '/Developer/Apps/price-sync/Sandbox',
])('%s leaves room around buttons and choices', async (path) => {
  await page.goto(market.url + path)
  expect(await cramped()).toEqual([])
})

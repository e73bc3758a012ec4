import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { violations } from '../setup/axe.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf, signInOn } from '../setup/browser-pages.ts'

let market: TestMarketplace
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  page = await (await browser.newContext()).newPage()
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

test('an operator chooses all entries of a page, suspends them and reads how many', async () => {
  const complaints = complaintsOf(page)
  await signInOn(page, market, market.demo.operator)
  await page.goto(`${market.url}/Operator/Apps`)
  await page.setViewportSize({ width: 360, height: 740 })
  const fits = async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await violations(page)).toEqual([])
  }
  const boxes = page.locator('[name=id]')
  const count = await boxes.count()
  await page.getByLabel('Select all on this page').check()
  for (const box of await boxes.all()) expect(await box.isChecked()).toBe(true)
  await fits()
  await boxes.first().uncheck()
  expect(await page.getByLabel('Select all on this page').isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Suspend…' }).click()
  await page.getByRole('heading', { name: `Suspend ${count - 1} apps`, level: 1 }).waitFor()
  await fits()
  await page.getByRole('button', { name: `Suspend ${count - 1} apps` }).click()
  await page.getByRole('alert').waitFor()
  await fits()
  await page.reload()
  await page.getByRole('heading', { name: `Suspend ${count - 1} apps`, level: 1 }).waitFor()
  await page.getByLabel('Reason').fill('Unpaid.')
  await page.getByRole('button', { name: `Suspend ${count - 1} apps` }).click()
  await page
    .getByRole('status')
    .getByText(`${count - 1} apps were suspended`)
    .waitFor()
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([])
})

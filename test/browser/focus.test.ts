import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { openBrowser } from '../setup/browser.ts'
import { signInOn } from '../setup/browser-pages.ts'
import { demoDeveloper, demoUser } from '../setup/web-client.ts'

let market: TestMarketplace
let browser: Browser
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

async function openPage(width = 1280, height = 720): Promise<Page> {
  return (await browser.newContext({ viewport: { width, height } })).newPage()
}

/** What has the focus: its text, and whether the window shows it. */
async function focused(page: Page): Promise<{ text: string; isShown: boolean }> {
  return (await page.evaluate(`(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect()
    const isShown = top >= 0 && bottom <= innerHeight
    return { text: document.activeElement.textContent.trim(), isShown }
  })()`)) as { text: string; isShown: boolean }
}

test.each([
  ['on a desktop', 1280, 720],
  ['at 400 %', 320, 256],
])('a link to a wrong field shows its problem, too, %s', async (_, width, height) => {
  const page = await openPage(width, height)
  await signInOn(page, market, demoUser(market, 'Buyer'))
  await page.goto(`${market.url}/Apps/price-sync/Install?purchaseOptionId=premium`)
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await page.getByRole('alert').getByRole('link').first().press('Enter')
  const control = page.locator(':focus')
  expect(await control.getAttribute('id')).toBe('setting-erpUser')
  const place = await page.locator('#setting-erpUser-error').boundingBox()
  expect(place?.y).toBeGreaterThanOrEqual(0)
  const { y = 0, height: tall = 0 } = (await control.boundingBox()) ?? {}
  expect(y + tall).toBeLessThanOrEqual(height)
  await page.context().close()
})

test('the editor leads to the form of a part, and from there back to the parts', async () => {
  const page = await openPage(800)
  await signInOn(page, market, demoDeveloper(market).person)
  await page.goto(`${market.url}/Developer/Apps/price-sync/Definition`)
  await page.locator('summary', { hasText: 'Edit with forms' }).press('Enter')
  await page.getByRole('button', { name: 'Edit setting Margin of Premium' }).press('Enter')
  await page.getByRole('heading', { name: 'Edit setting' }).waitFor()
  await expect.poll(() => focused(page)).toEqual({ text: 'Edit setting', isShown: true })
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await page.getByRole('heading', { name: 'Edit with forms' }).waitFor()
  await expect
    .poll(() => focused(page))
    .toEqual({
      text: 'Edit with forms 3 purchase options, 6 settings, 1 acknowledgement',
      isShown: true,
    })
  await page.context().close()
})

test.each([
  ['/Account/Members/Invite', 'Seller'],
  ['/Operator/Invitations', 'operator'],
  ['/Developer/Members/Invite', 'developer'],
])('the problems of %s come in the order of its fields', async (path, who) => {
  const page = await openPage()
  const people: Record<string, { email: string; password: string }> = {
    Seller: demoUser(market, 'Seller'),
    operator: market.demo.operator,
    developer: demoDeveloper(market).person,
  }
  await signInOn(page, market, people[who] ?? market.demo.operator)
  await page.goto(market.url + path)
  for (const input of await page.locator('main form input:not([type=hidden])').all()) {
    await input.fill(' ')
  }
  // The server is asked, not the browser.
  await page.evaluate("document.querySelector('main form').noValidate = true")
  await page.getByRole('button', { name: /^Invite/ }).click()
  await page.getByRole('alert').getByRole('link').first().waitFor()
  const idsOf = (selector: string, id: string) =>
    page.evaluate(`[...document.querySelectorAll('${selector}')].map((one) => one.${id})`)
  const told = (await idsOf('[role=alert] a', 'hash.slice(1)')) as string[]
  expect(told.length).toBeGreaterThan(1)
  expect(told).toEqual(await idsOf('[aria-invalid=true]', 'id'))
  await page.context().close()
})

test.each([
  ['on a desktop', 1280, 720],
  ['on a phone', 360, 640],
])(
  'a link before the filters of a list leads past them, shown with the focus, %s',
  async (_, width, height) => {
    const page = await openPage(width, height)
    await signInOn(page, market, market.demo.operator)
    await page.goto(`${market.url}/Operator/Users`)
    const clipOfLink = () =>
      page.evaluate("getComputedStyle(document.querySelector('.search .skip-link')).clipPath")
    expect(await clipOfLink()).not.toBe('none')
    await page.getByRole('link', { name: 'Invite people' }).focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toEqual({ text: 'Skip filters', isShown: true })
    expect(await clipOfLink()).toBe('none')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const inList = "document.activeElement.closest('#entries') !== null"
    await expect.poll(() => page.evaluate(inList)).toBe(true)
    await page.context().close()
  },
)

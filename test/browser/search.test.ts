import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccessible } from '../setup/accessible.ts'
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

async function opened(path: string, signIn?: Parameters<typeof signInOn>[2]): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  if (signIn !== undefined) await signInOn(page, market, signIn)
  await page.goto(market.url + path)
  return page
}

const focused = (page: Page) => page.evaluate('document.activeElement.id')

describe('by key', () => {
  test.each(['/', 'Control+k', 'Meta+k'])('%s opens the search, ready to be typed', async (key) => {
    const page = await opened('/Operator/Users', market.demo.operator)
    await page.keyboard.press(key)
    await page.waitForURL('**/Search')
    await expect.poll(() => focused(page)).toBe('q')
    await page.keyboard.type('price/sync')
    expect(await page.inputValue('#q')).toBe('price/sync')
    await page.context().close()
  })

  test('results lead back to their field', async () => {
    const page = await opened('/Search?q=price', market.demo.operator)
    await page.locator('.row-name').first().focus()
    await page.keyboard.press('/')
    expect(await focused(page)).toBe('q')
    expect(page.url()).toBe(`${market.url}/Search?q=price`)
    await page.context().close()
  })

  test('a field, an editor and a choice keep their keys', async () => {
    const page = await opened('/Operator/Audit', market.demo.operator)
    await page.locator('#q').focus()
    await page.keyboard.type('a/b')
    await page.keyboard.press('Control+k')
    await page.locator('#actorKind').focus()
    await page.keyboard.press('/')
    expect(await page.inputValue('#q')).toBe('a/b')
    expect(page.url()).toBe(`${market.url}/Operator/Audit`)
    await page.context().close()
    const path = '/Developer/Apps/price-sync/Definition'
    const definition = await opened(path, demoDeveloper(market).person)
    const editor = definition.locator('textarea')
    await editor.fill('')
    await editor.press('/')
    expect(await editor.inputValue()).toBe('/')
    expect(definition.url()).toBe(market.url + path)
    await definition.context().close()
  })

  test('other combinations are the browser’s', async () => {
    const page = await opened('/Operator/Users', market.demo.operator)
    for (const key of ['k', 'Alt+k', 'Control+/', 'Control+Meta+k']) {
      await page.keyboard.press(key)
      expect(page.url()).toBe(`${market.url}/Operator/Users`)
    }
    await page.context().close()
  })
})

describe('the page', () => {
  const people: Record<string, () => Parameters<typeof signInOn>[2] | undefined> = {
    visitor: () => undefined,
    operator: () => market.demo.operator,
    developer: () => demoDeveloper(market).person,
    seller: () => demoUser(market, 'Seller'),
  }

  test.each(Object.keys(people))('is right for everybody and every screen: %s', async (who) => {
    const page = await opened('/', people[who]?.())
    const long = 'x'.repeat(200)
    for (const query of ['', '?q=e', '?q=price', `?q=${long}`]) {
      await openAccessible(page, `${market.url}/Search${query}`)
    }
    await openAccessible(page, `${market.url}/Search?q=${long}x`, 422)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${market.url}/Search?q=e`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.context().close()
  })

  test('is in the menu on a phone, and in the header of a wider screen', async () => {
    const page = await opened('/Installed', demoUser(market, 'Seller'))
    const link = page.locator('.search-link')
    expect(await link.isVisible()).toBe(true)
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await link.isVisible()).toBe(false)
    await page.locator('.user-menu > summary').click()
    await page.getByRole('link', { name: 'Search' }).click()
    await page.waitForURL('**/Search')
    await page.context().close()
  })
})

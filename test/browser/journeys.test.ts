import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author } from '../setup/apps.ts'
import { openBrowser } from '../setup/browser.ts'
import { signInOn } from '../setup/browser-pages.ts'
import { fullDraft, listedApp, newCustomer } from '../setup/customer.ts'
import { demoDeveloper } from '../setup/web-client.ts'

let market: TestMarketplace
let browser: Browser
let appId: string

beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  appId = (await listedApp(await author(market), fullDraft())).id
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

/** A browser of its own; closed when the test is over. */
async function onPage(javaScriptEnabled: boolean, visit: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ javaScriptEnabled })
  try {
    await visit(await context.newPage())
  } finally {
    await context.close()
  }
}

/** Goes a step through the history; every page of it is there, without a question first. */
async function go(page: Page, way: 'goBack' | 'goForward' | 'reload') {
  const answer = await page[way]()
  expect(answer?.status() ?? 0).toBeLessThan(500)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
}

describe.each([true, false])('with JavaScript: %s, Back, Forward and reload', (scripts) => {
  test('lead through an install, whose review and errors keep what was typed', async () =>
    onPage(scripts, async (page) => {
      await signInOn(page, market, (await newCustomer(market)).user)
      await page.goto(`${market.url}/Apps/${appId}/Install`)
      await page.getByRole('radio', { name: /full/ }).check()
      await page.getByRole('button', { name: 'Continue' }).click()
      const text = page.getByLabel(/^Text/)
      const amount = page.getByLabel(/^Amount/)
      await text.fill('typed with care')
      await amount.fill('7')
      await page.getByLabel(/^Choice/).selectOption('5')
      await page.getByLabel(/^Secret/).fill('s3cret-one')
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByRole('link', { name: /^Amount/ }).waitFor()
      await go(page, 'reload')
      expect([await text.inputValue(), await amount.inputValue()]).toEqual(['typed with care', '7'])
      await go(page, 'goBack')
      expect([await text.inputValue(), await amount.inputValue()]).toEqual(['typed with care', '7'])
      await go(page, 'goForward')
      expect(await amount.inputValue()).toBe('7')
      await amount.fill('0.3')
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByText('Step 3 of 3: review').waitFor()
      await go(page, 'reload')
      await page.getByText('typed with care').waitFor()
      await go(page, 'goBack')
      expect([await text.inputValue(), await amount.inputValue()]).toEqual([
        'typed with care',
        '0.3',
      ])
      await go(page, 'goForward')
      await page.getByText('Step 3 of 3: review').waitFor()
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByText('Step 2 of 3: Settings').waitFor()
      expect([await text.inputValue(), await amount.inputValue()]).toEqual([
        'typed with care',
        '0.3',
      ])
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByText('Step 1 of 3: choose').waitFor()
      expect(await page.getByRole('radio', { name: /full/ }).isChecked()).toBe(true)
      await page.getByRole('button', { name: 'Continue' }).click()
      expect(await text.inputValue()).toBe('typed with care')
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByRole('button', { name: 'Install' }).click()
      await page.getByText(' was installed.').waitFor()
      await go(page, 'reload')
      expect(await page.getByText(' was installed.').count()).toBe(0)
      await go(page, 'goBack')
      await page.getByText('already has this app').waitFor()
      await go(page, 'goForward')
      expect(await page.getByText(' was installed.').count()).toBe(0)
      await page.getByRole('link', { name: 'Edit settings' }).click()
      await text.fill('')
      await page.getByLabel(/^Note/).fill('a note')
      await page.getByRole('button', { name: 'Save settings' }).click()
      await page.getByRole('link', { name: /Text/ }).waitFor()
      await go(page, 'reload')
      await go(page, 'goBack')
      expect(await page.getByLabel(/^Note/).inputValue()).toBe('a note')
      await go(page, 'goForward')
      await text.fill('corrected')
      await page.getByRole('button', { name: 'Save settings' }).click()
      await page.getByText(' were saved.').waitFor()
    }))

  test('lead through the check of a definition and a refused save', async () =>
    onPage(scripts, async (page) => {
      await signInOn(page, market, demoDeveloper(market).person)
      await page.goto(`${market.url}/Developer/Apps/${appId}/Definition`)
      const editor = page.getByLabel('Definition', { exact: true })
      const edited = (await editor.inputValue()).replace('"name": "', '"name": "Edited ')
      await editor.fill(edited)
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByRole('heading', { name: 'Changes' }).waitFor()
      await go(page, 'reload')
      await page.getByRole('heading', { name: 'Changes' }).waitFor()
      expect(await editor.inputValue()).toBe(edited)
      await editor.fill(`${edited} !`)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('There is a problem').waitFor()
      expect(await editor.inputValue()).toBe(`${edited} !`)
      await go(page, 'goBack')
      await page.getByRole('heading', { name: 'Changes' }).waitFor()
      await go(page, 'goForward')
      await page.getByText('There is a problem').waitFor()
      expect(await editor.inputValue()).toBe(`${edited} !`)
    }))

  test('lead through what an operator creates, and show a password once', async () =>
    onPage(scripts, async (page) => {
      await signInOn(page, market, market.demo.operator)
      await page.goto(`${market.url}/Operator/Users/New`)
      const email = `made-${scripts}@example.com`
      await page.getByLabel('Name').fill('Made Here')
      await page.getByRole('button', { name: 'Create user' }).click()
      await page.getByText('There is a problem').waitFor()
      expect(await page.getByLabel('Name').inputValue()).toBe('Made Here')
      // Forward to a refused form asks for its page only by a script; without, the browser says so.
      for (const way of [
        'reload',
        'goBack',
        ...(scripts ? (['goForward'] as const) : []),
      ] as const) {
        await go(page, way)
        await page.getByRole('button', { name: 'Create user' }).waitFor()
      }
      await page.getByLabel('Name').fill('Made Here')
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Create user' }).click()
      await page.getByText('Copy the password now').waitFor()
      const password = (await page.locator('dd code').nth(1).textContent()) ?? ''
      expect(page.url()).not.toContain(password)
      expect(JSON.stringify(await page.context().cookies())).not.toContain(password)
      await go(page, 'reload')
      expect(await page.content()).not.toContain(password)
      await go(page, 'goBack')
      await go(page, 'goForward')
      expect(await page.content()).not.toContain(password)
    }))
})

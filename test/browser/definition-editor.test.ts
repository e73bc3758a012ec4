import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { violations } from '../setup/axe.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf } from '../setup/browser-pages.ts'
import { demoDeveloper } from '../setup/web-client.ts'

const EDITOR = '/Developer/Apps/price-sync/Definition'

let market: TestMarketplace
let browser: Browser
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

async function signIn(page: Page): Promise<void> {
  const { email, password } = demoDeveloper(market).person
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function openEditor(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(market.url + EDITOR)
  await signIn(page)
  await page.getByRole('heading', { name: 'Definition of Price Sync' }).waitFor()
  // The script has run.
  await page.waitForLoadState()
  return page
}

const fieldOf = (page: Page) => page.getByLabel('Definition', { exact: true })
const openForms = (page: Page) => page.getByText('Edit with forms').click()
const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()

/** Keeps the script of the editor back until `send` is called. */
async function holdScript(page: Page) {
  const asked = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  await page.route('**/script.js*', async (route) => {
    asked.resolve()
    await sent.promise
    await route.continue()
  })
  return { asked: asked.promise, send: sent.resolve }
}

describe('the editor of a definition', () => {
  test('keeps what is typed before its script has come, and where it is typed', async () => {
    const page = await (await browser.newContext()).newPage()
    const script = await holdScript(page)
    try {
      await page.goto(market.url + EDITOR, { waitUntil: 'commit' })
      await signIn(page)
      await script.asked
      const field = fieldOf(page)
      await field.fill('[1,')
      const place = await field.boundingBox()
      script.send()
      await page.locator('.line-numbers li').first().waitFor()
      await page.keyboard.type(' 2]')
      expect(await field.inputValue()).toBe('[1, 2]')
      expect((await field.boundingBox())?.height).toBe(place?.height)
    } finally {
      script.send()
    }
  })

  test('marks no line of a text that was changed before its script has come', async () => {
    const page = await openEditor()
    const field = fieldOf(page)
    const wrong = (await field.inputValue()).replace('"USD"', '"XXX"')
    await field.fill(wrong)
    const script = await holdScript(page)
    try {
      await press(page, 'Check')
      await page.getByRole('alert').waitFor()
      await script.asked
      await field.fill(`\n${wrong}`)
      script.send()
      await page.locator('.line-numbers li').first().waitFor()
      expect(await page.locator('.line-numbers .wrong').count()).toBe(0)
      await field.fill(wrong)
      expect(await page.locator('.line-numbers .wrong').count()).toBe(1)
    } finally {
      script.send()
    }
  })

  test('numbers the lines as they are typed, and marks those that have problems', async () => {
    const page = await openEditor()
    const complaints = complaintsOf(page)
    const field = fieldOf(page)
    const numbers = page.locator('.line-numbers li')
    const text = await field.inputValue()
    expect(await numbers.count()).toBe(text.split('\n').length)
    await field.fill('{\n\n}')
    expect(await numbers.allTextContents()).toEqual(['1', '2', '3'])
    const wrong = text.replace('"USD"', '"XXX"')
    const line = wrong.slice(0, wrong.indexOf('"XXX"')).split('\n').length
    await field.fill(wrong)
    await press(page, 'Check')
    await page.getByRole('alert').waitFor()
    await page.waitForLoadState()
    expect(await page.locator('.line-numbers .wrong').allTextContents()).toEqual([String(line)])
    await page.getByRole('link', { name: `Line ${line}: ` }).click()
    const selected = await page.evaluate(
      'const t = document.activeElement; t.value.slice(t.selectionStart, t.selectionEnd).trim()',
    )
    expect(selected).toBe('"currency": "XXX",')
    await field.fill(`\n${wrong}`)
    expect(await page.locator('.line-numbers .wrong').count()).toBe(0)
    expect(complaints.filter((one) => !one.includes('422'))).toEqual([])
    await page.context().close()
  })

  test('is filled in by forms without scripts, as far as publishing', async () => {
    const page = await openEditor({ javaScriptEnabled: false })
    await openForms(page)
    await press(page, /^Edit purchase option Premium/)
    await page.getByLabel('Price per block').fill('6.5')
    // The Enter key writes the part; it does not check the definition.
    await page.getByLabel('Name', { exact: true }).press('Enter')
    await page.getByText('Change applied').waitFor()
    expect(await fieldOf(page).inputValue()).toContain('"ratePerBucket": 6.5')
    await openForms(page)
    await press(page, 'Add setting to Free')
    await page.getByLabel(/^Key/).fill('colour')
    await page.getByLabel('Name', { exact: true }).fill('Colour')
    await press(page, 'Apply to definition')
    const text = await fieldOf(page).inputValue()
    expect(JSON.parse(text).settings.free.colour).toEqual({ type: 'text', name: 'Colour' })
    await press(page, 'Preview')
    await page.getByRole('heading', { name: 'Preview' }).waitFor()
    await fieldOf(page).fill(text.replace('"version": "1.4.0"', '"version": "1.5.0"'))
    await press(page, 'Save')
    await page.getByText('Version 1.5.0 is published.').waitFor()
    const app = await market.deps.db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })
    expect(app.version).toBe('1.5.0')
    await page.context().close()
  })

  test('has nothing that axe finds in any of its states, and fits a phone', async () => {
    const page = await openEditor({ reducedMotion: 'reduce' })
    const looksWell = async () => {
      for (const [width, colorScheme] of [
        [360, 'light'],
        [1280, 'dark'],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 844 })
        expect(await violations(page)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      }
    }
    for (const part of [/^Edit purchase option Free/, /^Edit setting/, /^Edit acknowledgement/]) {
      await openForms(page)
      await press(page, part)
      await page.getByRole('button', { name: 'Apply to definition' }).waitFor()
      await looksWell()
      await press(page, 'Apply to definition')
      await page.getByText('Change applied').waitFor()
    }
    await looksWell()
    await press(page, 'Preview')
    await page.getByRole('heading', { name: 'Preview' }).waitFor()
    for (const option of await page.locator('.preview-option summary').all()) await option.click()
    await looksWell()
    const field = fieldOf(page)
    await field.fill((await field.inputValue()).replace('"USD"', '"XXX"'))
    await press(page, 'Check')
    await page.getByRole('alert').waitFor()
    await looksWell()
    await page.context().close()
  })

  test('keeps a draft through a session that has ended, with the open form of a part', async () => {
    const page = await openEditor()
    await openForms(page)
    await press(page, /^Edit purchase option Basic/)
    await page.getByLabel('Name', { exact: true }).fill('Half typed')
    await fieldOf(page).fill('{ "draft": true, "purchaseOptions": [{}, {}] }')
    await market.deps.db.session.deleteMany()
    await press(page, 'Check')
    await signIn(page)
    await page.getByText('You were signed out before this was saved').waitFor()
    expect(await fieldOf(page).inputValue()).toContain('"draft": true')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed')
    await page.context().close()
  })
})

import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violations } from './axe.ts'

/** A page as it is, without its style sheet. */
const PAGE_MAX_BYTES = 30_000
/** With its style sheet and its script, as they are sent. */
const SENT_MAX_BYTES = 30_000
/** Markup that browsers take and HTML forbids. */
const MISPLACED = `[...document.querySelectorAll(
  'span form, span div, p form, label form, input[type^=date][maxlength], [href*="{"]'
)].map((one) => one.outerHTML)`
/** Buttons are flex boxes: the blank between a text and an element in them is not shown. */
const WITHOUT_BLANK = `[...document.querySelectorAll('.button')].filter((button) =>
  [...button.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.textContent.trim() &&
    (/\\s$/.test(one.textContent) && one.nextElementSibling ||
     /^\\s/.test(one.textContent) && one.previousElementSibling))
).map((one) => one.outerHTML)`

/** Opens a page, which answers as expected and is right for everybody and on every screen. */
export async function openAccessible(page: Page, url: string, status = 200): Promise<void> {
  const answer = await page.goto(url)
  expect(answer?.status()).toBe(status)
  await expectAccessible(page)
  expect(await page.evaluate(MISPLACED)).toEqual([])
  expect(await page.evaluate(WITHOUT_BLANK)).toEqual([])
  const files = ['/assets/style.css', '/assets/script.js'].map(async (path) =>
    (await fetch(new URL(path, url))).text(),
  )
  const texts = [(await answer?.text()) ?? '', ...(await Promise.all(files))]
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0)
  expect(bytes).toBeLessThan(SENT_MAX_BYTES)
  expect(Buffer.byteLength(texts[0] ?? '')).toBeLessThan(PAGE_MAX_BYTES)
}

/**
 * Nothing that axe finds, in light and in dark; nothing wider than a phone or a desktop.
 *
 * On the desktop all rules run. The markup is the same on the phone, where style sheets hide more
 * and show nothing else but the heading of the documents' navigation (a `summary`): only rules that
 * depend on colours, sizes and what is hidden can find something new there.
 * `test/unit/web/hidden-by-width.test.ts` holds what is hidden.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await emulateUntilShown(page, { colorScheme }, `(prefers-color-scheme: ${colorScheme})`)
    await page.setViewportSize({ width: colorScheme === 'light' ? 390 : 1280, height: 844 })
    const rules = colorScheme === 'light' ? 'layout' : 'all'
    expect(await violations(page, rules)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
}

/**
 * Emulates media features until the page answers the query. A page that begins in another process of
 * the browser may miss what it was told before; one in which no frame is drawn is asked all the same.
 */
export async function emulateUntilShown(
  page: Page,
  features: Parameters<Page['emulateMedia']>[0],
  query: string,
): Promise<void> {
  const isShown = async () => {
    await page.emulateMedia(features)
    return page.evaluate(`matchMedia(${JSON.stringify(query)}).matches`)
  }
  await expect.poll(isShown).toBe(true)
}

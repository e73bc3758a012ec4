import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { violations } from '../setup/axe.ts'
import { openBrowser } from '../setup/browser.ts'
import { developerToken } from '../setup/client.ts'

let market: TestMarketplace
let browser: Browser
let page: Page

beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

const GAPS_OF_GRIDS = `[...new Set([...document.querySelectorAll('#reference .grid:not([class*=gap-])')]
  .map((grid) => getComputedStyle(grid).gap))]`

test('the reference draws the OpenAPI document, sends a request, and asks nobody else', async () => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('request', (request) => {
    const url = request.url()
    if (!/^(data|blob):/.test(url) && !url.startsWith(market.url)) problems.push(url)
  })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${market.url}/docs/api#tag/catalogue/GET/v1/Permissions`)
  await page.getByRole('heading', { name: 'List all permissions' }).waitFor()
  // Beside the visible words it names its operation, for screen readers.
  await page.getByRole('button', { name: /^Test Request\s*\(get \/v1\/Permissions\)/ }).click()
  const answered = page.waitForResponse(`${market.url}/v1/Permissions`)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send Request/ })
    .click()
  expect((await answered).status()).toBe(200)
  await page.getByRole('dialog').getByText('profile:read').first().waitFor()
  // Classes of Scalar that have names of ours get nothing of our style sheet.
  expect(await page.evaluate(GAPS_OF_GRIDS)).toEqual(['normal'])
  expect(problems).toEqual([])
  page.removeAllListeners()
})

test('a link to an operation with a parameter in its path opens it in the reference', async () => {
  const guide = await (await fetch(`${market.url}/docs/http-api`)).text()
  const [link] = /\/docs\/api#[^"]*%7B[^"]*/.exec(guide) as RegExpExecArray
  await page.goto(market.url + link)
  const id = decodeURIComponent(link.split('#')[1] ?? '')
  const top = `Math.round(document.querySelector('section[id$="${id}"], div[id$="${id}"]')?.getBoundingClientRect().top ?? -1e6)`
  await expect
    .poll(() => page.evaluate(`Math.abs(${top}) < innerHeight`), { timeout: 20_000 })
    .toBe(true)
})

test.each(['scalar.js', 'reference.js'])(
  'the reference leads to the guides and the document until %s has come',
  async (script) => {
    const own = await browser.newContext()
    const without = await own.newPage()
    await without.route(`**/assets/${script}*`, (route) => route.abort())
    await without.goto(`${market.url}/docs/api`)
    const text = without.getByText('A script of this server draws the reference')
    await text.waitFor()
    expect(await text.getByRole('link').allTextContents()).toEqual([
      'the guides',
      'the OpenAPI document',
    ])
    await without.unrouteAll()
    await without.reload()
    await without.getByRole('heading', { name: 'App Marketplace API' }).waitFor()
    expect(await text.isVisible()).toBe(false)
    await own.close()
  },
)

test('a line break in the source of a guide is none on the page', async () => {
  await page.goto(`${market.url}/docs/errors`)
  const breaks = await page.evaluate(
    `[...new Set([...document.querySelectorAll('.prose')].map((one) => getComputedStyle(one).whiteSpace))]`,
  )
  expect(breaks).toEqual(['normal'])
})

test('a sample of the reference is a request that works: it leaves optional parameters out', async () => {
  const id = 'tag/events/GET/v1/Developer/Events'
  await page.goto(`${market.url}/docs/api#${id}`)
  const sample = page.locator(`[id$="${id}"] pre`).filter({ hasText: 'curl' }).first()
  const [url] = /http[^\s']*/.exec((await sample.textContent()) ?? '') as RegExpExecArray
  const headers = { authorization: `Bearer ${await developerToken(market)}` }
  expect([url, (await fetch(url, { headers })).status]).toEqual([
    `${market.url}/v1/Developer/Events`,
    200,
  ])
})

test('the reference finds operations by words', async () => {
  await page.goto(`${market.url}/docs/api`)
  await page
    .getByRole('button', { name: /search/i })
    .first()
    .click()
  await page.getByRole('combobox').fill('revoke')
  await page
    .getByRole('option', { name: /Revoke a token/ })
    .first()
    .click()
  await page.waitForURL('**/docs/api#tag/tokens/POST/v1/Developer/Token/Revoke')
})

const PATHS = [
  '',
  '/apps',
  '/errors',
  '/deploy',
  '/architecture',
  '/http-api',
  '/code-mode',
  '/search?q=token',
]

describe.each(PATHS.map((path) => `/docs${path}`))('the page %s of the documentation', (path) => {
  beforeAll(async () => {
    expect((await page.goto(market.url + path))?.status()).toBe(200)
  })

  test.each([
    ['light', 390, 844],
    ['light', 1280, 800],
    ['dark', 1280, 800],
  ] as const)('has nothing that axe finds, %s, %i x %i', async (colorScheme, width, height) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})

test('every box of code has a button that copies it', async () => {
  const own = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const reader = await own.newPage()
  const problems: string[] = []
  reader.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  for (const path of ['/docs', '/docs/first-app', '/docs/apps', '/docs/errors']) {
    await reader.goto(market.url + path)
    const boxes = reader.locator('.code-box')
    const buttons = boxes.getByRole('button', { name: /^Copy / })
    expect(await buttons.count()).toBe(await boxes.count())
    const last = boxes.last()
    await last.getByRole('button').click()
    await reader.locator('[aria-live]').filter({ hasText: 'Copied' }).waitFor()
    expect(await reader.evaluate('navigator.clipboard.readText()')).toBe(
      await last.locator('pre').textContent(),
    )
  }
  expect(problems).toEqual([])
  await own.close()
})

test('without script a guide has its code and no button, and its search works', async () => {
  const own = await browser.newContext({ javaScriptEnabled: false })
  const reader = await own.newPage()
  await reader.goto(`${market.url}/docs/first-app`)
  expect(await reader.locator('.code-box button').count()).toBe(0)
  await reader.getByRole('searchbox').fill('sandbox')
  await reader.getByRole('button', { name: 'Search' }).click()
  await reader
    .getByRole('link', { name: /^Test in the sandbox/ })
    .first()
    .waitFor()
  await own.close()
})

test('a box of code is never lower than 40 rem for a reason of its own', async () => {
  for (const [width, max] of [
    [360, 'none'],
    [1280, '640px'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${market.url}/docs/first-app`)
    const heights = await page.evaluate(
      `[...new Set([...document.querySelectorAll('.code-box pre')].map((one) => getComputedStyle(one).maxHeight))]`,
    )
    expect(heights).toEqual([max])
  }
})

test('on a wide screen the keyboard reaches the navigation and scrolls it', async () => {
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.goto(`${market.url}/docs/errors`)
  const last = page.locator('.docs-nav a').last()
  await last.focus()
  // The page scrolls by whole pixels, and the link is not as high as whole ones.
  const seen = await page.evaluate(`(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect()
    const isInView = Math.round(top) >= 0 && Math.round(bottom) <= innerHeight
    return document.activeElement.matches('.docs-nav a') && isInView
  })()`)
  expect(seen).toBe(true)
})

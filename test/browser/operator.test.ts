import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf, signInOn } from '../setup/browser-pages.ts'
import { demoInstallation } from '../setup/client.ts'
import { setReturnUrl } from '../setup/redirect.ts'
import { demoUser } from '../setup/web-client.ts'

const HOSTILE = `"><img src=x onerror=window.ran=1> <script>window.ran=1</script> '`
const REASON = `It reads too much. ${HOSTILE}`
const PARTY = `Zebra Trading ${HOSTILE}`
const USER = `Zoë Zebra ${HOSTILE}`

let market: TestMarketplace
let browser: Browser
let page: Page
let user: Page
const complaints: string[][] = []

beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  await setReturnUrl(market, 'price-sync', 'https://app.example/return')
  page = await (await browser.newContext()).newPage()
  user = await (await browser.newContext()).newPage()
  complaints.push(complaintsOf(page), complaintsOf(user))
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (name: string, within = 'main') =>
  page.locator(within).getByRole('link', { name, exact: true }).first().click()
const tab = (name: string) => follow(name, 'nav[aria-label="Operator console"]')
const status = (text: string) => page.getByRole('status').getByText(text).waitFor()
const heading = (name: string, on = page) => on.getByRole('heading', { name, level: 1 }).waitFor()
const ranNothing = async (on: Page) => expect(await on.evaluate('window.ran')).toBeUndefined()

describe('in a browser, an operator', () => {
  test('signs in by clicking from the start page and finds the console', async () => {
    await page.goto(market.url)
    expect(await page.locator('.user-menu a[href="/Operator"]').count()).toBe(0)
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Email').fill(market.demo.operator.email)
    await page.getByLabel('Password').fill(market.demo.operator.password)
    await press('Sign in')
    await heading('Operator')
    await page.getByRole('link', { name: '3 Apps' }).waitFor()
  })

  test('creates an account', async () => {
    await tab('Accounts')
    await follow('New account')
    await page.getByLabel('Name').fill(PARTY)
    await press('Create account')
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe(PARTY)
    await page.getByLabel('Type').selectOption('Buyer')
    await press('Create account')
    await status(' was created.')
    await heading(PARTY)
    await ranNothing(page)
    expect(await market.deps.db.party.count({ where: { name: PARTY, type: 'Buyer' } })).toBe(1)
  })

  test('creates a user for it, who can sign in with the password that is shown once', async () => {
    await follow('Create a user')
    await page.getByLabel('Name').fill(USER)
    await page.getByLabel('Email').fill('Zoe@Zebra.example')
    await press('Create user')
    await status(`${USER} was created.`)
    const password = (await page.getByRole('status').locator('dd code').nth(1).textContent()) ?? ''
    expect(password.length).toBeGreaterThan(15)
    const visitor = await (await browser.newContext()).newPage()
    await signInOn(visitor, market, { email: 'zoe@zebra.example', password })
    await visitor.getByRole('heading', { name: PARTY }).waitFor()
    await visitor.locator('.user-menu > summary').click()
    await visitor.getByRole('link', { name: 'Security' }).waitFor()
    expect(await visitor.getByRole('link', { name: 'Operator console' }).count()).toBe(0)
    await ranNothing(visitor)
    await visitor.context().close()
    await page.reload()
    await heading(USER)
    await page.getByRole('link', { name: PARTY, exact: true }).waitFor()
    expect(await page.content()).not.toContain(password)
  })

  test('connects the party with a Seller, after a choice and a question', async () => {
    await follow(PARTY)
    await follow('Connect with a Seller')
    const seller = page.getByRole('textbox', { name: 'Seller' })
    const next = () => seller.press('Enter')
    await seller.fill('nobody of this name')
    await next()
    await page.getByRole('alert').getByText('No seller found.').waitFor()
    expect(await seller.inputValue()).toBe('nobody of this name')
    await seller.fill('keyline')
    await next()
    await follow('Keyline Electronics')
    await heading(`Connect ${PARTY} with Keyline Electronics?`)
    await page.goBack()
    await page.goForward()
    await heading(`Connect ${PARTY} with Keyline Electronics?`)
    await page.reload()
    await press('Connect')
    await status('is connected with')
    await page.getByRole('link', { name: /^Disconnect…/ }).click()
    await page.getByText('can no longer see the products of the Seller').waitFor()
    await press('Disconnect')
    await status('are no longer connected.')
  })

  test('suspends an app, with a reason', async () => {
    await tab('Apps')
    await page.getByLabel('Name or ID').fill('price')
    await press('Show')
    await follow('Price Sync')
    await follow('Suspend…')
    await press('Suspend the app')
    await page.getByRole('alert').getByText('Enter a reason.').waitFor()
    await page.getByLabel('Reason').fill(REASON)
    await press('Suspend the app')
    await status('is suspended, effective immediately')
    await page.getByRole('heading', { name: /^Suspended since/ }).waitFor()
    await page.getByText(REASON).waitFor()
    const app = await market.deps.db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })
    expect(app.suspendedReason).toBe(REASON)
  })

  test('is seen to have done so by the users of the app, who are told why', async () => {
    await signInOn(user, market, demoUser(market, 'Seller'))
    const { id } = demoInstallation(market, 'price-sync', 'Seller')
    await user.goto(`${market.url}/Installed/${id}`)
    await user.getByText(REASON).waitFor()
    expect(await user.getByRole('link', { name: /^Open/ }).count()).toBe(0)
    await user.goto(`${market.url}/Apps/price-sync`)
    await heading('Price Sync', user)
    await user.getByText(REASON).waitFor()
    expect(await user.getByRole('link', { name: /^(Open|Install)$/ }).count()).toBe(0)
    await user.goto(`${market.url}/Apps/Authenticate/price-sync`)
    await user.getByText(REASON).waitFor()
    await ranNothing(user)
    const stranger = await (await browser.newContext()).newPage()
    expect((await stranger.goto(`${market.url}/Apps/price-sync`))?.status()).toBe(404)
    await stranger.goto(`${market.url}/Apps/Authenticate/price-sync`)
    await heading('Sign in', stranger)
    expect(await stranger.content()).not.toContain('It reads too much')
    await stranger.context().close()
  })

  test('resumes it', async () => {
    await press('Resume')
    await status(' was resumed.')
    expect(await page.getByRole('heading', { name: /^Suspended/ }).count()).toBe(0)
    const app = await market.deps.db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })
    expect(app).toMatchObject({ suspendedAt: null, suspendedReason: null })
    await user.goto(`${market.url}/Apps/price-sync`)
    await user.getByRole('link', { name: /^Open/ }).waitFor()
  })

  test('finds all of it in the audit trail, by its filters', async () => {
    await tab('Audit trail')
    await page.getByLabel('Action', { exact: true }).fill('app.suspended')
    await press('Show')
    const entries = page.locator('.trail > li')
    expect(await entries.count()).toBe(1)
    const said = (await entries.first().textContent())?.replace(/\s+/g, ' ')
    expect(said).toContain(`Olivia Operator Operator suspended the app Price Sync: ${REASON}`)
    await page.getByLabel('Action', { exact: true }).fill('')
    await page.getByLabel('Object', { exact: true }).selectOption('party')
    await page.getByLabel('By').selectOption('operator')
    await press('Show')
    expect(await entries.allTextContents()).toEqual([
      expect.stringContaining(`created the account ${PARTY}`),
    ])
    await page.getByLabel('From (UTC)').fill('2999-01-01')
    await press('Show')
    await page.getByText('No results').waitFor()
    await ranNothing(page)
  })

  test('saw no complaint of the browser all the way', () => {
    // Chromium reports the status of a page in its console.
    expect(complaints.flat().filter((text) => !/\b(404|422)\b/.test(text))).toEqual([])
  })
})

import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf, signInOn } from '../setup/browser-pages.ts'
import { newCustomer } from '../setup/customer.ts'
import { newAddress } from '../setup/people.ts'
import { codeOf, nextCode } from '../setup/second-factor.ts'

const PASSWORD = 'correct horse battery'
const STOPS_MAX = 40

let market: TestMarketplace
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})
beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  const complaints = complaintsOf(page)
  return async () => {
    await page.context().close()
    expect(complaints).toEqual([])
  }
})

/** Moves the focus with the tab key to a control: a button or a link by its text, or an id. */
async function tabTo(control: string) {
  const stops: string[] = []
  while (stops.at(-1) !== control) {
    if (stops.length > STOPS_MAX) throw new Error(`no ${control} among ${stops.join(', ')}`)
    await page.keyboard.press('Tab')
    stops.push(
      (await page.evaluate(
        'document.activeElement.id || document.activeElement.textContent.trim()',
      )) as string,
    )
  }
}
async function type(field: string, typed: string) {
  await tabTo(field)
  await page.keyboard.type(typed)
}
async function press(control: string, heading: string) {
  await tabTo(control)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor()
}
async function signOut() {
  await page.locator('.user-menu > summary').focus()
  await page.keyboard.press('Enter')
  await press('Sign out', 'You are signed out')
}
/** Fills in the sign-in, whose first field has the focus. */
async function signInByKeyboard({ email, password }: { email: string; password: string }) {
  await page.goto(`${market.url}/login?next=/Account`)
  await page.locator('#email:focus').waitFor()
  await page.keyboard.type(email)
  await type('password', password)
  await page.keyboard.press('Enter')
}
/** Copies the recovery codes, and downloads them. */
async function keepCodes() {
  const codes = (await page.locator('code.lines').textContent()) ?? ''
  expect(codes.split('\n')).toHaveLength(10)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await tabTo('Copy All recovery codes')
  await page.keyboard.press('Enter')
  await page.getByText('Copied').first().waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes)
  const begun = page.waitForEvent('download')
  await tabTo('Download')
  await page.keyboard.press('Enter')
  const download = await begun
  expect(download.suggestedFilename()).toBe('recovery-codes.txt')
  expect(await text(await download.createReadStream())).toBe(`${codes}\n`)
}
const onAccount = () => page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()

test('a second factor is turned on, and asked for at the next sign-in, by keyboard', async () => {
  const { user } = await newCustomer(market)
  await signInByKeyboard(user)
  await onAccount()
  await press('Security', 'Security')
  await press('Turn on', 'Turn on two-step sign-in')
  await type('currentPassword', user.password)
  await press('Continue', 'Scan the code')
  const key = ((await page.locator('dd code').textContent()) ?? '').replaceAll(' ', '')
  await type('code', codeOf(market, key))
  await press('Turn on', 'Two-step sign-in is on')
  await keepCodes()
  await press('Continue', 'Security')
  await signOut()
  await signInByKeyboard(user)
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await page.locator('#code:focus').waitFor()
  await page.keyboard.type(nextCode(market, key))
  await page.keyboard.press('Enter')
  await onAccount()
})

test('a person is invited, accepts and signs in, by keyboard', async () => {
  const { user } = await newCustomer(market)
  const email = newAddress()
  await signInOn(page, market, user)
  await page.goto(`${market.url}/Account/Members`)
  await tabTo('Invite member')
  await page.keyboard.press('Enter')
  await page.getByLabel('Role').waitFor()
  await type('name', 'Ingo Invited')
  await type('email', email)
  await tabTo('Invite')
  await page.keyboard.press('Enter')
  await page.getByText('Ingo Invited was invited.').waitFor()
  const link = /https?:\/\/\S+\?token=[\w-]+/.exec((await page.textContent('main')) ?? '')?.[0]
  await signOut()
  await page.goto(link ?? '')
  await page.getByRole('heading', { name: 'You are invited' }).waitFor()
  await type('newPassword', PASSWORD)
  await type('repeatedPassword', PASSWORD)
  await tabTo('Accept')
  await page.keyboard.press('Enter')
  // Who has just chosen a password is signed in with it.
  await page.waitForURL(`${market.url}/`)
  await page.goto(`${market.url}/Account`)
  await onAccount()
  expect(await page.locator('.who-name').textContent()).toBe('Ingo Invited')
  await signOut()
  await signInByKeyboard({ email, password: PASSWORD })
  await onAccount()
  expect(await page.locator('.who-name').textContent()).toBe('Ingo Invited')
})

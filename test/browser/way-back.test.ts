import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author } from '../setup/apps.ts'
import { openBrowser } from '../setup/browser.ts'
import { signInOn, signOutOn } from '../setup/browser-pages.ts'
import { fullDraft, listedApp, newCustomer } from '../setup/customer.ts'
import { operatorCalls } from '../setup/operator.ts'
import { newAddress } from '../setup/people.ts'
import { failingInserts, sabotaged } from '../setup/sabotage.ts'
import { demoDeveloper } from '../setup/web-client.ts'

let market: TestMarketplace
let browser: Browser
let appId: string
let page: Page

beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  appId = (await listedApp(await author(market), fullDraft())).id
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})
beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  return () => page.context().close()
})

const heading = (name: string | RegExp, on = page) =>
  on.getByRole('heading', { name, level: 1 }).waitFor()
const signIn = async () => signInOn(page, market, (await newCustomer(market)).user)

describe('the back button of the browser', () => {
  test('leads from the review of an install to its form as it was filled in', async () => {
    await signIn()
    await page.goto(`${market.url}/Apps/${appId}/Install?purchaseOptionId=full`)
    await page.getByLabel(/^Text/).fill('typed with care')
    await page.getByLabel(/^Amount/).fill('0.3')
    await page.getByLabel(/^Choice/).selectOption('5')
    await page.getByLabel(/^Secret/).fill('s3cret-one')
    await page.getByLabel('Flag').check()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Step 3 of 3: review').waitFor()
    await page.goBack()
    expect(await page.getByLabel(/^Text/).inputValue()).toBe('typed with care')
    expect(await page.getByLabel(/^Amount/).inputValue()).toBe('0.3')
    expect(await page.getByLabel(/^Choice/).inputValue()).toBe('5')
    expect(await page.getByLabel('Flag').isChecked()).toBe(true)
    // Browsers keep no passwords.
    expect(await page.getByLabel(/^Secret/).inputValue()).toBe('')
  })

  test('leads from a check of a definition to the definition as it was edited', async () => {
    await signInOn(page, market, demoDeveloper(market).person)
    await page.goto(`${market.url}/Developer/Apps/${appId}/Definition`)
    const editor = page.getByLabel('Definition', { exact: true })
    const edited = (await editor.inputValue()).replace('"name": "', '"name": "Edited ')
    await editor.fill(edited)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
    await page.goBack()
    expect(await editor.inputValue()).toBe(edited)
  })
})

describe('who has signed out in another tab', () => {
  test.each(['/', '/Developer'])('of %s is told so by “Sign out”', async (start) => {
    if (start === '/') await signIn()
    else await signInOn(page, market, demoDeveloper(market).person)
    const other = await page.context().newPage()
    await other.goto(market.url + start)
    for (const tab of [other, page]) {
      await signOutOn(tab)
      await heading('You are signed out', tab)
    }
  })

  test('comes back over the sign-in to the form, which says that nothing was done', async () => {
    const { user } = await newCustomer(market)
    await signInOn(page, market, user)
    await page.goto(`${market.url}/Apps/${appId}/Install?purchaseOptionId=full`)
    await page.getByLabel(/^Text/).fill('written for an hour')
    const other = await page.context().newPage()
    await other.goto(market.url)
    await signOutOn(other)
    await heading('You are signed out', other)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Your session has ended. Sign in again to continue.').waitFor()
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('You were signed out before this was saved.').waitFor()
    expect(await page.getByLabel(/^Text/).inputValue()).toBe('written for an hour')
  })
})

test('a form that found the database away is sent again as it was typed, by a reload', async () => {
  await signIn()
  await page.goto(`${market.url}/Account`)
  await page.getByLabel('Name').fill('Typed Once')
  await sabotaged(market, failingInserts('audit_events', '57P03'), async () => {
    await page.getByRole('button', { name: 'Change name' }).click()
    await heading('The marketplace is not available right now')
    const what = /Wait \d+ seconds?, then reload this page to send the form again\./
    await page.getByText(what).waitFor()
    expect(await page.getByRole('link', { name: 'Try again' }).count()).toBe(0)
  })
  await page.reload()
  await heading('Profile')
  expect(await page.getByLabel('Name').inputValue()).toBe('Typed Once')
})

describe('a refused form is opened again by a reload', () => {
  const refused = () => page.getByRole('alert').waitFor()

  test('of a sign-in, which still leads where it was to lead', async () => {
    const { user } = await newCustomer(market)
    await page.goto(`${market.url}/login?next=%2FAccount%2FSecurity`)
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await refused()
    await page.reload()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${market.url}/Account/Security`)
  })

  test('of an invitation, which is still that of the link', async () => {
    const invitation = { email: newAddress(), name: 'Ida Invited', operator: true }
    const operator = await operatorCalls(market)
    const { body } = await operator('POST', 'Invitations', invitation)
    await page.goto(body.link)
    await page.getByRole('button', { name: 'Accept' }).click()
    await refused()
    await page.reload()
    await page.getByRole('button', { name: 'Accept' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, openAccessible } from '../setup/accessible.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { violations } from '../setup/axe.ts'
import { openBrowser } from '../setup/browser.ts'
import { signInOn } from '../setup/browser-pages.ts'
import { newCustomer, newMember } from '../setup/customer.ts'
import { type MailServer, startMailServer } from '../setup/mail-server.ts'
import { fillPeoplePages, PEOPLE_PAGES } from '../setup/people-pages.ts'
import { codeOf } from '../setup/second-factor.ts'

let market: TestMarketplace
let browser: Browser
let mails: MailServer
let mailing: TestMarketplace
let people: Awaited<ReturnType<typeof fillPeoplePages>>

beforeAll(async () => {
  ;[market, browser, mails] = await Promise.all([
    startMarketplace(),
    openBrowser(),
    startMailServer(),
  ])
  mailing = await startMarketplace({ config: mails.config })
  people = await fillPeoplePages(market, browser)
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
  await mailing?.close()
  await mails?.close()
})

describe.each(PEOPLE_PAGES)('for a %s the page %s', (who, route) => {
  test('has nothing that axe finds, in light and in dark, and fits a phone', async () => {
    await openAccessible(people.pages[who], market.url + (people.paths[route] ?? route))
  })
})

test('/forgot has nothing that axe finds where mails are sent, and with a problem', async () => {
  const page = people.pages.visitor
  await openAccessible(page, `${mailing.url}/forgot`)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('alert').waitFor()
  expect(await violations(page)).toEqual([])
})

test('the switches of mails and the notifications have nothing that axe finds, at 360 px too', async () => {
  const { user, party } = await newCustomer(mailing)
  await newMember(mailing, party.id)
  const page = await (await browser.newContext()).newPage()
  await signInOn(page, mailing, user)
  for (const path of ['/Account/Notifications/Mail', '/Account/Notifications']) {
    await openAccessible(page, mailing.url + path)
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  }
  const bell = page.getByRole('link', { name: 'Notifications: 1 unread' })
  await bell.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Open ?: Morgan Member joined/ }).click()
  await page.waitForURL(`${mailing.url}/Account/Members?partyId=${party.id}`)
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
})

test('a link whose form comes back with problems has nothing that axe finds', async () => {
  const page = people.pages.visitor
  await page.goto(market.url + people.paths['/invitation'])
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('alert').waitFor()
  await expectAccessible(page)
})

test('a form for a password names its user to password managers, and shows no field for that', async () => {
  const { visitor, admin } = people.pages
  for (const [page, path] of [
    [visitor, people.paths['/invitation']],
    [visitor, people.paths['/reset-password']],
    [admin, '/Account/Password'],
    [admin, '/Account/Remove'],
    [admin, '/Account/SecondFactor'],
  ] as const) {
    await page.goto(market.url + path)
    const field = page.locator('input[type=text][autocomplete=username]')
    expect(await field.inputValue(), path).toMatch(/@/)
    expect(await field.isVisible(), path).toBe(false)
  }
})

test('each step of turning on a second factor has nothing that axe finds', async () => {
  const page = people.pages.admin
  await page.goto(`${market.url}/Account/SecondFactor`)
  await page.getByLabel('Your password').fill(people.admin.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Scan the code' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('alert').waitFor()
  await expectAccessible(page)
  const key = ((await page.locator('dd code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code', { exact: true }).fill(codeOf(market, key))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('heading', { name: 'Two-step sign-in is on' }).waitFor()
  await expectAccessible(page)
})

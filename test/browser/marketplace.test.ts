import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { type Author, author } from '../setup/apps.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf, signInOn } from '../setup/browser-pages.ts'
import { fullDraft, listedApp } from '../setup/customer.ts'
import { demoUser } from '../setup/web-client.ts'

let market: TestMarketplace
let browser: Browser
let page: Page
let complaints: string[]
let developer: Author
let definition: ReturnType<typeof fullDraft>
let target: { url: string; server: Server }
let partyId: number

beforeAll(async () => {
  ;[market, browser, target] = await Promise.all([
    startMarketplace(),
    openBrowser(),
    startReturnServer(),
  ])
  developer = await author(market)
  definition = await listedApp(
    developer,
    fullDraft({
      name: 'Everything & More',
      acknowledgements: [{ id: 'risk', title: 'A risk', text: 'Prices change.', order: 1 }],
      authReturnUrl: `${target.url}/return`,
    }),
  )
  const seller = demoUser(market, 'Seller')
  partyId = seller.partyId
  const user = await createUser(market.deps, {
    email: 'new@keyline.example',
    name: 'Nia New',
    partyIds: [partyId],
  })
  page = await (await browser.newContext()).newPage()
  complaints = complaintsOf(page)
  await signInOn(page, market, user)
})
afterAll(async () => {
  await browser?.close()
  target?.server.close()
  await market?.close()
})

async function startReturnServer() {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>The app</title><link rel="icon" href="data:,">')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click()
const inMain = (text: string | RegExp) => page.getByRole('main').getByText(text).first().waitFor()

const stored = async () => {
  const row = await market.deps.db.installation.findFirstOrThrow({
    where: { appId: definition.id, partyId },
    include: { settings: true, acceptances: { where: { kind: 'acknowledgement' } } },
  })
  return { ...row, values: Object.fromEntries(row.settings.map((one) => [one.key, one.value])) }
}

describe('in a browser, a new user', () => {
  test('finds an app from the start page and sees what it does, may do and costs', async () => {
    await follow('Find apps')
    await page.getByLabel('Search').fill('everything')
    await press('Find apps')
    await follow('Everything & More')
    await heading('Everything & More').waitFor()
    await inMain('Reads your products.')
    await inMain('USD 10.00 per month')
    await inMain('Prices change.')
  })

  test('is told all that is missing, and loses nothing of what was typed', async () => {
    await page.getByRole('link', { name: 'Choose full' }).click()
    await heading(/Install Everything/).waitFor()
    await page.getByLabel('Note').fill('a note')
    await page.getByLabel('Flag').check()
    await page.getByLabel('Amount').fill('1e')
    await page.getByLabel('Count').fill('99')
    await press('Review')
    await page.getByRole('alert').getByText('There are 6 problems').waitFor()
    expect(await page.evaluate('document.activeElement?.id')).toBe('problems')
    expect(await page.getByLabel('Amount').inputValue()).toBe('1e')
    expect(await page.getByLabel('Count').inputValue()).toBe('99')
    expect(await page.getByLabel('Note').inputValue()).toBe('a note')
    expect(await page.getByLabel('Flag').isChecked()).toBe(true)
    await page.getByRole('alert').getByRole('link', { name: 'Enter your Text.' }).click()
    expect(await page.evaluate('document.activeElement?.id')).toBe('setting-text')
    expect(await market.deps.db.installation.count({ where: { appId: definition.id } })).toBe(0)
  })

  test('installs it with settings of all five types', async () => {
    await page.getByLabel(/^Text/).fill('jane')
    await page.getByLabel(/^Choice/).selectOption({ label: 'Zone 5' })
    await page.getByLabel('Amount').fill('0.3')
    await page.getByLabel('Count').fill('')
    await page.getByLabel(/^Secret/).fill('s3cret-one')
    await page.getByLabel('A risk').check()
    await press('Review')
    await page.getByRole('heading', { name: 'Review' }).waitFor()
    for (const value of ['jane', 'Zone 5', '0.3', 'Yes']) await inMain(value)
    expect(await page.content()).not.toContain('s3cret-one')
    expect(await market.deps.db.installation.count({ where: { appId: definition.id } })).toBe(0)
    await press('Back')
    expect(await page.getByLabel(/^Text/).inputValue()).toBe('jane')
    await press('Review')
    await press('Install')
    await page.getByRole('status').getByText(' was installed.').waitFor()
    await inMain('Zone 5')
    expect(await page.content()).not.toContain('s3cret-one')
    const row = await stored()
    expect(row).toMatchObject({ status: 'active', purchaseOptionId: 'full' })
    expect(row.values).toMatchObject({ text: 'jane', choice: 5, amount: 0.3, flag: 'true' })
    expect(row.settings.find(({ key }) => key === 'secret')?.secret).not.toBeNull()
    expect(row.acceptances).toHaveLength(1)
  })

  test('opens it', async () => {
    const { id } = await stored()
    await page.getByRole('link', { name: 'Open Everything & More' }).click()
    await page.waitForURL(`${target.url}/return?token=*`)
    expect(await page.title()).toBe('The app')
    await page.goto(market.url)
    await page.getByRole('link', { name: 'Everything & More', exact: true }).click()
    await page.waitForURL(`**/Installed/${id}`)
  })

  test('changes a setting and keeps the password', async () => {
    const before = (await stored()).settings.find(({ key }) => key === 'secret')?.secret
    await follow('Edit settings')
    expect(await page.getByLabel(/^Secret/).inputValue()).toBe('')
    await page.getByLabel(/^Text/).fill('jörg 🦊')
    await press('Save settings')
    await page.getByRole('status').getByText(' were saved.').waitFor()
    await inMain('jörg 🦊')
    const row = await stored()
    expect(row.values).toMatchObject({ text: 'jörg 🦊', choice: 5 })
    expect(row.settings.find(({ key }) => key === 'secret')?.secret).toEqual(before)
  })

  test('agrees to an upgrade after seeing what is different', async () => {
    const permissions = [
      ...definition.permissions,
      { id: 'products:write', purpose: 'Writes prices back.' },
    ]
    definition = { ...definition, version: '2.0.0', permissions }
    expect((await developer.put(definition)).status).toBe(200)
    await page.reload()
    await inMain('Version 2.0.0 is available.')
    expect(await page.getByText('Writes prices back.').count()).toBe(0)
    await follow('See what changes')
    await heading('Upgrade to 2.0.0').waitFor()
    await inMain('Writes prices back.')
    expect((await stored()).installedVersion).toBe('1.0.0')
    await press('Accept and upgrade')
    await page.getByRole('status').getByText(' was upgraded.').waitFor()
    await inMain('Upgraded: 1.0.0 → 2.0.0')
    const row = await stored()
    expect(row.installedVersion).toBe('2.0.0')
    expect(row.permissions).toContain('products:write')
  })

  test('changes the purchase option after seeing what would be lost', async () => {
    await follow('Change')
    await press('Continue')
    await inMain(/These settings will be lost: .*Text/)
    await inMain('USD 10.00 less per month')
    await press('Change purchase option')
    await page.getByRole('status').getByText(' was changed.').waitFor()
    const row = await stored()
    expect(row.purchaseOptionId).toBe('free')
    expect(row.settings).toEqual([])
  })

  test('sees why it was suspended', async () => {
    const { id } = await stored()
    const where = { id: definition.id }
    onTestFinished(async () => {
      const data = { suspendedAt: null, suspendedReason: null }
      await market.deps.db.app.update({ where, data })
    })
    await market.deps.db.app.update({
      where,
      data: { suspendedAt: new Date(), suspendedReason: 'It reads too much.' },
    })
    await page.reload()
    await inMain('It reads too much.')
    expect(await page.getByRole('link', { name: /^Open/ }).count()).toBe(0)
    expect((await stored()).id).toBe(id)
  })

  test('leaves it after being told what happens', async () => {
    await page.reload()
    await follow('Uninstall…')
    await inMain('loses access to the data of')
    expect((await stored()).status).toBe('active')
    await press('Uninstall')
    await page.getByRole('status').getByText(' was uninstalled.').waitFor()
    expect((await stored()).status).toBe('uninstalled')
    expect(await page.getByRole('link', { name: 'Everything & More', exact: true }).count()).toBe(0)
  })

  test('saw no complaint of the browser all the way', () => {
    // Chromium reports the status of a page in its console.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
  })
})

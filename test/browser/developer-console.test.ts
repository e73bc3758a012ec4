import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import { TEMPLATE } from '../../src/marketplace/apps/template.ts'
import { type SharedMarketplace, sharedMarketplace } from '../setup/app.ts'
import { flat, newId } from '../setup/apps.ts'
import { openBrowser } from '../setup/browser.ts'
import { complaintsOf, signInOn, signOutOn } from '../setup/browser-pages.ts'
import { newDeveloper } from '../setup/console.ts'
import {
  type Customer,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../setup/customer.ts'
import { newOwner } from '../setup/developer-person.ts'

let market: SharedMarketplace
let browser: Browser
let own: Awaited<ReturnType<typeof newDeveloper>>
let customer: Customer
/** Of the developer, and of a user of the account; each test opens the page where it begins. */
let page: Page
let account: Page
let definition: ReturnType<typeof fullDraft>
let installationId: string
const complaints: string[][] = []

const newPage = async () => {
  const opened = await (await browser.newContext()).newPage()
  complaints.push(complaintsOf(opened))
  return opened
}

beforeAll(async () => {
  ;[market, browser] = await Promise.all([sharedMarketplace(), openBrowser()])
  own = await newDeveloper(market)
  page = await newPage()
  await signInOn(page, market, own.person)
  customer = await newCustomer(market)
  account = await newPage()
  await signInOn(account, market, customer.user)
})
afterAll(() => browser?.close())
beforeEach(async () => {
  const name = `Everything & More ${newId()}`
  definition = await listedApp(own.developer, fullDraft({ name }))
  const { body } = await customer.install({
    ...{ appId: definition.id, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS },
  })
  installationId = body.id
})
afterEach(() => {
  // Chromium reports the status of a page in its console.
  const unexpected = complaints.flat().filter((text) => !/\b(401|409|422)\b/.test(text))
  for (const one of complaints) one.length = 0
  expect(unexpected).toEqual([])
})

const goTo = (path: string) => page.goto(`${market.url}/Developer${path}`)
const heading = (name: string | RegExp, on = page) =>
  on.getByRole('heading', { name, level: 1 }).waitFor()
const press = (name: string, on = page) => on.getByRole('button', { name, exact: true }).click()
const follow = (name: string | RegExp, on = page) =>
  on.getByRole('link', { name, exact: true }).click()
const upTo = (name: string) =>
  page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name }).click()
const told = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()
const inMain = (text: string | RegExp) => page.getByRole('main').getByText(text).first().waitFor()

const installation = () =>
  market.deps.db.installation.findUniqueOrThrow({
    where: { id: installationId },
    include: { settings: true, party: true },
  })
const adminValue = async (key: string) =>
  (await installation()).settings.find((one) => one.scope === 'admin' && one.key === key)
const app = () => market.deps.db.app.findUniqueOrThrow({ where: { id: definition.id } })
const publishNext = () =>
  own.developer.put({
    ...{ ...definition, version: '2.0.0' },
    purchaseOptions: [flat('free', 0, { order: 1 }), flat('full', 12, { order: 2 })],
  })
const sessions = ({ id: userId }: { id: string }) =>
  market.deps.db.session.count({ where: { userId } })

describe('in a browser, a developer', () => {
  test('comes from the start page to the sign-in, and is told when the password is wrong', async () => {
    const made = await newOwner(market, await createDeveloper(market.deps, { name: 'Newly Made' }))
    const visitor = await newPage()
    await visitor.goto(market.url)
    await follow('Developers', visitor)
    await heading('Sign in', visitor)
    await visitor.getByText('to open the developer console').waitFor()
    await visitor.getByLabel('Email').fill(made.email)
    await visitor.getByLabel('Password').fill('wrong')
    await press('Sign in', visitor)
    await visitor.getByRole('alert').getByText('Wrong email or password.').waitFor()
    expect(await visitor.getByLabel('Email').inputValue()).toBe(made.email)
    await visitor.getByLabel('Password').fill(made.password)
    await press('Sign in', visitor)
    await heading('Your apps', visitor)
    expect(await sessions(made)).toBe(1)
  })

  test('finds an installation and sees how it is set up, without the passwords', async () => {
    const { party } = await installation()
    await goTo('')
    await follow('Installations')
    await page.getByLabel('App', { exact: true }).selectOption(definition.id)
    await press('Show')
    await follow(`${party.name} with ${definition.name}`)
    await heading(party.name)
    await inMain('jane')
    expect(await page.content()).not.toContain(GOOD_SETTINGS.secret)
  })

  test('sets an admin setting, after an error that loses nothing', async () => {
    await goTo(`/Installations/${installationId}`)
    await follow('Edit admin settings')
    await page.getByLabel('Admin text').fill('routing/eu 🦊')
    await page.getByLabel('Admin number').fill('0.3')
    await page.getByLabel('Admin secret').fill('s3cret-of-mine')
    // What the browser would catch itself, ours has to catch too.
    await page.evaluate(`document.querySelector('form[action$="/Settings"]').noValidate = true`)
    await press('Save admin settings')
    await page
      .getByRole('alert')
      .getByRole('link', { name: /^Admin number/ })
      .click()
    expect(await page.evaluate('document.activeElement?.id')).toBe('setting-adminNumber')
    expect(await page.getByLabel('Admin text').inputValue()).toBe('routing/eu 🦊')
    expect(await page.getByLabel('Admin secret').inputValue()).toBe('')
    expect((await installation()).settings.filter(({ scope }) => scope === 'admin')).toEqual([])
    await page.getByLabel('Admin number').fill('0.5')
    await page.getByLabel('Admin secret').fill('s3cret-of-mine')
    await press('Save admin settings')
    await told(' were saved.')
    await inMain('routing/eu 🦊')
    expect(await page.content()).not.toContain('s3cret-of-mine')
    expect((await adminValue('adminText'))?.value).toBe('routing/eu 🦊')
    expect((await adminValue('adminNumber'))?.value).toBe('0.5')
    expect((await adminValue('adminSecret'))?.secret).not.toBeNull()
  })

  test('suspends it with a reason that the account reads, and resumes it', async () => {
    await goTo(`/Installations/${installationId}`)
    await follow('Suspend…')
    await page.getByLabel(/^Reason/).fill('Your ERP refuses us since Monday.')
    await press('Suspend')
    await told(' is suspended, effective immediately.')
    expect((await installation()).status).toBe('suspended')
    await account.goto(`${market.url}/Installed/${installationId}`)
    await account.getByText('Your ERP refuses us since Monday.').first().waitFor()
    expect(await account.getByRole('link', { name: /^Open/ }).count()).toBe(0)
    await press('Resume')
    await told(' was resumed, effective immediately.')
    expect((await installation()).status).toBe('active')
    await account.reload()
    expect(await account.getByText('is suspended.').count()).toBe(0)
    await account.getByRole('link', { name: /^Open/ }).waitFor()
  })

  test('edits a definition: an error by pointer, then a change that needs a new version', async () => {
    await goTo(`/Installations/${installationId}`)
    await follow(definition.name)
    await follow('Definition')
    const field = page.getByLabel('Definition', { exact: true })
    const text = await field.inputValue()
    await field.fill(text.replace('"id": "products:read"', '"id": "product:read"'))
    await press('Save')
    await page.getByRole('alert').getByText('/permissions/0/id').waitFor()
    expect(await field.inputValue()).toContain('"product:read"')
    const priced = text.replace('"monthlyRate": 10', '"monthlyRate": 12')
    expect(priced).not.toBe(text)
    await field.fill(priced)
    await press('Check')
    await inMain('A new version is needed.')
    await inMain('Price changed')
    await press('Save')
    await page.getByRole('alert').getByText('These changes break installations').waitFor()
    expect((await app()).version).toBe('1.0.0')
    await field.fill(priced.replace('"version": "1.0.0"', '"version": "2.0.0"'))
    await press('Check')
    await inMain('Version 2.0.0 would be published.')
    await press('Save')
    await told('Version 2.0.0 is published.')
    expect((await app()).version).toBe('2.0.0')
    expect((await installation()).installedVersion).toBe('1.0.0')
  })

  test('sees what is different between two versions', async () => {
    await publishNext()
    await goTo(`/Apps/${definition.id}`)
    await follow('Versions')
    await press('Compare')
    await heading(`Versions of ${definition.name}`)
    await inMain('From 1.0.0 to 2.0.0')
    await inMain('changed from 10 to 12')
    await upTo(definition.name)
  })

  test('tries the app in the sandbox', async () => {
    await publishNext()
    await goTo(`/Apps/${definition.id}`)
    await follow('Install in the sandbox')
    await page.getByLabel(/^full/).check()
    await press('Continue')
    await page.getByLabel(/^Text/).fill('of the sandbox')
    await press('Install in the sandbox')
    await told(' was installed in your sandbox.')
    await inMain('of the sandbox')
    const rows = await market.deps.db.installation.findMany({
      where: { appId: definition.id, partyType: 'None', live: true },
    })
    expect(rows).toMatchObject([{ purchaseOptionId: 'full', installedVersion: '2.0.0' }])
    await follow('Revoke all tokens…')
    await press('Revoke all tokens')
    await told(/^All tokens of .* were revoked/)
    await follow('Uninstall…')
    await press('Uninstall')
    await told(' was uninstalled.')
  })

  test('creates an app, adds terms, lists it, and deletes it', async () => {
    const id = newId()
    await goTo('/Installations')
    await page.locator('.tabs').getByRole('link', { name: 'Apps', exact: true }).click()
    await follow('New app')
    await press('Edit as JSON')
    const field = page.getByLabel('Definition', { exact: true })
    const text = JSON.stringify({ ...TEMPLATE, id, name: id }, null, 2).replaceAll(
      'my-app.',
      `${id}.`,
    )
    await field.fill(text)
    await press('Create')
    await told(' was created.')
    await follow('Add')
    await page.getByLabel('Document').fill('# Terms\n\nBe kind.')
    await press('Save')
    await told(' was saved.')
    await follow('List…')
    await page.getByText('Say why the app needs products:read: users read it.').waitFor()
    await follow('Edit definition')
    await field.fill(
      text
        .replace(TEMPLATE.description, 'Keeps shelves full.')
        .replace('Why the app reads the products.', 'Counts what is on the shelves.'),
    )
    await press('Save')
    await follow('List…')
    await press('List')
    await told(' was listed: every account can find and install it.')
    await account.goto(`${market.url}/Apps/${id}`)
    await account.getByRole('heading', { name: id, level: 1 }).waitFor()
    await follow('Delete…')
    await press('Delete')
    await told(' was deleted.')
    const row = await market.deps.db.app.findUniqueOrThrow({ where: { id } })
    expect([row.listed, row.deletedAt === null]).toEqual([false, false])
  })

  test('makes a second credential, reads its password once, and removes it', async () => {
    const made = () => market.deps.db.developerCredential.count({ where: { clientId: 'next-one' } })
    await goTo('')
    await follow('Credentials')
    await page.getByLabel('Client id').fill('next-one')
    await press('Create credential')
    await told('The credential next-one was created.')
    expect(await made()).toBe(1)
    const [, password = ''] = await page.getByRole('status').locator('code').allTextContents()
    expect(password.length).toBeGreaterThan(20)
    await follow('Credentials')
    expect(await page.content()).not.toContain(password)
    await page.getByRole('link', { name: 'Remove… next-one' }).click()
    await press('Remove')
    await told(' was removed.')
    const { removedAt } = await market.deps.db.developerCredential.findUniqueOrThrow({
      where: { clientId: 'next-one' },
    })
    expect(removedAt).not.toBeNull()
  })

  test('signs out, and the back button shows nothing', async () => {
    const made = await newOwner(
      market,
      await createDeveloper(market.deps, { name: 'Leaving Soon' }),
    )
    const visitor = await newPage()
    await signInOn(visitor, market, made)
    await signOutOn(visitor)
    await heading('You are signed out', visitor)
    expect(await sessions(made)).toBe(0)
    await visitor.goBack()
    await heading('Sign in', visitor)
  })
})

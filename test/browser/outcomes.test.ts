import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../src/identity/accounts/members/developer-members-service.ts'
import { secretContext } from '../../src/marketplace/installations/settings/stored-settings.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author, draft, newId } from '../setup/apps.ts'
import { openBrowser } from '../setup/browser.ts'
import { signInOn, signOutOn } from '../setup/browser-pages.ts'
import { call } from '../setup/client.ts'
import { newDeveloper } from '../setup/console.ts'
import { fullDraft, GOOD_SETTINGS, listedApp, newCustomer } from '../setup/customer.ts'
import { newOwner } from '../setup/developer-person.ts'
import { newAddress } from '../setup/people.ts'
import { failingInserts, sabotaged } from '../setup/sabotage.ts'
import { enrol, nextCode, type Person } from '../setup/second-factor.ts'

let market: TestMarketplace
let browser: Browser
let appId: string
/** Two tabs of one browser. */
let page: Page
let other: Page

beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  appId = (await listedApp(await author(market), fullDraft())).id
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})
beforeEach(async () => {
  const context = await browser.newContext()
  ;[page, other] = await Promise.all([context.newPage(), context.newPage()])
  return () => context.close()
})

const goTo = (path: string, on = page) => on.goto(market.url + path)
const heading = (name: string | RegExp, on = page) =>
  on.getByRole('heading', { name, level: 1 }).waitFor()
const press = (name: string, on = page) =>
  on.getByRole('main').getByRole('button', { name, exact: true }).click()
const field = (name: string | RegExp, on = page) => on.getByLabel(name)
const told = (text: string | RegExp, on = page) => on.getByRole('status').getByText(text).waitFor()
/** The summary above the form says so, and has the focus. */
async function refused(text: string | RegExp) {
  await page.getByRole('alert').getByText(text).waitFor()
  expect(await page.locator(':focus').getAttribute('id')).toBe('problems')
}

async function signOutInOtherTab() {
  await goTo('/Account', other)
  await signOutOn(other)
  await heading('You are signed out', other)
}

async function fillSignIn({ email, password }: Person) {
  await field('Email').fill(email)
  await field('Password').fill(password)
  await press('Sign in')
}
async function signInAgain(person: Person) {
  await page.getByText('Your session has ended. Sign in again to continue.').waitFor()
  await fillSignIn(person)
}

/** A developer whose owner is signed in. */
async function ownDeveloper() {
  const own = await newDeveloper(market)
  await signInOn(page, market, own.person)
  return own
}

/** An account that has the app, with its user signed in. */
async function installed() {
  const customer = await newCustomer(market)
  const wanted = { appId, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS }
  const { id } = (await customer.install(wanted)).body as { id: string }
  await signInOn(page, market, customer.user)
  const found = { where: { id }, include: { settings: true } }
  const stored = () => market.deps.db.installation.findUniqueOrThrow(found)
  return { customer, stored, path: `/Installed/${id}` }
}

/** The second step of an install, filled in. */
async function fillInstall() {
  await goTo(`/Apps/${appId}/Install?purchaseOptionId=full`)
  await field(/^Text/).fill('typed with care')
  await field(/^Choice/).selectOption('5')
  await field(/^Secret/).fill('s3cret-one')
}
const installsOf = (...customers: { party: { id: number } }[]) => {
  const partyId = { in: customers.map(({ party }) => party.id) }
  return market.deps.db.installation.findMany({ where: { partyId } })
}

describe('a form that was refused', () => {
  test('shows at once what is wrong, with what was typed, and Back leads past it', async () => {
    await ownDeveloper()
    await goTo('/Developer/Members')
    await page.getByRole('link', { name: 'Invite a person' }).click()
    await field('Name').fill('Eve Early')
    await field('Email').fill('no address')
    await page.evaluate("document.querySelector('main form').noValidate = true")
    const answer = page.waitForResponse((one) => one.request().method() === 'POST')
    await press('Invite')
    expect((await answer).status()).toBe(422)
    await refused('Enter an email address, such as name@company.com.')
    expect(page.url()).toBe(`${market.url}/Developer/Members/Invite`)
    expect(await field('Name').inputValue()).toBe('Eve Early')
    for (const before of ['Invite a person', 'Members']) {
      await page.goBack()
      await heading(before)
    }
    for (const _ of ['as it was opened', 'as it was refused']) await page.goForward()
    await heading('Invite a person')
    // Sent once more, it would be refused once more.
    expect(await page.getByRole('alert').count()).toBe(0)
    const email = newAddress()
    await field('Name').fill('Eve Early')
    await field('Email').fill(email)
    await press('Invite')
    await told('Eve Early was invited.')
    expect(await market.deps.db.linkToken.count({ where: { email } })).toBe(1)
  })

  test('as a button shows its page, which says why nothing was done', async () => {
    const own = await ownDeveloper()
    await newOwner(market, own)
    await goTo('/Developer/Members')
    await page.getByRole('link', { name: 'Leave' }).click()
    await goTo('/Developer/Members', other)
    await other.getByRole('button', { name: /^Make member/ }).click()
    await told('The role was changed to member.', other)
    await press('Leave')
    await refused(/owner/)
    await heading(`Leave ${own.name}`)
    const where = { developerId: own.id, role: 'owner' } as const
    const owners = await market.deps.db.developerMember.findMany({ where })
    expect(owners.map(({ userId }) => userId)).toEqual([own.person.id])
  })
})

describe('what was changed meanwhile in another tab', () => {
  test('stays, and stands beside what was typed into a form with secrets', async () => {
    const { path, stored } = await installed()
    const text = async () => (await stored()).settings.find(({ key }) => key === 'text')?.value
    for (const tab of [page, other]) await goTo(`${path}/Settings`, tab)
    await field(/^Text/).fill('from the first tab')
    await field(/^Secret/).fill('another-secret')
    await field(/^Text/, other).fill('from the second tab')
    await press('Save settings', other)
    await told(/ were saved\./, other)
    await press('Save settings')
    await refused('The installation has changed since you opened this page.')
    expect(page.url()).toContain('/Settings?form=')
    await page.getByText('from the first tab').waitFor()
    await page.getByText('a new password; type it again').waitFor()
    expect(await field(/^Text/).inputValue()).toBe('from the second tab')
    expect(await text()).toBe('from the second tab')
    await field(/^Text/).fill('from both')
    await press('Save settings')
    await told(/ were saved\./)
    expect(await text()).toBe('from both')
  })

  test('stays until a definition that was typed is sent once more', async () => {
    const { id } = await listedApp((await ownDeveloper()).developer, fullDraft())
    const description = async () =>
      (await market.deps.db.app.findUniqueOrThrow({ where: { id } })).description
    const editor = (tab: Page) => tab.getByLabel('Definition', { exact: true })
    for (const tab of [page, other]) {
      await goTo(`/Developer/Apps/${id}/Definition`, tab)
      const words = tab === page ? 'From the first tab.' : 'From the second tab.'
      const text = await editor(tab).inputValue()
      await editor(tab).fill(text.replace('Does something useful.', words))
    }
    await press('Save', other)
    await told(/ was saved\./, other)
    await press('Save')
    await page.getByText('Your text is kept.').waitFor()
    expect(await description()).toBe('From the second tab.')
    await page.reload()
    expect(await editor(page).inputValue()).toContain('From the first tab.')
    await press('Save')
    await told(/ was saved\./)
    expect(await description()).toBe('From the first tab.')
  })
})

describe('a session that ended in another tab', () => {
  test('leads a button to the sign-in and back to its page, to be pressed again', async () => {
    const { customer, path, stored } = await installed()
    await goTo(`${path}/Uninstall`)
    await signOutInOtherTab()
    await press('Uninstall')
    await signInAgain(customer.user)
    await refused('You were signed out before this was done. Press the button again.')
    expect((await stored()).uninstalledAt).toBeNull()
    await press('Uninstall')
    await told(/ was uninstalled\./)
    expect((await stored()).uninstalledAt).not.toBeNull()
  })

  test('keeps a form with its secret, which is not typed again', async () => {
    const own = await ownDeveloper()
    const { id } = await listedApp(own.developer, fullDraft())
    const endpoints = () => market.deps.db.webhookEndpoint.findMany({ where: { appId: id } })
    await goTo(`/Developer/Apps/${id}/Webhooks`)
    await field('URL').fill('https://hooks.example.com/kept')
    await page.getByText('Request headers').click()
    await field('Header name 1').fill('x-key')
    await field('Value 1').fill('k3y-of-the-app')
    await signOutInOtherTab()
    await press('Add endpoint')
    await signInAgain(own.person)
    await refused('You were signed out before this was saved.')
    expect(await endpoints()).toEqual([])
    expect(await field('URL').inputValue()).toBe('https://hooks.example.com/kept')
    expect(await page.content()).not.toContain('k3y-of-the-app')
    await press('Add endpoint')
    await told('The endpoint was added.')
    expect(await endpoints()).toHaveLength(1)
    await page.getByText('x-key').first().waitFor()
  })

  test('leads the last step of an install back to it', async () => {
    const customer = await newCustomer(market)
    await signInOn(page, market, customer.user)
    await fillInstall()
    await press('Review')
    await page.getByText('Step 3 of 3: review').waitFor()
    await signOutInOtherTab()
    await press('Install')
    await signInAgain(customer.user)
    await refused('You were signed out before this was saved.')
    await page.getByText('Step 3 of 3: review').waitFor()
    expect(await installsOf(customer)).toEqual([])
    await press('Install')
    await told(/ was installed\./)
    const [{ id = '' } = {}] = await installsOf(customer)
    const where = { installationId: id, key: 'secret' }
    const { secret } = await market.deps.db.settingValue.findFirstOrThrow({ where })
    const context = secretContext(id, 'user', 'secret')
    expect(String(market.deps.secrets.decrypt(secret as Uint8Array, context))).toBe('s3cret-one')
  })
})

describe('who has signed in as somebody else in another tab', () => {
  test('sends nothing in either name, and finds the entries as the one who typed them', async () => {
    const [mine, stranger] = [await newCustomer(market), await newCustomer(market)]
    const name = async ({ user: { id } }: { user: { id: string } }) =>
      (await market.deps.db.user.findUniqueOrThrow({ where: { id } })).name
    await signInOn(page, market, mine.user)
    await goTo('/Account')
    await field('Name').fill('Typed By Me')
    await signOutInOtherTab()
    await signInOn(other, market, stranger.user)
    await press('Change name')
    await heading(`You are signed in as ${stranger.user.name}`)
    await page.getByText('belongs to another user. Nothing was saved.').waitFor()
    expect(await page.content()).not.toContain('Typed By Me')
    expect(await page.getByRole('link', { name: 'Continue as' }).count()).toBe(1)
    await press('Sign in as another user')
    await fillSignIn(mine.user)
    await heading('Profile')
    expect(await field('Name').inputValue()).toBe('Typed By Me')
    expect([await name(mine), await name(stranger)]).toEqual([mine.user.name, stranger.user.name])
    await press('Change name')
    await told('Your name was changed.')
    expect([await name(mine), await name(stranger)]).toEqual(['Typed By Me', stranger.user.name])
  })
})

describe('who has chosen another one in another tab', () => {
  test('writes a definition for the developer of its page, after switching back', async () => {
    const mine = await ownDeveloper()
    const second = await createDeveloper(market.deps, { name: `Second ${newId()}` })
    const owner = { userId: mine.person.id, role: 'owner' } as const
    await addDeveloperMember(market.deps, second.id, owner, SYSTEM)
    const choose = async (name: string, tab: Page) => {
      await tab.getByRole('button', { name }).click()
      await tab.waitForURL((at) => at.pathname !== '/Developer/Choose')
    }
    await goTo('/Developer/Choose')
    await choose(mine.name, page)
    await goTo('/Developer/Apps/New')
    const app = draft(newId())
    const editor = page.getByLabel('Definition', { exact: true })
    await editor.fill(JSON.stringify(app))
    await goTo('/Developer/Choose', other)
    await choose(second.name, other)
    await press('Create')
    await heading(`You now work for ${second.name}`)
    await page.getByText(`This form was for ${mine.name}, and nothing was done.`).waitFor()
    const where = { id: app.id }
    expect(await market.deps.db.app.count({ where })).toBe(0)
    await page.getByRole('link', { name: 'Switch developer', exact: true }).click()
    await choose(mine.name, page)
    await page.getByText('You have switched back. Nothing was saved yet').waitFor()
    expect(JSON.parse(await editor.inputValue())).toEqual(app)
    await press('Create')
    await heading(app.name)
    const { developerId } = await market.deps.db.app.findUniqueOrThrow({ where })
    expect(developerId).toBe(mine.id)
  })

  test('installs for the account that the page showed', async () => {
    const second = await newCustomer(market)
    const mine = await newCustomer(market, 'Seller', [second.party.id])
    await signInOn(page, market, mine.user)
    const choose = async (account: string, tab: Page) => {
      await goTo(`/Account/Choose?next=/Apps/${appId}`, tab)
      await tab.getByRole('button', { name: account }).click()
      await tab.waitForURL((at) => at.pathname === `/Apps/${appId}`)
    }
    await choose(mine.party.name, page)
    await fillInstall()
    await choose(second.party.name, other)
    await press('Review')
    await page.getByText(`Step 3 of 3: review for ${mine.party.name}`).waitFor()
    await press('Install')
    await told(/ was installed\./)
    const installs = await installsOf(mine, second)
    expect(installs.map(({ partyId }) => partyId)).toEqual([mine.party.id])
  })
})

test('a form that asks for another code is filled in after it, and done once', async () => {
  const own = await newDeveloper(market)
  const { secret } = await enrol(market, own.person)
  await goTo('/login')
  await fillSignIn(own.person)
  await page.getByRole('textbox', { name: 'Code' }).fill(nextCode(market, secret))
  await press('Continue')
  await heading(/./)
  await goTo('/Developer/Credentials')
  const clientId = newId()
  await field(/^Client ID/).fill(clientId)
  market.advance(601)
  await press('Create credential')
  await heading('Confirm it is you')
  const where = { clientId }
  expect(await market.deps.db.developerCredential.count({ where })).toBe(0)
  await page.getByRole('textbox', { name: 'Code' }).fill(nextCode(market, secret))
  await press('Continue')
  await refused('You have confirmed that it is you. Nothing was saved yet')
  expect(await field(/^Client ID/).inputValue()).toBe(clientId)
  await press('Create credential')
  await told(`The credential ${clientId} was created.`)
  expect(await market.deps.db.developerCredential.count({ where })).toBe(1)
})

test('a second click while the first has no answer shows the same secret, of one credential', async () => {
  const own = await ownDeveloper()
  await goTo('/Developer/Credentials')
  const clientId = newId()
  await field(/^Client ID/).fill(clientId)
  const done = Promise.withResolvers<number>()
  let posts = 0
  await page.route('**/Developer/Credentials', async (route) => {
    posts += 1
    if (posts > 1) return route.continue()
    // The browser never sees this answer.
    done.resolve((await route.fetch({ maxRedirects: 0 })).status())
  })
  const { x = 0, y = 0 } =
    (await page.getByRole('button', { name: 'Create credential' }).boundingBox()) ?? {}
  await page.mouse.click(x + 9, y + 9)
  expect(await done.promise).toBe(303)
  await page.mouse.click(x + 9, y + 9)
  await told(`The credential ${clientId} was created.`)
  const password = (await page.locator('dd code').nth(1).textContent()) ?? ''
  const answer = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
  expect([posts, answer.status]).toEqual([2, 200])
  const where = { developerId: own.id }
  expect(await market.deps.db.developerCredential.count({ where })).toBe(2)
})

test('an outage in the middle of an install says so, and Back shows the step', async () => {
  const customer = await newCustomer(market)
  await signInOn(page, market, customer.user)
  await fillInstall()
  await sabotaged(market, failingInserts('kept_forms', '57P03'), async () => {
    await press('Review')
    await heading('The marketplace is not available right now')
    await page.getByText(/Wait \d+ seconds?, then reload this page/).waitFor()
  })
  await page.goBack()
  await page.getByText('Step 2 of 3: Settings').waitFor()
  expect(await field(/^Text/).inputValue()).toBe('typed with care')
  expect(await installsOf(customer)).toEqual([])
  await field(/^Secret/).fill('s3cret-one')
  await press('Review')
  await page.getByText('Step 3 of 3: review').waitFor()
})

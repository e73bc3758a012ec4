import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, author, flat } from '../../setup/apps.ts'
import {
  type Customer,
  EVERY_SETTING,
  fullDraft,
  listedApp,
  newCustomer,
} from '../../setup/customer.ts'
import { acceptedRisk, FILLED, installOverForm, RISK } from '../../setup/install-form.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let app: ReturnType<typeof fullDraft>
let customer: Customer
let browser: WebClient
let path: string

beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})
beforeEach(async () => {
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
  app = await listedApp(developer, fullDraft())
  path = await installOverForm(browser, app.id)
})

async function publish(change: Partial<ReturnType<typeof fullDraft>>) {
  app = { ...app, ...change }
  const { status, body } = await developer.put(app)
  expect([status, body.errors]).toEqual([200, undefined])
}

/** The form of an upgrade as a page shows it, with nothing accepted. */
async function openUpgrade() {
  const { text } = await browser.get(`${path}/Upgrade`)
  return { text, form: { ...hiddenFields(text), ...FILLED } }
}

/** Links of a page to parts of it that are not there. */
function deadLinks(text: string): string[] {
  const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
  return targets.filter((id) => !text.includes(`id="${id}"`))
}

const { full, ...otherSettings } = fullDraft().settings
const WITHOUT_FULL = {
  purchaseOptions: fullDraft().purchaseOptions.filter(({ id }) => id !== 'full'),
  settings: otherSettings,
}

describe('an upgrade form that was opened before', () => {
  test('the version without its option leads to the choice of another one, and to nothing else', async () => {
    await publish({ version: '2', acknowledgements: [RISK] })
    const { form } = await openUpgrade()
    await publish({ version: '3', ...WITHOUT_FULL })
    const { status, text } = await browser.post(`${path}/Upgrade`, form)
    expect(status).toBe(409)
    expect(text).toContain('The latest version is now 3.')
    expect(text).toContain('Choose another option.')
    expect(text).not.toContain('Please confirm “A risk”')
    expect(deadLinks(text)).toEqual([])
  })

  test('the version for other accounts reads that, without a form that is not there', async () => {
    await publish({ version: '2', acknowledgements: [RISK] })
    const { form } = await openUpgrade()
    await publish({ version: '3', partyTypes: ['Buyer'] })
    const { text } = await browser.post(`${path}/Upgrade`, form)
    expect(text).toContain('is not for Sellers')
    expect(text).not.toContain('Please confirm “A risk”')
    expect(deadLinks(text)).toEqual([])
  })

  test('the next version, and refused, links to controls of that version only', async () => {
    await publish({ version: '2', acknowledgements: [RISK] })
    const { form } = await openUpgrade()
    const refused = await browser.submit(`${path}/Upgrade`, { ...form, 's.text': '' })
    const again = await browser.get(refused.location ?? '')
    expect(again.text).toContain('<a href="#setting-text">')
    expect(again.text).toContain('<a href="#accept-risk">')
    const { text: _gone, ...rest } = EVERY_SETTING
    const settings = { ...app.settings, full: rest }
    await publish({ version: '3', acknowledgements: [], settings })
    const { text } = await browser.get(refused.location ?? '')
    expect(text).toContain('Upgrade to 3')
    expect(deadLinks(text)).toEqual([])
    expect(text).not.toContain('id="problems"')
  })
})

describe('an upgrade form, when another tab has upgraded', () => {
  test('leads to the settings with what was typed, which is not saved yet', async () => {
    await publish({ version: '2', acknowledgements: [RISK] })
    const { text: opened, form } = await openUpgrade()
    const agreed = { ...form, ...acceptedRisk(opened) }
    expect((await browser.post(`${path}/Upgrade`, agreed)).status).toBe(303)
    const late = await browser.submit(`${path}/Upgrade`, { ...agreed, 's.text': 'mine' })
    expect(late.location).toMatch(new RegExp(`^${path}/Settings\\?form=`))
    const { text } = await browser.get(late.location ?? '')
    expect(text).toContain('was upgraded meanwhile')
    expect(text).toMatch(/You had entered:.*<bdi>mine<\/bdi>/s)
    expect(text).toContain('\njane</textarea>')
    expect(deadLinks(text)).toEqual([])
    const saved = await browser.post(`${path}/Settings`, {
      ...{ ...hiddenFields(text), ...FILLED },
      's.text': 'mine',
    })
    expect(saved.status).toBe(303)
  })

  test('at that very moment, leads to the settings, too', async () => {
    await publish({ version: '2', acknowledgements: [RISK] })
    const { text, form } = await openUpgrade()
    const agreed = { ...form, ...acceptedRisk(text) }
    const answers = await Promise.all(
      ['one', 'other'].map((mine) =>
        browser.submit(`${path}/Upgrade`, { ...agreed, 's.text': mine }),
      ),
    )
    const [done, late] = answers.map(({ location }) => location ?? '').sort()
    expect(done).toBe(path)
    expect(late).toMatch(new RegExp(`^${path}/Settings\\?form=`))
    expect((await browser.get(late ?? '')).text).toMatch(
      /You had entered:.*<bdi>(?:one|other)<\/bdi>/s,
    )
  })

  test('leads to the installation, which says so, where nothing was typed', async () => {
    app = await listedApp(developer, fullDraft())
    path = await installOverForm(browser, app.id, 'free')
    await publish({
      version: '2',
      purchaseOptions: [...app.purchaseOptions, flat('more', 20, { order: 3 })],
    })
    const { form } = await openUpgrade()
    expect((await browser.post(`${path}/Upgrade`, form)).status).toBe(303)
    const late = await browser.submit(`${path}/Upgrade`, { ...form, seen: '0' })
    expect(late.location).toBe(path)
    expect((await browser.get(path)).text).toContain('was upgraded already')
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { type Author, author } from '../setup/apps.ts'
import { type Customer, fullDraft, listedApp, newCustomer } from '../setup/customer.ts'
import { acceptedRisk, FILLED, installOverForm, RISK } from '../setup/install-form.ts'
import { hiddenFields, signedIn, type WebClient } from '../setup/web-client.ts'

let market: TestMarketplace
let developer: Author
let definition: ReturnType<typeof fullDraft>
let customer: Customer
let browser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  definition = await listedApp(developer, fullDraft({ acknowledgements: [RISK] }))
})
afterAll(() => market.close())
beforeEach(async () => {
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})

const rowsOf = () =>
  market.deps.db.installation.findMany({
    where: { partyId: customer.party.id },
    include: { settings: true, acceptances: true },
  })

const install = (option?: string) => installOverForm(browser, definition.id, option)

describe('the forms of option, upgrade and uninstall', () => {
  test('change the option with the settings that it needs', async () => {
    const path = `${await install('free')}/Option`
    const page = await browser.get(`${path}?purchaseOptionId=full`)
    expect(page.text).toContain('These settings are needed')
    const form = hiddenFields(page.text)
    const refused = await browser.post(path, form)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('<a href="#setting-text">')
    expect((await browser.post(path, { ...form, ...FILLED })).status).toBe(303)
    expect(await rowsOf()).toMatchObject([{ purchaseOptionId: 'full' }])
  })

  test.each([
    ['an option that the app does not have', { purchaseOptionId: 'no-such' }],
    ['no option', {}],
  ])('ask again after %s', async (_name, choice) => {
    const path = `${await install('free')}/Option`
    const form = hiddenFields((await browser.get(`${path}?purchaseOptionId=full`)).text)
    const { purchaseOptionId: _shown, ...rest } = form
    const answer = await browser.post(path, { ...rest, ...choice })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('<bdi>Choose one of the purchase options below.</bdi>')
    expect(answer.text).toContain('type="radio" name="purchaseOptionId" value="full"')
  })

  test('say no with a box that is not checked, as the install does', async () => {
    const path = await install('free')
    const page = await browser.get(`${path}/Option?purchaseOptionId=full`)
    await browser.post(`${path}/Option`, { ...hiddenFields(page.text), ...FILLED })
    const [row] = await rowsOf()
    expect(row?.settings.find(({ key }) => key === 'flag')?.value).toBe('false')
    // As by an upgrade over the API that says nothing of it.
    await market.deps.db.settingValue.deleteMany({
      where: { installationId: row?.id ?? '', key: 'flag' },
    })
    expect((await browser.get(path)).text).toContain('<dt><bdi>Flag</bdi></dt><dd>No</dd>')
  })

  test('upgrade only to the version that was shown', async () => {
    const path = `${await install('free')}/Upgrade`
    const words = [{ ...RISK, text: 'Prices change more.' }]
    definition = { ...definition, version: '1.1.0', acknowledgements: words }
    expect((await developer.put(definition)).status).toBe(200)
    const page = await browser.get(path)
    const form = { ...hiddenFields(page.text), ...acceptedRisk(page.text) }
    expect((await browser.post(path, { ...form, 'accept.risk': 'x' })).status).toBe(409)
    definition = { ...definition, version: '1.2.0' }
    expect((await developer.put(definition)).status).toBe(200)
    const refused = await browser.post(path, form)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('The latest version is 1.2.0 now')
    const again = { ...form, ...hiddenFields(refused.text) }
    expect((await browser.post(path, again)).status).toBe(303)
    expect(await rowsOf()).toMatchObject([{ installedVersion: '1.2.0' }])
  })

  test('uninstall, after which nothing is needed any more and passwords are erased', async () => {
    const path = await install()
    await browser.post(`${path}/Uninstall`, hiddenFields((await browser.get(path)).text))
    expect(await rowsOf()).toMatchObject([{ status: 'uninstalled' }])
    const { text } = await browser.get(path)
    expect(text).toMatch(/<bdi>Secret<\/bdi><\/dt><dd><span class="muted">Erased</)
    expect(text).not.toContain('Needed')
  })

  test('uninstall once, however often it is sent', async () => {
    const path = await install('free')
    const form = hiddenFields((await browser.get(`${path}/Uninstall`)).text)
    expect(await rowsOf()).toMatchObject([{ status: 'active' }])
    for (let click = 0; click < 2; click++) {
      const answer = await browser.post(`${path}/Uninstall`, form)
      expect(answer.location).toBe('/Installed?done=uninstalled')
    }
    expect(await rowsOf()).toMatchObject([{ status: 'uninstalled' }])
    expect((await browser.get(path)).text).toContain('This installation is gone')
    expect((await browser.get(`${path}/Settings`)).status).toBe(404)
  })
})

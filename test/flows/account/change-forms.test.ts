import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, author, everything, flat } from '../../setup/apps.ts'
import {
  type Customer,
  developerCalls,
  EVERY_SETTING,
  fullDraft,
  listedApp,
  newCustomer,
} from '../../setup/customer.ts'
import { acceptedRisk, FILLED, installOverForm, RISK } from '../../setup/install-form.ts'
import { holdRows, untilWaiting } from '../../setup/turns.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let definition: ReturnType<typeof fullDraft>
let customer: Customer
let browser: WebClient

beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  definition = await listedApp(developer, fullDraft({ acknowledgements: [RISK] }))
})
beforeEach(async () => {
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})

const rowsOf = () =>
  market.deps.db.installation.findMany({
    where: { partyId: customer.party.id },
    include: { settings: true, acceptances: { where: { kind: 'acknowledgement' } } },
  })

const install = (option?: string) => installOverForm(browser, definition.id, option)

describe('the forms of option, upgrade and uninstall', () => {
  test('change the option with the settings that it needs', async () => {
    const path = `${await install('free')}/Option`
    const page = await browser.get(`${path}?purchaseOptionId=full`)
    expect(page.text).toContain('Please fill in: ')
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
    expect(answer.text).toMatch(/type="radio"\s+name="purchaseOptionId"\s+value="full"/)
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

  test('of settings leave a yes or no alone that nobody has set or changed', async () => {
    const path = await install('full')
    const where = { installationId: path.split('/').at(-1) ?? '', key: 'flag' }
    // As by an install over the API that says nothing of it.
    await market.deps.db.settingValue.deleteMany({ where })
    const flag = async () => (await market.deps.db.settingValue.findMany({ where }))[0]?.value
    const save = async (fields: Record<string, string>) => {
      const form = hiddenFields((await browser.get(`${path}/Settings`)).text)
      const sent = { ...form, ...FILLED, 's.secret': '', ...fields }
      expect((await browser.post(`${path}/Settings`, sent)).status).toBe(303)
    }
    await save({ 's.note': 'another setting' })
    expect(await flag()).toBeUndefined()
    const { text } = await browser.get(path)
    expect(text).toContain('Settings changed: <bdi>Note</bdi>')
    expect(text).toContain('<dt><bdi>Flag</bdi></dt><dd>No</dd>')
    await save({ 's.note': 'another setting', 's.flag': 'true' })
    expect(await flag()).toBe('true')
    await save({ 's.note': 'another setting' })
    expect(await flag()).toBe('false')
  })

  test('show what was changed meanwhile, and keep what was typed beside it', async () => {
    const purchaseOptions = [...definition.purchaseOptions, flat('more', 20, { order: 3 })]
    const settings = {
      ...definition.settings,
      more: { ...EVERY_SETTING, extra: { type: 'text', name: 'Extra' } },
    }
    const other = await listedApp(
      developer,
      fullDraft({ purchaseOptions, settings, acknowledgements: [RISK] }),
    )
    const path = await installOverForm(browser, other.id)
    const option = `${path}/Option`
    const form = hiddenFields((await browser.get(`${option}?purchaseOptionId=more`)).text)
    const edit = hiddenFields((await browser.get(`${path}/Settings`)).text)
    const { 's.secret': _kept, ...values } = FILLED
    const changed = { ...values, 's.note': 'theirs <b>', 's.amount': '' }
    expect((await browser.post(`${path}/Settings`, { ...edit, ...changed })).status).toBe(303)
    market.deps.auditCounts.add({
      ...{ actor: SYSTEM, action: 'installation.opened', partyId: customer.party.id },
      subject: { kind: 'installation', id: path.split('/')[2] ?? '' },
    })
    await market.deps.auditCounts.write()

    const typed = {
      ...FILLED,
      's.text': 'mine',
      's.note': 'my note',
      's.extra': 'more of mine',
      's.pin': 'typed-pin-1',
    }
    const { status, text } = await browser.post(option, { ...form, ...typed })
    expect(status).toBe(412)
    expect(text).toMatch(
      /Changed since you opened the form.*Settings changed: <bdi>Amount, Note<.*by you/s,
    )
    const meanwhile = /Changed since you opened the form.*?<\/ol>/s.exec(text)?.[0] ?? ''
    expect(meanwhile.match(/<li/g)).toHaveLength(1)
    expect(text).toContain('\ntheirs &lt;b&gt;</textarea>')
    expect(text).toMatch(/id="setting-amount"[^>]*value=""/)
    for (const kept of ['mine', 'more of mine']) expect(text).toContain(`\n${kept}</textarea>`)
    const entered = /You had entered:.*?<\/ul>/s.exec(text)?.[0] ?? ''
    expect(entered).toContain('href="#setting-note"><bdi>Note</bdi></a> <bdi>my note</bdi>')
    expect(entered).toContain('href="#setting-amount"><bdi>Amount</bdi></a> <bdi>0.3</bdi>')
    expect(entered).not.toContain('>Extra<')
    expect(text).not.toContain('typed-pin-1')

    const again = {
      ...form,
      ...hiddenFields(text),
      ...typed,
      's.note': 'theirs <b>',
      's.amount': '',
    }
    expect((await browser.post(option, again)).status).toBe(303)
    const row = await market.deps.db.installation.findFirst({
      where: { appId: other.id },
      include: { settings: true },
    })
    expect(row?.purchaseOptionId).toBe('more')
    const stored = new Map(row?.settings.map(({ key, value }) => [key, value]))
    expect(stored.get('note')).toBe('theirs <b>')
    expect(stored.get('extra')).toBe('more of mine')
    expect(stored.has('amount')).toBe(false)
  })

  test('say that somebody else has changed the option already', async () => {
    const path = await install('free')
    const target = `${path}/Option?purchaseOptionId=full`
    const open = async () => ({ ...hiddenFields((await browser.get(target)).text), ...FILLED })
    const form: Record<string, string> = await open()
    expect((await browser.post(`${path}/Option`, await open())).status).toBe(303)
    for (const seen of [form.seen ?? '', '', 'x', '-1', '1e999']) {
      const late = await browser.post(`${path}/Option`, { ...form, seen })
      expect(late.status).toBe(412)
      expect(late.text).toContain('Purchase option changed: <bdi>free → full</bdi>')
      expect(late.text).toContain('The installation has changed since you opened this page.')
    }
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
    expect(refused.text).toContain('The latest version is now 1.2.0')
    const again = { ...form, ...hiddenFields(refused.text) }
    expect((await browser.post(path, again)).status).toBe(303)
    expect(await rowsOf()).toMatchObject([{ installedVersion: '1.2.0' }])
  })

  test('keep what was accepted for an upgrade that somebody else got in the way of', async () => {
    const app = await listedApp(developer, fullDraft())
    const path = await installOverForm(browser, app.id)
    expect(
      (await developer.put({ ...app, version: '2.0.0', acknowledgements: [RISK] })).status,
    ).toBe(200)
    const page = await browser.get(`${path}/Upgrade`)
    const edit = hiddenFields((await browser.get(`${path}/Settings`)).text)
    await browser.post(`${path}/Settings`, { ...edit, ...FILLED, 's.note': 'theirs' })
    const form = {
      ...hiddenFields(page.text),
      ...FILLED,
      ...acceptedRisk(page.text),
      's.text': 'mine',
    }
    const { status, text } = await browser.post(`${path}/Upgrade`, form)
    expect(status).toBe(412)
    expect(text).toMatch(/Changed since you opened the form.*Settings changed: <bdi>Note, Secret</s)
    expect(text).toContain('\ntheirs</textarea>')
    expect(text).toContain('\nmine</textarea>')
    expect(text).toMatch(/id="accept-risk"[^>]* checked/)
    const again = { ...form, ...hiddenFields(text), 's.note': 'theirs' }
    expect((await browser.post(`${path}/Upgrade`, again)).status).toBe(303)
  })

  test('uninstall, after which nothing is needed any more and passwords are erased', async () => {
    const path = await install()
    await browser.post(`${path}/Uninstall`, hiddenFields((await browser.get(path)).text))
    expect(await rowsOf()).toMatchObject([{ status: 'uninstalled' }])
    const { text } = await browser.get(path)
    expect(text).toMatch(/<bdi>Secret<\/bdi><\/dt><dd><span class="muted">Deleted</)
    expect(text).not.toContain('Needed')
  })

  test('uninstall once, however often it is sent', async () => {
    const path = await install('free')
    const form = hiddenFields((await browser.get(`${path}/Uninstall`)).text)
    expect(await rowsOf()).toMatchObject([{ status: 'active' }])
    for (let click = 0; click < 2; click++) {
      const answer = await browser.post(`${path}/Uninstall`, form)
      expect(answer.location).toBe('/Installed')
    }
    expect(await rowsOf()).toMatchObject([{ status: 'uninstalled' }])
    expect((await browser.get(path)).text).toContain('This app was uninstalled')
  })

  test('uninstall once when it is sent twice at the same moment', async () => {
    const path = await install('free')
    const form = hiddenFields((await browser.get(`${path}/Uninstall`)).text)
    const held = await holdRows(
      market,
      'SELECT 1 FROM installations WHERE party_id = $1 FOR UPDATE',
      [customer.party.id],
    )
    const clicks = [1, 2].map(() => browser.post(`${path}/Uninstall`, form))
    await untilWaiting(market, 1).finally(held.release)
    for (const { location } of await Promise.all(clicks)) expect(location).toBe('/Installed')
    expect(await rowsOf()).toMatchObject([{ status: 'uninstalled' }])
  })

  test('of an app that was uninstalled meanwhile say so, and lead to what is left of it', async () => {
    const path = await install('free')
    const form = hiddenFields((await browser.get(`${path}/Settings`)).text)
    await browser.post(`${path}/Uninstall`, form)
    for (const page of ['Settings', 'Option', 'Upgrade']) {
      const { status, text } = await browser.post(`${path}/${page}`, form)
      expect([page, status]).toEqual([page, 404])
      expect(text).toContain(`<h1 id="heading">${definition.name} was uninstalled</h1>`)
      expect(text).toContain('Nothing was saved.')
      expect(text).toContain(`href="${path}"`)
      const shown = await browser.get(`${path}/${page}`)
      expect([page, shown.status]).toEqual([page, 404])
      expect(shown.text).toContain('was uninstalled</h1>')
    }
  })
})

describe('the settings form', () => {
  const settingsOf = async () => {
    const [row] = await rowsOf()
    return new Map(row?.settings.map((one) => [one.key, one]))
  }

  test('keeps an empty password, removes an emptied value, and never shows a password', async () => {
    const path = `${await install()}/Settings`
    const secret = (await settingsOf()).get('secret')?.secret
    const page = await browser.get(path)
    expect(page.text).toContain('\njane</textarea>')
    expect(page.text).not.toContain('s3cret-one')
    const form = { ...hiddenFields(page.text), ...FILLED, 's.secret': '', 's.amount': '' }
    const answer = await browser.post(path, { ...form, 's.text': 'jörg 🦊', 's.flag': 'true' })
    expect(answer.status).toBe(303)
    const after = await settingsOf()
    expect(after.get('text')?.value).toBe('jörg 🦊')
    expect(after.get('flag')?.value).toBe('true')
    expect(after.has('amount')).toBe(false)
    expect(after.get('secret')?.secret).toEqual(secret)
  })

  test('shows what was changed meanwhile, beside it what was typed, and can be sent again', async () => {
    const path = `${await install()}/Settings`
    const form = { ...hiddenFields((await browser.get(path)).text), ...FILLED, 's.secret': '' }
    await browser.post(path, { ...form, 's.note': 'first', 's.amount': '0.5' })
    const typed = { 's.note': 'my <b>', 's.amount': '0.50', 's.pin': 'typed-pin-1' }
    const answer = await browser.post(path, { ...form, ...typed })
    expect(answer.status).toBe(412)
    expect(answer.text).toContain('\nfirst</textarea>')
    expect(answer.text).not.toContain('value="my')
    const entered = /You had entered:.*?<\/ul>/s.exec(answer.text)?.[0] ?? ''
    expect(entered).toContain('href="#setting-note"><bdi>Note</bdi></a> <bdi>my &lt;b&gt;</bdi>')
    expect(entered.match(/<li>/g)).toHaveLength(2)
    expect(entered).toContain('a new password; type it again')
    expect(answer.text).not.toContain('typed-pin-1')
    expect((await settingsOf()).get('note')?.value).toBe('first')
    const again = { ...form, ...hiddenFields(answer.text), 's.note': 'second' }
    expect((await browser.post(path, again)).status).toBe(303)
    expect((await settingsOf()).get('note')?.value).toBe('second')
  })
})

describe('the page of the settings', () => {
  test('saved unchanged, it changes nothing', async () => {
    const path = await install()
    const installationId = path.split('/').at(-1) ?? ''
    const state = async () => ({
      settings: await market.deps.db.settingValue.findMany({
        where: { installationId },
        orderBy: { key: 'asc' },
      }),
      events: await market.deps.db.event.count({ where: { installationId } }),
    })
    for (const note of ['a\r\nb', 'a\rb\n', ' a\n\nb ', 'one line\n']) {
      const own = { installationId, scope: 'user', key: 'note' } as const
      await market.deps.db.settingValue.upsert({
        where: { installationId_scope_key: own },
        update: { value: note },
        create: { ...own, value: note },
      })
      const before = await state()
      const { text } = await browser.get(`${path}/Settings`)
      const [, shown = ''] = /name="s\.note"[^>]*>\n([^<]*)<\/textarea>/.exec(text) ?? []
      expect(shown.replaceAll('&#13;', '\r')).toBe(note)
      const { 's.secret': _kept, ...rest } = FILLED
      const sent = note.replaceAll(/\r\n?|\n/g, '\r\n')
      const form = { ...hiddenFields(text), ...rest, 's.note': sent, 's.secret': '' }
      expect((await browser.post(`${path}/Settings`, form)).status).toBe(303)
      expect(await state()).toEqual(before)
    }
  })

  test('it keeps the lines of a key', async () => {
    const path = await install()
    const installationId = path.split('/').at(-1) ?? ''
    const key = '-----BEGIN PRIVATE KEY-----\nMIIBVAIBADAN\n-----END PRIVATE KEY-----\n'
    const { text } = await browser.get(`${path}/Settings`)
    expect(text).toMatch(/<textarea class="secret"[^>]* name="s\.secret"/)
    const lines = key.replaceAll('\n', '\r\n')
    const sent = { ...hiddenFields(text), ...FILLED, 's.note': lines, 's.secret': lines }
    expect((await browser.post(`${path}/Settings`, sent)).status).toBe(303)
    const { body } = await developerCalls(market, developer.token).read(installationId)
    expect(body.userSettings).toMatchObject({ note: key, secret: key })
  })
})

describe('an installation of somebody else', () => {
  test('does not exist, neither its pages nor its forms', async () => {
    const path = await install()
    const stranger = await signedIn(market, (await newCustomer(market)).user)
    const { _csrf = '' } = hiddenFields((await stranger.get('/Account')).text)
    const before = await everything(market)
    for (const action of ['', '/Settings', '/Option', '/Upgrade', '/Uninstall']) {
      expect((await stranger.get(path + action)).status).toBe(404)
      if (action === '') continue
      const form = { _csrf, revision: '1', 's.text': 'evil', purchaseOptionId: 'free' }
      expect([action, (await stranger.post(path + action, form)).status]).toEqual([action, 404])
    }
    const after = await everything(market)
    expect(after.installations).toBe(before.installations)
    expect(after.setting_values).toBe(before.setting_values)
  })

  test.each(['x', '00000000-0000-4000-8000-000000000000', '%27--'])('nor does %s', async (id) => {
    expect((await browser.get(`/Installed/${id}`)).status).toBe(404)
  })
})

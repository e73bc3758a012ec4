import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, draft, installedBy, newId } from '../../setup/apps.ts'
import { type DeveloperConsole, newDeveloper } from '../../setup/console.ts'
import {
  type Customer,
  developerCalls,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../setup/customer.ts'
import { hiddenFields, webClient } from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let browser: DeveloperConsole
let customer: Customer
let definition: ReturnType<typeof fullDraft>
let id: string

beforeAll(async () => {
  market = await sharedMarketplace()
  ;({ developer, browser } = await newDeveloper(market))
  definition = await listedApp(developer, fullDraft())
})
beforeEach(async () => {
  customer = await newCustomer(market)
  const { body } = await customer.install({
    ...{ appId: definition.id, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS },
  })
  id = body.id
})

const path = (action = '') => `/Installations/${id}${action}`
const row = () =>
  market.deps.db.installation.findUniqueOrThrow({ where: { id }, include: { settings: true } })
const adminValues = async () =>
  Object.fromEntries(
    (await row()).settings
      .filter(({ scope }) => scope === 'admin')
      .map(({ key, value, secret }) => [key, secret === null ? value : 'secret']),
  )

test.each(['', '/Settings', '/TestToken', '/Tokens', '/Suspend', '/Uninstall'])(
  'the page %s of an installation names the app and the account in its title',
  async (action) => {
    const [, title] = /<title>(.*) · App Mark/.exec((await browser.get(path(action))).text) ?? []
    expect(title).toContain(`${definition.name} for ${customer.party.name}`)
  },
)

describe('the admin settings form', () => {
  test('draws the five types, of the admin settings only', async () => {
    const { text } = await browser.get(path('/Settings'))
    const names = [...text.matchAll(/name="s\.(\w+)"/g)].map(([, name]) => name)
    expect(names.sort()).toEqual(
      ['adminText', 'adminNumber', 'adminFlag', 'adminChoice', 'adminSecret', 'adminMust'].sort(),
    )
  })

  test('stores every type as the API would, bit by bit', async () => {
    const saved = await browser.send(path('/Settings'), {
      ...{ 's.adminText': 'a <b>', 's.adminNumber': '2.5', 's.adminFlag': 'true' },
      ...{ 's.adminChoice': '5', 's.adminSecret': 's3cret-two' },
    })
    expect(saved.location).toBe(`/Developer/Installations/${id}`)
    expect(await adminValues()).toEqual({
      ...{ adminText: 'a <b>', adminNumber: '2.5', adminFlag: 'true' },
      ...{ adminChoice: '5', adminSecret: 'secret' },
    })
    const { text } = await browser.get(path())
    expect(text).toContain('a &lt;b&gt;')
    expect(text).toContain('Needed')
    expect(text).not.toMatch(/s3cret-(one|two)/)
  })

  test('keeps a password that is left empty, and takes other emptied values away', async () => {
    await browser.send(path('/Settings'), { 's.adminText': 'x', 's.adminSecret': 's3cret-two' })
    const secret = (await row()).settings.find(({ key }) => key === 'adminSecret')?.secret
    await browser.send(path('/Settings'), { 's.adminText': '', 's.adminSecret': '' })
    expect(await adminValues()).toEqual({ adminSecret: 'secret' })
    expect((await row()).settings.find(({ key }) => key === 'adminSecret')?.secret).toEqual(secret)
  })

  test('does not empty a mandatory one that is set', async () => {
    await browser.send(path('/Settings'), { 's.adminMust': 'x' })
    const answer = await browser.send(path('/Settings'), { 's.adminMust': '' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('id="setting-adminMust-error"')
    expect(await adminValues()).toEqual({ adminMust: 'x' })
  })

  test('tells all problems at once and keeps what was typed, but no password', async () => {
    const answer = await browser.send(path('/Settings'), {
      ...{ 's.adminNumber': '0.3', 's.adminChoice': 'no', 's.adminText': 'typed' },
      's.adminSecret': 'typed-secret',
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('There are 2 problems')
    expect(answer.text).toContain('\ntyped</textarea>')
    expect(answer.text).not.toContain('typed-secret')
    expect(await adminValues()).toEqual({})
  })

  test('takes no notice of fields that are not its own', async () => {
    const extra = { 's.text': 'mine', 's.noSuch': 'x', status: 'suspended', developerId: '1' }
    expect((await browser.send(path('/Settings'), extra)).status).toBe(303)
    const { status, settings } = await row()
    expect(status).toBe('active')
    expect(settings.find(({ key }) => key === 'text')?.value).toBe('jane')
  })

  test('made of an older state is refused, and shows the new one beside what was typed', async () => {
    const page = await browser.get(path('/Settings'))
    await browser.send(path('/Settings'), { 's.adminText': 'first' })
    const form = { ...hiddenFields(page.text), 's.adminText': 'second' }
    const answer = await browser.client.post(`/Developer${path('/Settings')}`, form)
    expect(answer.status).toBe(412)
    expect(answer.text).toContain('\nfirst</textarea>')
    expect(answer.text).toMatch(/You had entered:.*Admin text.*<bdi>second<\/bdi>/s)
    expect(await adminValues()).toEqual({ adminText: 'first' })
  })
})

describe('an installation', () => {
  test('is suspended with a reason that the account reads, and resumed', async () => {
    const reason = 'Too many <b>requests</b>.\nCall us.'
    const answer = await browser.send(path('/Suspend'), { reason: reason.replace('\n', '\r\n') })
    expect(answer.location).toBe(`/Developer/Installations/${id}`)
    expect(await row()).toMatchObject({ status: 'suspended', suspendedReason: reason })
    const account = webClient(market)
    await account.login(customer.user)
    expect((await account.get(`/Installed/${id}`)).text).toContain('&lt;b&gt;requests&lt;/b&gt;')
    for (let count = 0; count < 2; count++) {
      expect((await browser.send(path('/Resume'))).status).toBe(303)
      expect(await row()).toMatchObject({ status: 'active', suspendedReason: null })
    }
  })

  test.each([['  '], ['x'.repeat(501)]])('is not suspended for the reason %j', async (reason) => {
    const answer = await browser.send(path('/Suspend'), { reason })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('id="reason-error"')
    expect((await row()).status).toBe('active')
  })

  test('that the operator has suspended is not resumed', async () => {
    const data = { suspendedBy: 'operator', suspendedAt: new Date(), suspendedReason: 'Bills.' }
    await market.deps.db.installation.update({
      where: { id },
      data: { ...data, status: 'suspended' },
    })
    expect((await browser.get(path())).text).not.toContain(`action="/Developer${path('/Resume')}"`)
    for (const [action, fields] of [
      ['/Resume', {}],
      ['/Suspend', { reason: 'Mine.' }],
    ] as const) {
      const answer = await browser.send(path(action), fields)
      expect(answer.status).toBe(409)
      expect(answer.text).toContain('only the operator resumes it')
    }
    expect(await row()).toMatchObject({ status: 'suspended', suspendedReason: 'Bills.' })
  })

  test('loses all its tokens', async () => {
    const calls = developerCalls(market, developer.token)
    const { body } = await calls.mint(id)
    const products = () =>
      fetch(`${market.url}/v1/Products`, { headers: { authorization: `Bearer ${body.token}` } })
    expect((await products()).status).toBe(200)
    expect((await browser.send(path('/Tokens'))).location).toBe(`/Developer${path()}`)
    expect((await products()).status).toBe(401)
    expect((await browser.get(path())).text).toContain('Tokens revoked')
  })

  test('is uninstalled after a last word, twice as once; then nothing can be changed', async () => {
    const clicks = [browser.send(path('/Uninstall')), browser.send(path('/Uninstall'))]
    for (const { location } of [
      ...(await Promise.all(clicks)),
      await browser.send(path('/Uninstall')),
    ]) {
      expect(location).toBe(`/Developer${path()}`)
      expect((await row()).status).toBe('uninstalled')
    }
    expect((await browser.get(path())).text).toContain('This app was uninstalled')
    for (const action of ['/Settings', '/Suspend', '/Tokens', '/Uninstall']) {
      expect((await browser.get(path(action))).status).toBe(404)
    }
    for (const [action, status] of [
      ['/Settings', 404],
      ['/Suspend', 404],
      ['/Resume', 409],
      ['/Tokens', 404],
    ] as const) {
      expect((await browser.send(path(action), { reason: 'x' })).status, action).toBe(status)
    }
  })

  test('shows who did what, and of the other side no more than the API tells', async () => {
    await browser.send(path('/Settings'), { 's.adminText': 'x' })
    const { text } = await browser.get(path())
    expect(text).toMatch(/Settings changed: <bdi>Admin text<\/bdi>[\s\S]*by <bdi>Pat Person<\/bdi>/)
    expect(text).toMatch(/Installed <bdi>version [\s\S]*by the account/)
    expect(text).not.toContain(customer.user.email)
    expect(text).not.toContain(customer.user.id)
  })
})

describe('the list of installations', () => {
  const shown = async (query: string) =>
    [
      ...(await browser.get(`/Installations${query}`)).text.matchAll(
        /Installations\/([0-9a-f-]{36})/g,
      ),
    ].map(([, one]) => one)

  test('is narrowed by app, kind of account and status', async () => {
    const sandbox = await developer.send('POST', `/${definition.id}/Sandbox`, {})
    expect(await shown('?size=80')).toEqual(expect.arrayContaining([id, sandbox.body.id]))
    expect(await shown('?partyType=None')).not.toContain(id)
    // An app that runs in the background is not opened.
    const hidden = newId()
    await developer.create(draft(hidden))
    const background = await developer.send('POST', `/${hidden}/Sandbox`, {})
    for (const [one, opens] of [
      [sandbox, true],
      [background, false],
    ] as const) {
      const { text } = await browser.get(`/Installations/${one.body.id}`)
      expect(text.includes('Open in the sandbox')).toBe(opens)
    }
    expect(await shown(`?appId=${definition.id}&partyType=None`)).toEqual([sandbox.body.id])
    expect(await shown('?appId=catalog-sync')).toEqual([])
    expect(await shown('?status=suspended')).not.toContain(id)
    await browser.send(path('/Uninstall'))
    expect(await shown('?size=80')).not.toContain(id)
    expect(await shown('?status=uninstalled')).toContain(id)
    expect(await shown('?status=&partyType=&x=y')).toEqual(await shown(''))
  })

  test('goes on over pages, each with the filters, and loses none', async () => {
    const app = await listedApp(developer, fullDraft())
    const ids: string[] = []
    for (let count = 0; count < 31; count++) {
      const { party } = await newCustomer(market)
      ids.push(await installedBy(market, app.id, party.id))
    }
    const query = `?appId=${app.id}`
    const { text } = await browser.get(`/Installations${query}`)
    const next = /href="\/Developer\/Installations(\?[^"]*cursor=[^"]*)"/.exec(text)?.[1] ?? ''
    expect(next).toContain(`appId=${app.id}`)
    const all = [...(await shown(query)), ...(await shown(next.replaceAll('&amp;', '&')))]
    expect(all.sort()).toEqual(ids.sort())
    const ofAnother = next.replaceAll('&amp;', '&').replace(app.id, definition.id)
    expect((await browser.get(ofAnother)).status).toBe(400)
  })
})

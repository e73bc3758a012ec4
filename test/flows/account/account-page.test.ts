import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import {
  type Customer,
  developerCalls,
  fullDraft,
  listedApp,
  newCustomer,
} from '../../setup/customer.ts'
import { operatorBrowser, operatorCalls } from '../../setup/operator.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let customer: Customer
let browser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})

describe('the account page', () => {
  const change = async (fields: Record<string, string>) => {
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    return browser.post('/Account/Password', { _csrf, ...fields })
  }

  test('changes the password, and ends all other sessions and tokens', async () => {
    const other = await signedIn(market, customer.user)
    const newPassword = 'quite another password'
    const answer = await change({
      currentPassword: customer.user.password,
      newPassword,
      repeatedPassword: newPassword,
    })
    expect(answer.location).toBe('/Account')
    expect((await browser.get('/Account')).status).toBe(200)
    expect((await other.get('/Account')).location).toBe('/login?next=%2FAccount')
    expect((await customer.account()).status).toBe(401)
    await signedIn(market, { email: customer.user.email, password: newPassword })
    await expect(signedIn(market, customer.user)).rejects.toThrow('401')
  })

  test.each([
    [
      'a wrong current password',
      'wrong',
      'long enough 1',
      'long enough 1',
      /Wrong current password/,
    ],
    ['a short new one', '', 'short', 'short', /at least 8 characters/],
    ['two new ones that differ', '', 'long enough 1', 'long enough 2', /do not match/],
  ])('refuses %s', async (_name, wrong, newPassword, repeatedPassword, why) => {
    const currentPassword = wrong || customer.user.password
    const answer = await change({ currentPassword, newPassword, repeatedPassword })
    expect(answer.status).toBe(422)
    expect(answer.text).toMatch(why)
    expect(answer.text).not.toContain('long enough')
    await signedIn(market, customer.user)
  })

  test('tells how long to wait after too many wrong passwords, beside the form', async () => {
    const newPassword = 'long enough 1'
    const attempt = () =>
      change({ currentPassword: 'wrong', newPassword, repeatedPassword: newPassword })
    for (let failures = 0; failures < 10; failures++) expect((await attempt()).status).toBe(422)
    const { status, text } = await attempt()
    expect(status).toBe(429)
    expect(text).toContain(`<a href="#currentPassword">`)
    expect(text).toMatch(/id="currentPassword-error".*Wait [1-9]\d* second/)
    expect(text).toContain('action="/Account/Password"')
    // Not checked, so not known to be right either.
    expect((await change({ currentPassword: customer.user.password })).status).toBe(429)
  })

  test('signs out everywhere', async () => {
    const other = await signedIn(market, customer.user)
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    const answer = await browser.post('/Account/SignOutEverywhere', { _csrf })
    expect(answer.location).toBe('/signed-out')
    for (const one of [browser, other]) {
      expect((await one.get('/Account')).location).toBe('/login?next=%2FAccount')
    }
    expect((await customer.account()).status).toBe(401)
  })
})

describe('an installation that something suspends', () => {
  const REASON = 'Too <b>many</b> requests.'
  let developer: Author
  let id: string
  let appId: string
  let optionForm: Record<string, string>

  beforeEach(async () => {
    developer = await author(market)
    appId = (await listedApp(developer, fullDraft())).id
    const { body } = await customer.install({ appId, purchaseOptionId: 'free' })
    id = body.id
    const path = `/Installed/${id}/Option?purchaseOptionId=full`
    optionForm = hiddenFields((await browser.get(path)).text)
  })

  const operate = async (path: string) => {
    const answer = await (await operatorCalls(market))('POST', `${path}/Suspend`, {
      reason: REASON,
    })
    expect(answer.status).toBe(200)
  }
  const ownerId = async () =>
    (await market.deps.db.app.findUniqueOrThrow({ where: { id: appId } })).developerId
  afterEach(async () => {
    const resumed = await (await operatorCalls(market))(
      'POST',
      `Developers/${await ownerId()}/Resume`,
    )
    expect(resumed.status).toBe(200)
  })
  const cases = {
    'This installation is suspended by its developer': async () => {
      const answer = await developerCalls(market, developer.token).suspend(id, REASON)
      expect(answer.status).toBe(200)
    },
    'This installation is suspended by the operator': () => operate(`Installations/${id}`),
    'The app is suspended by the operator': () => operate(`Apps/${appId}`),
    'The app’s developer is suspended by the operator': async () =>
      operate(`Developers/${await ownerId()}`),
    'Your account is suspended by the operator': () => operate(`Parties/${customer.party.id}`),
  }

  test.each(Object.entries(cases))('says so wherever it is shown: %s', async (what, suspendIt) => {
    const badge = /class="badge badge-suspended">Suspended</
    for (const path of ['/', '/Installed', `/Installed/${id}`]) {
      expect((await browser.get(path)).text).not.toMatch(badge)
    }
    await suspendIt()
    for (const path of ['/', '/Installed']) {
      const { text } = await browser.get(path)
      expect(text).toMatch(badge)
      expect(text.replace(/\s+/g, ' ')).toContain(
        `${what}: <bdi>Too &lt;b&gt;many&lt;/b&gt; requests.</bdi>`,
      )
    }
    const { text } = await browser.get(`/Installed/${id}`)
    expect(text).toMatch(badge)
    expect(text).not.toContain('>Active<')
    const [subject = '', by = ''] = what.split(' by ')
    const who = by === 'its developer' ? 'Its developer' : 'The operator of this marketplace'
    expect(text).toContain(
      `${subject}.</strong> ${who} gave this reason: <bdi>Too &lt;b&gt;many&lt;/b&gt; requests.</bdi>`,
    )
  })

  test.each(Object.entries(cases))(
    'offers no change that would be refused: %s',
    async (what, suspendIt) => {
      const page = `/Installed/${id}`
      expect((await browser.get(page)).text).toContain(`href="${page}/Option"`)
      await suspendIt()
      expect((await browser.get(page)).text).not.toContain(`href="${page}/Option"`)
      const late = await browser.post(`${page}/Option`, { ...optionForm, 's.text': 'x' })
      expect(late.status).toBe(what.startsWith('This') ? 412 : 403)
      for (const { text } of [
        await browser.get(`${page}/Option`),
        await browser.get(`${page}/Option?purchaseOptionId=full`),
        late,
      ]) {
        expect(text).toContain(`${what.split(' by ')[0]}.</strong>`)
        expect(text).not.toContain(`action="${page}/Option"`)
      }
    },
  )

  test('is upgraded no sooner than it is resumed', async () => {
    expect((await developer.put({ ...fullDraft(), id: appId, version: '1.1.0' })).status).toBe(200)
    const path = `/Installed/${id}/Upgrade`
    expect((await browser.get(path)).text).toContain(`action="${path}"`)
    await operate(`Apps/${appId}`)
    const { status, text } = await browser.get(path)
    expect(status).toBe(200)
    expect(text).toContain('The app is suspended.</strong>')
    expect(text).not.toContain(`action="${path}"`)
  })

  test.each([
    ['App', 'The app is suspended by the operator'],
    ['Developer', 'The app’s developer is suspended by the operator'],
    ['Account', 'Your account is suspended by the operator'],
  ] as const)('is not active to the operator: %s suspended', async (kind, what) => {
    const operator = await operatorBrowser(market)
    const paths = [
      `/Operator/Apps/${appId}`,
      `/Operator/Parties/${customer.party.id}`,
      `/Operator/Installations?appId=${appId}`,
      `/Operator/Installations/${id}`,
    ]
    for (const path of paths) expect((await operator.get(path)).text).toContain('badge-on">Active<')
    await cases[what]()
    for (const path of paths) {
      const { text } = await operator.get(path)
      expect(text).toContain(`badge-suspended">${kind} suspended<`)
      expect(text).not.toContain('badge-on">Active<')
    }
  })
})

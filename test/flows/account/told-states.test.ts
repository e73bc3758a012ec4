import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import type { Author } from '../../setup/apps.ts'
import { type DeveloperConsole, newDeveloper } from '../../setup/console.ts'
import {
  type Customer,
  developerCalls,
  fullDraft,
  listedApp,
  newCustomer,
} from '../../setup/customer.ts'
import { operatorBrowser, operatorCalls } from '../../setup/operator.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: SharedMarketplace
let developerId: string
let developer: Author
let console: DeveloperConsole
let appId: string
let customer: Customer
let browser: WebClient
beforeAll(async () => {
  market = await sharedMarketplace()
})
beforeEach(async () => {
  ;({ id: developerId, developer, browser: console } = await newDeveloper(market))
  appId = (await listedApp(developer, fullDraft())).id
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})

const textOf = async (path: string) => (await browser.get(path)).text.replace(/\s+/g, ' ')
const suspend = async (path: string, reason: string) => {
  const operator = await operatorCalls(market)
  const { status } = await operator('POST', `${path}/Suspend`, { reason })
  expect(status).toBe(200)
}

describe('an installation that something suspends', () => {
  const REASON = 'Too <b>many</b> requests.'
  let id: string
  let optionForm: Record<string, string>

  beforeEach(async () => {
    const { body } = await customer.install({ appId, purchaseOptionId: 'free' })
    id = body.id
    const path = `/Installed/${id}/Option?purchaseOptionId=full`
    optionForm = hiddenFields((await browser.get(path)).text)
  })

  const cases = {
    'This installation is suspended by its developer': async () => {
      const answer = await developerCalls(market, developer.token).suspend(id, REASON)
      expect(answer.status).toBe(200)
    },
    'This installation is suspended by the operator': () => suspend(`Installations/${id}`, REASON),
    'The app is suspended by the operator': () => suspend(`Apps/${appId}`, REASON),
    'The app’s developer is suspended by the operator': () =>
      suspend(`Developers/${developerId}`, REASON),
    'Your account is suspended by the operator': () =>
      suspend(`Parties/${customer.party.id}`, REASON),
  }

  test.each(Object.entries(cases))('says so wherever it is shown: %s', async (what, suspendIt) => {
    const badge = /class="badge badge-off">Suspended</
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
    await suspend(`Apps/${appId}`, REASON)
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
      expect(text).toContain(`badge-off">${kind} suspended<`)
      expect(text).not.toContain('badge-on">Active<')
    }
  })
})

test('the members of a suspended account without apps read why, wherever it is named', async () => {
  await suspend(`Parties/${customer.party.id}`, 'Bills <b>unpaid</b>.')
  const home = await textOf('/')
  expect(home).toContain('Your account is suspended.</strong>')
  expect(home).toContain('gave this reason: <bdi>Bills &lt;b&gt;unpaid&lt;/b&gt;.</bdi>')
  expect(home).toContain('operator of this marketplace')
  expect(home).not.toContain('Apps you install for this account appear here')
  expect(await textOf('/Account/Accounts')).toContain(
    'Your account is suspended by the operator: <bdi>Bills &lt;b&gt;unpaid&lt;/b&gt;.</bdi>',
  )
  for (const path of [`/Apps/${appId}`, `/Apps/${appId}/Install`]) {
    expect(await textOf(path)).toContain(
      'This account is suspended. The operator’s reason: Bills &lt;b&gt;unpaid&lt;/b&gt;.',
    )
  }
})

test('an account that is not suspended is not said to be', async () => {
  const other = await newCustomer(market)
  await market.deps.db.membership.create({
    data: { userId: customer.user.id, partyId: other.party.id },
  })
  await suspend(`Parties/${other.party.id}`, 'Another matter.')
  for (const path of ['/', '/Account/Accounts']) {
    expect((await textOf(path)).split('Another matter.')).toHaveLength(2)
  }
  await market.deps.db.membership.deleteMany({ where: { partyId: other.party.id } })
  for (const path of ['/', '/Account/Accounts', `/Apps/${appId}`]) {
    expect(await textOf(path)).not.toMatch(/is suspended|Another matter/)
  }
})

test('an app that the operator suspended tells its developer why', async () => {
  await suspend(`Apps/${appId}`, 'It sent <b>prices</b> around.')
  const { text } = await console.get(`/Apps/${appId}`)
  expect(text).toContain('Reason: <bdi>It sent &lt;b&gt;prices&lt;/b&gt; around.</bdi>')
  expect(text).not.toContain('Open in the sandbox')
})

test('a listing says that the installation is suspended, and not that it runs', async () => {
  const background = await listedApp(developer, fullDraft({ authReturnUrl: null }))
  const wish = { appId: background.id, purchaseOptionId: 'free' }
  const { id } = (await customer.install(wish)).body
  expect((await browser.get(`/Apps/${background.id}`)).text).toContain('Runs in the background')
  await suspend(`Installations/${id}`, 'It sent prices around.')
  const { text } = await browser.get(`/Apps/${background.id}`)
  expect(text).toContain('Suspended')
  expect(text).not.toContain('Runs in the background')
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { inviteByOperator } from '../../../src/identity/people/invitations-service.ts'
import type { Demo } from '../../../src/process/demo/demo-file.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import { developerConsole } from '../../setup/console.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { installOverForm } from '../../setup/install-form.ts'
import {
  demoUser,
  hiddenFields,
  mainOf,
  signedIn,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

let market: TestMarketplace
let appId: string
beforeAll(async () => {
  market = await startMarketplace()
  appId = (await listedApp(await author(market), fullDraft())).id
})
afterAll(() => market.close())

/** The message that a form leaves for the page it leads to: there once, and nowhere else. */
async function expectOnce(browser: WebClient, location: string | null, message: string) {
  expect(location).not.toContain('?')
  const other = await browser.get(
    location?.startsWith('/Developer') ? '/Developer/Installations' : '/',
  )
  expect(other.text).not.toContain(message)
  const path = location ?? ''
  expect((await browser.get(path)).text).toContain(message)
  for (const address of [path, `${path}?done=suspended`, `${path}?done=installed`]) {
    const { text } = await browser.get(address)
    expect([address, text.includes(message), text.includes('role="status"')]).toEqual([
      address,
      false,
      false,
    ])
  }
}

describe('what has been done is said once, whatever the address says', () => {
  test('to users', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const path = await installOverForm(browser, appId)
    await expectOnce(browser, path, ' was installed.')
    const form = hiddenFields((await browser.get(`${path}/Settings`)).text)
    const filled = { ...form, 's.text': 'x', 's.choice': '5' }
    const saved = await browser.post(`${path}/Settings`, filled)
    await expectOnce(browser, saved.location, ' were saved.')
    const option = hiddenFields((await browser.get(`${path}/Option?purchaseOptionId=free`)).text)
    const changed = await browser.post(`${path}/Option`, option)
    await expectOnce(browser, changed.location, ' was changed.')
    const last = hiddenFields((await browser.get(`${path}/Uninstall`)).text)
    const gone = await browser.post(`${path}/Uninstall`, last)
    await expectOnce(browser, gone.location, ' was uninstalled.')
  })

  test('to developers', async () => {
    const { client, send } = await developerConsole(market)
    const listed = await send(`/Apps/${appId}/List`)
    await expectOnce(client, listed.location, ' was listed: every account can find and install it.')
    const terms = await send(`/Apps/${appId}/Terms`, { document: 'Be kind.', version: '2.0.0' })
    await expectOnce(client, terms.location, ' was saved.')
  })

  test('to operators', async () => {
    const browser = await signedIn(market, market.demo.operator)
    const { id } = await market.deps.db.party.findFirstOrThrow({ where: { type: 'Seller' } })
    const path = `/Operator/Parties/${id}`
    const { _csrf = '' } = hiddenFields((await browser.get(path)).text)
    const suspended = await browser.post(`${path}/Suspend`, { _csrf, reason: 'A reason.' })
    await expectOnce(browser, suspended.location, ' is suspended, effective immediately.')
    const resumed = await browser.post(`${path}/Resume`, { _csrf })
    await expectOnce(browser, resumed.location, ' was resumed.')
  })

  test('not from a cookie that was made up or belongs to another page', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const app = await listedApp(await author(market), fullDraft())
    const path = await installOverForm(browser, app.id)
    const sealed = browser.cookies.get('notice') ?? ''
    const changed = sealed.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    for (const notice of ['The app is suspended.', changed, '']) {
      browser.cookies.set('notice', notice)
      const page = await browser.get(path)
      expect([page.status, page.text.includes('role="status"')]).toEqual([200, false])
    }
    browser.cookies.set('notice', sealed)
    expect((await browser.get('/Account')).text).not.toContain('role="status"')
    expect((await browser.get(path)).text).toContain(' was installed.')
    expect(browser.cookies.has('notice')).toBe(false)
  })
})

describe('a button whose session has ended', () => {
  const NOT_DONE = 'You were signed out before this was done. Press the button again.'
  const EVA = { email: 'eva@example.com', name: 'Eva' }
  type Person = { email: string; password: string }

  /** Over the sign-in to the page that it leads to. */
  async function afterSignIn(browser: WebClient, location: string | null, user: Person) {
    const form = hiddenFields((await browser.get(location ?? '')).text)
    const signIn = await browser.submit('/login', { ...form, ...user })
    return browser.get(signIn.location ?? '')
  }

  test('says so on its page, and to another user', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const press = async () => {
      const { _csrf = '' } = hiddenFields((await browser.get('/Account/Security')).text)
      market.advance(3601)
      return (await browser.submit('/Account/Sessions/EndOthers', { _csrf })).location
    }
    const { location } = await afterSignIn(browser, await press(), user)
    const page = await browser.get(location ?? '')
    expect(page.text).toContain('<h1><bdi>Security</bdi></h1>')
    expect(page.text).toContain(NOT_DONE)
    const other = (await newCustomer(market)).user
    const refused = await afterSignIn(browser, await press(), other)
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('belongs to another user. Nothing was saved.')
  })

  test('says so where it asks for a last word before an app or a consumer goes', async () => {
    const { developers, installations } = market.demo
    const seller = demoUser(market, 'Seller')
    const { id, appId } = installations.find(({ partyId }) => partyId === seller.partyId) ?? {}
    const developer = developers.find(({ apps }) =>
      apps.includes(appId ?? ''),
    ) as Demo['developers'][number]
    const { token } = (await call(market, 'POST', '/v1/Auth', { body: developer })).body
    const consumer = { token, body: { position: 0 } }
    await call(market, 'PUT', '/v1/Developer/EventConsumers/till', consumer)
    for (const path of [
      `/Installed/${id}/Uninstall`,
      `/Developer/Installations/${id}/Tokens`,
      `/Developer/Installations/${id}/Uninstall`,
      '/Developer/Events/Consumers/till/Remove',
    ]) {
      const browser = webClient(market)
      const signInTo = (next: string) =>
        path.startsWith('/Developer')
          ? browser.login(developer.person, next)
          : browser.login(seller, next)
      await signInTo('/')
      const fields = hiddenFields(mainOf(await browser.get(path)))
      market.advance(3601)
      const { location } = await browser.submit(path, fields)
      const page = await signInTo(new URLSearchParams(location?.split('?', 2)[1]).get('next') ?? '')
      expect([path, mainOf(page)]).toEqual([
        path,
        expect.stringContaining('You were signed out before this was'),
      ])
    }
  })

  test('says so on the page that it is on, where it has no page of its own', async () => {
    const { operator } = market.demo
    const { id } = await inviteByOperator(market.deps, EVA, SYSTEM)
    const browser = await signedIn(market, operator)
    const { _csrf = '' } = hiddenFields((await browser.get('/Operator/Invitations')).text)
    market.advance(3601)
    const { location } = await browser.submit(`/Operator/Invitations/${id}/Revoke`, { _csrf })
    const onward = await afterSignIn(browser, location, operator)
    expect((await browser.get(onward.location ?? '')).text).toContain(NOT_DONE)
    const row = await market.deps.db.linkToken.findUniqueOrThrow({ where: { id } })
    expect(row.endedAt).toBeNull()
  })
})

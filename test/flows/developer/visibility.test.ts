import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import type { Author } from '../../setup/apps.ts'
import { type DeveloperConsole, newDeveloper, textareaOf } from '../../setup/console.ts'
import { type Customer, fullDraft, newCustomer } from '../../setup/customer.ts'
import {
  hiddenFields,
  mainOf,
  signedIn,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let browser: DeveloperConsole
let customer: Customer
let visitor: WebClient
let app: ReturnType<typeof fullDraft>

beforeAll(async () => {
  market = await sharedMarketplace()
  ;({ developer, browser } = await newDeveloper(market))
  customer = await newCustomer(market)
  visitor = await signedIn(market, customer.user)
})
beforeEach(async () => {
  app = fullDraft()
  await developer.create(app)
})

const path = (action: string) => `/Apps/${app.id}/${action}`
const choose = (fields: Record<string, string>) => browser.send(path('Visibility'), fields)
const statusOf = async () => (await visitor.get(`/Apps/${app.id}`)).status

/** Makes a link on its page. @returns what a visitor opens */
async function makeLink(fields: Record<string, string> = {}): Promise<string> {
  const { text } = await browser.send(path('InstallLinks'), fields)
  const [, token] = /install-link\?token=(amkt_install_[\w-]+)/.exec(text) ?? []
  expect(token).toBeDefined()
  return `/install-link?token=${token}`
}

test('a developer names accounts, and only they see the listing', async () => {
  expect(await statusOf()).toBe(404)
  const done = await choose({ visibility: 'private', partyIds: `${customer.party.id}\r\n` })
  const { text } = await browser.client.get(done.location ?? '')
  expect(text).toContain('The app is private: only the accounts you chose find it.')
  const page = await visitor.get(`/Apps/${app.id}`)
  expect([page.status, mainOf(page).includes('Private: only chosen accounts see it')]).toEqual([
    200,
    true,
  ])
  expect((await visitor.get(`/Apps?q=${app.id}`)).text).toContain(app.name)
  const stranger = webClient(market)
  expect((await stranger.get(`/Apps/${app.id}`)).status).toBe(404)
  expect((await stranger.get(`/Apps?q=${app.id}`)).text).not.toContain(app.name)
  expect(textareaOf(await browser.get(path('Visibility')), 'partyIds')).toBe(
    String(customer.party.id),
  )
})

test.each([
  ['no number', 'x1'],
  ['an account that there is not', '999999'],
])('%s among the accounts is told at the field, and what was typed stays', async (_, typed) => {
  const page = await choose({ visibility: 'private', partyIds: typed })
  expect(page.status).toBe(422)
  expect(page.text).toContain('href="#partyIds"')
  expect(textareaOf(page, 'partyIds')).toBe(typed)
  expect(await statusOf()).toBe(404)
})

test('what an incomplete app lacks is told, and it stays a draft', async () => {
  await developer.put({ ...app, description: '' })
  const page = await choose({ visibility: 'unlisted' })
  expect([page.status, page.text.includes('must say what it does')]).toEqual([422, true])
})

test('an unlisted app is found by its address, and is not shared', async () => {
  await choose({ visibility: 'unlisted' })
  const page = await webClient(market).get(`/Apps/${app.id}`)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Not listed: only those with the address see it')
  expect(page.text).not.toContain('og:title')
  expect((await webClient(market).get(`/Apps?q=${app.id}`)).text).not.toContain(app.name)
})

test('a visitor signs in, chooses an account and finds the app; the link is in no list', async () => {
  await choose({ visibility: 'private' })
  const link = await makeLink({ uses: '2' })
  expect((await browser.get(path('Visibility'))).text).not.toContain('amkt_install_')
  expect((await webClient(market).get(link)).location).toMatch(/^\/login\?next=/)
  const page = await visitor.get(link)
  expect(page.text).toContain('Nothing is installed yet.')
  expect(await statusOf()).toBe(404)
  const fields = { ...hiddenFields(page.text), partyId: String(customer.party.id) }
  const done = await visitor.post('/install-link', fields)
  expect([done.status, done.location]).toEqual([303, `/Apps/${app.id}`])
  expect(await statusOf()).toBe(200)
  expect((await browser.get(path('Visibility'))).text).toContain('1 of 2')
})

test("another's account is refused, and a link that leads nowhere says so", async () => {
  await choose({ visibility: 'private' })
  const page = await visitor.get(await makeLink())
  const { party } = await newCustomer(market)
  const answer = await visitor.post('/install-link', {
    ...hiddenFields(page.text),
    partyId: String(party.id),
  })
  expect([answer.status, answer.text.includes('Choose one of your accounts')]).toEqual([422, true])
  const dead = await visitor.get('/install-link?token=amkt_install_x')
  expect([dead.status, dead.text.includes('The link cannot be used')]).toEqual([410, true])
})

test('a deleted link leads nowhere', async () => {
  await choose({ visibility: 'private' })
  const link = await makeLink()
  const [, id] =
    /InstallLinks\/([0-9a-f-]{36})\/Delete/.exec((await browser.get(path('Visibility'))).text) ?? []
  await browser.send(path(`InstallLinks/${id}/Delete`))
  expect((await visitor.get(link)).status).toBe(410)
})

test.each([
  [{ uses: '0' }, 'uses'],
  [{ partyId: 'x' }, 'partyId'],
  [{ expiresAt: 'soon' }, 'expiresAt'],
  [{ expiresAt: '2020-01-01T00:00' }, 'expiresAt'],
])('a link with %o is refused at %s', async (fields, name) => {
  const page = await browser.send(path('InstallLinks'), fields)
  expect([page.status, page.text.includes(`href="#${name}"`)]).toEqual([422, true])
})

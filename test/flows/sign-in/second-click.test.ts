import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { keepForm } from '../../../src/web/requests/kept-form-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { fullDraft, newCustomer } from '../../setup/customer.ts'
import { developerPerson } from '../../setup/developer-person.ts'
import {
  cookieLine,
  hiddenFields,
  signedIn,
  signedInDeveloper,
  submitTwice,
  type WebClient,
} from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

async function newDeveloper() {
  const developer = await createDeveloper(market.deps, { name: `Acme ${randomUUID()}` })
  return { developer, ...(await developerPerson(market, 'owner', [developer])) }
}

const formOf = async (browser: WebClient, path: string) =>
  hiddenFields((await browser.get(path)).text)

/** Sends the form of a page twice at the same moment, and opens what each is answered with. */
async function clickTwice(
  browser: WebClient,
  page: string,
  fields: Record<string, string>,
  path = page,
) {
  const form = { ...(await formOf(browser, page)), ...fields }
  const answers = await Promise.all([browser.submit(path, form), browser.submit(path, form)])
  const shown = []
  for (const answer of answers) {
    const location = answer.location ?? ''
    expect([path, answer.status, location]).toEqual([path, 303, expect.stringMatching(/^\//)])
    const { status, text } = await browser.get(location)
    expect([location, status]).toEqual([location, 200])
    const [main = ''] = /<main.*<\/main>/s.exec(text) ?? []
    const secrets = [...main.matchAll(/<dd><bdi><code data-copy>([^<]+)</g)].map(
      ([, secret]) => secret,
    )
    shown.push({ page: location.split('?')[0] ?? '', secrets, main })
  }
  return shown
}

describe('of two clicks the second finds what the first has done', () => {
  test('in the developer console: one app, one endpoint, one credential and its password', async () => {
    const { developer, browser } = await newDeveloper()
    const { db } = market.deps
    const where = { developerId: developer.id }

    const credentials = await clickTwice(browser, '/Developer/Credentials', { clientId: '' })
    expect(credentials[0]?.secrets).toHaveLength(2)
    expect(credentials[1]?.secrets).toEqual(credentials[0]?.secrets)
    expect(await db.developerCredential.count({ where })).toBe(2)

    const draft = fullDraft()
    const app = `/Developer/Apps/${draft.id}`
    const save = (definition: object) => ({ definition: JSON.stringify(definition), do: 'save' })
    const made = await clickTwice(browser, '/Developer/Apps/New', save(draft))
    const changed = save({ ...draft, description: 'Changed.' })
    const saved = await clickTwice(browser, `${app}/Definition`, changed)
    expect([...made, ...saved].map(({ page }) => page)).toEqual([app, app, app, app])

    const url = 'https://hooks.example.com/once'
    const endpoints = await clickTwice(browser, `${app}/Webhooks`, { url, scope: 'all' })
    expect(endpoints[1]).toMatchObject({ page: endpoints[0]?.page, secrets: endpoints[0]?.secrets })
    expect(await db.webhookEndpoint.count({ where: { appId: draft.id } })).toBe(1)
    const rotated = await clickTwice(browser, `${endpoints[0]?.page}/Secret`, {})
    expect(rotated[1]?.secrets).toEqual(rotated[0]?.secrets)
    expect(rotated[0]?.secrets).not.toEqual(endpoints[0]?.secrets)

    const deleted = await clickTwice(browser, `${app}/Delete`, {})
    expect(deleted.map(({ page }) => page)).toEqual(['/Developer', '/Developer'])
  })

  test('in the operator console: one party, one user, one developer, one invitation, one link', async () => {
    const browser = await signedIn(market, market.demo.operator)
    const { db } = market.deps
    const name = `Twice ${randomUUID()}`
    const email = `${randomUUID()}@example.com`
    const parties = await clickTwice(browser, '/Operator/Parties/New', { name, type: 'Buyer' })
    expect(parties[1]?.page).toBe(parties[0]?.page)
    expect(await db.party.count({ where: { name } })).toBe(1)
    const users = await clickTwice(browser, '/Operator/Users/New', { name, email, password: '' })
    const developers = await clickTwice(browser, '/Operator/Developers/New', { name })
    const invited = `${randomUUID()}@example.com`
    const invitations = await clickTwice(browser, '/Operator/Invitations', { name, email: invited })
    const page = users[0]?.page ?? ''
    const links = await clickTwice(browser, page, {}, `${page}/PasswordReset`)
    for (const [first, second] of [users, developers, invitations, links]) {
      expect(first?.secrets.length).toBeGreaterThan(0)
      expect(second?.secrets).toEqual(first?.secrets)
    }
    expect(await db.developer.count({ where: { name } })).toBe(1)
    expect(await db.linkToken.count({ where: { email: { in: [email, invited] } } })).toBe(2)
  })

  test('on the account pages: one token, one member', async () => {
    const { user, party } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const email = `${randomUUID()}@example.com`
    const fields = { partyId: String(party.id), name: 'Eve', email, role: 'member' }
    const tokens = await clickTwice(browser, '/Account/Token', { lifetime: '300' })
    const shown = tokens.map(({ main }) => /eyJ[\w.-]+/.exec(main)?.[0])
    expect(shown).toEqual([expect.any(String), shown[0]])
    const [first, second] = await clickTwice(browser, '/Account/Members/Invite', fields)
    expect(first?.secrets).toHaveLength(2)
    expect(second?.secrets).toEqual(first?.secrets)
    expect(await market.deps.db.linkToken.count({ where: { email } })).toBe(1)
  })
})

describe('a form that was acted upon', () => {
  let browser: WebClient
  let developer: { id: string }
  let user: { id: string }
  beforeEach(async () => {
    ;({ browser, developer, user } = await newDeveloper())
  })
  const path = '/Developer/Members/Invite'
  const invitations = (emails: string[]) =>
    market.deps.db.linkToken.count({ where: { email: { in: emails } } })
  const answers = () => market.deps.db.keptForm.count({ where: { once: true, userId: null } })
  const invite = (email: string) => ({ name: 'Eve', email, role: 'member' })

  test('is acted upon again when it says something else and when its page is opened anew', async () => {
    const emails = [1, 2].map(() => `${randomUUID()}@example.com`)
    const form = await formOf(browser, path)
    for (const email of emails) await browser.post(path, { ...form, ...invite(email) })
    expect(await invitations(emails)).toBe(2)
    const again = await browser.post(path, {
      ...(await formOf(browser, path)),
      ...invite(emails[0] ?? ''),
    })
    expect(again.text).toContain('was invited.')
    expect(await invitations(emails)).toBe(3)
  })

  test('is acted upon once it is right, when it was refused before', async () => {
    const form = await formOf(browser, path)
    const wrong = { ...form, ...invite('no address') }
    const before = await answers()
    for (const _ of [1, 2]) expect((await browser.post(path, wrong)).status).toBe(422)
    expect(await answers()).toBe(before)
  })

  test('is acted upon again after two minutes', async () => {
    const email = `${randomUUID()}@example.com`
    const form = { ...(await formOf(browser, path)), ...invite(email) }
    for (const _ of [1, 2]) await browser.post(path, form)
    expect(await invitations([email])).toBe(1)
    market.advance(121)
    expect((await browser.post(path, form)).text).toContain('was invited.')
    expect(await invitations([email])).toBe(2)
  })

  test('is finished although the browser has gone, and shows what it made when it is sent again', async () => {
    const email = `${randomUUID()}@example.com`
    const form = { ...(await formOf(browser, path)), ...invite(email) }
    const gone = new AbortController()
    const before = await answers()
    const first = fetch(market.url + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { cookie: cookieLine(market, browser.cookies) },
      redirect: 'manual',
      signal: gone.signal,
    })
    await expect.poll(answers, { interval: 1 }).toBeGreaterThan(before)
    gone.abort()
    await first.catch(() => undefined)
    const { text } = await browser.post(path, form)
    expect(text).toContain('shown only once')
    expect(await invitations([email])).toBe(1)
  })

  test('says nothing in another session', async () => {
    const form = { ...(await formOf(browser, path)), ...invite(`${randomUUID()}@example.com`) }
    expect((await browser.post(path, form)).text).toContain('shown only once')
    const stranger = await developerPerson(market, 'owner', [developer])
    const answer = await stranger.browser.post(path, form)
    expect(answer.text).not.toContain('shown only once')
    const other = await signedInDeveloper(market)
    expect((await other.post(path, form)).text).not.toContain('shown only once')
  })

  test('makes no form go that is being filled in', async () => {
    const editor = '/Developer/Apps/New'
    const half = { ...(await formOf(browser, editor)), definition: '{"half"', do: 'check' }
    const { location } = await browser.submit(editor, half)
    const owner = { id: user.id, developerId: developer.id }
    for (let i = 0; i < 33; i++) await keepForm(market.deps, owner, editor, '{}', { once: true })
    expect((await browser.get(location ?? '')).text).toContain('{&quot;half&quot;')
  })
})

describe('a second click on a form that ends the session', () => {
  const send = async (
    user: { email: string; password: string },
    path: string,
    fields: Record<string, string> = {},
    answer: 'dropped' | 'taken' = 'dropped',
  ) => {
    const browser = await signedIn(market, user)
    const page = path === '/Account/Remove' ? path : '/Account'
    const form = { ...(await formOf(browser, page)), ...fields }
    const { first, second } = await submitTwice(browser, path, form, answer)
    expect([second.status, second.location]).toEqual([303, first.location])
    return { browser, form, shown: await browser.get(second.location ?? '') }
  }
  const newPassword = 'quite another password'
  const change = (currentPassword: string) => ({
    ...{ currentPassword, newPassword, repeatedPassword: newPassword },
  })

  test.each(['dropped', 'taken'] as const)(
    'changes the password and keeps the browser signed in, the first answer %s',
    async (answer) => {
      const { user } = await newCustomer(market)
      const fields = change(user.password)
      const { browser, form, shown } = await send(user, '/Account/Password', fields, answer)
      expect([shown.status, shown.text.includes('Your password was changed.')]).toEqual([200, true])
      expect((await browser.get('/Account')).status).toBe(200)
      expect(await market.deps.db.session.count({ where: { userId: user.id } })).toBe(1)
      // It opens nothing where the browser of the first click has signed out.
      await browser.submit('/logout', await formOf(browser, '/Account'))
      await browser.submit('/Account/Password', form)
      expect((await browser.get('/Account')).location).toBe('/login?next=%2FAccount')
    },
  )

  test('says that the person was removed, or is signed out everywhere', async () => {
    const { user } = await newCustomer(market)
    const everywhere = await send(user, '/Account/SignOutEverywhere')
    expect(everywhere.shown.text).toContain('You are signed out')
    expect(everywhere.shown.text).toContain('Sign in again')
    const removed = await send(user, '/Account/Remove', { currentPassword: user.password })
    expect(removed.shown.text).toContain('You have removed yourself.')
    expect(removed.shown.text).not.toContain('Sign in again')
    expect(removed.browser.cookies.has('session')).toBe(false)
  })

  test('leads over the sign-in to what was done when something else has ended it', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const form = { ...(await formOf(browser, '/Account/Token')), lifetime: '300' }
    await browser.submit('/Account/Token', form)
    await browser.submit('/logout', await formOf(browser, '/Account'))
    const again = await browser.submit('/Account/Token', form)
    const login = await browser.get(again.location ?? '')
    expect(login.text).toContain('Sign in again to continue.')
    const next = hiddenFields(login.text).next ?? ''
    const { email, password } = user
    await browser.submit('/login', { ...hiddenFields(login.text), email, password })
    const shown = await browser.get(next)
    expect(shown.text).toMatch(/eyJ[\w.-]+/)
  })
})

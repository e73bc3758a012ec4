import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { secretContext } from '../../../src/marketplace/installations/settings/stored-settings.ts'
import { contextOf } from '../../../src/web/requests/kept-form-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author, draft, everything, newId } from '../../setup/apps.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { developerPerson } from '../../setup/developer-person.ts'
import { filledForm, installOverForm, RISK } from '../../setup/install-form.ts'
import {
  demoDeveloper,
  hiddenFields,
  signedIn,
  signedInDeveloper,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

const ENDED = 'Your session has ended. Sign in again to continue.'
const NOT_SENT = 'You were signed out before this was saved.'

let market: TestMarketplace
let appId: string
beforeAll(async () => {
  market = await startMarketplace()
  appId = (await listedApp(await author(market), fullDraft({ acknowledgements: [RISK] }))).id
})
afterAll(() => market.close())

type Person = { email: string; password: string }
type Ending = (browser: WebClient) => Promise<unknown>

async function signedOut(browser: WebClient) {
  const form = hiddenFields((await browser.get('/Account')).text)
  expect((await browser.submit('/logout', form)).status).toBe(303)
}

/** How a session ends while a form is open. */
const endings: [string, Ending][] = [
  ['has idled', async () => market.advance(3601)],
  ['was ended in another tab', signedOut],
]

/** Where a form leads whose session has ended: over the sign-in to the address that it says. */
async function afterSignIn(browser: WebClient, location: string | null, user: Person) {
  const login = await browser.get(location ?? '')
  expect(login.text).toContain(ENDED)
  const next = hiddenFields(login.text).next ?? ''
  const signIn = await browser.submit('/login', { ...hiddenFields(login.text), ...user })
  expect([signIn.status, signIn.location]).toEqual([303, next])
  return browser.get(next)
}

describe('a form whose session', () => {
  test.each(endings)('%s is there after the sign-in, and nothing was done', async (_how, end) => {
    const { user, party } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const form = { ...(await filledForm(browser, appId)), 's.note': 'written with care' }
    await end(browser)
    const answer = await browser.submit(`/Apps/${appId}/Install`, form)
    expect(answer.status).toBe(303)
    expect(answer.location).toMatch(/^\/login\?next=/)
    const page = await afterSignIn(browser, answer.location, user)
    expect(page.status).toBe(200)
    expect(page.text).toContain(NOT_SENT)
    expect(page.text).toContain('\nwritten with care</textarea>')
    expect(page.text).not.toContain('s3cret-one')
    expect(await market.deps.db.installation.count({ where: { partyId: party.id } })).toBe(0)
    // The password is not typed again.
    const again = { ...form, ...hiddenFields(page.text), 's.secret': '' }
    const review = await browser.post(`/Apps/${appId}/Install`, again)
    expect(review.text).toContain('Step 3 of 3: Review')
    const done = await browser.submit(`/Apps/${appId}/Install`, hiddenFields(review.text))
    expect(done.location).toMatch(/^\/Installed\//)
    expect(await market.deps.db.installation.count({ where: { partyId: party.id } })).toBe(1)
  })

  test.each(endings)('%s is nobody else’s', async (_how, end) => {
    const browser = await signedIn(market, (await newCustomer(market)).user)
    const form = { ...(await filledForm(browser, appId)), 's.note': 'for my eyes only' }
    await end(browser)
    const { location } = await browser.submit(`/Apps/${appId}/Install`, form)
    const { user } = await newCustomer(market)
    const page = await afterSignIn(browser, location, user)
    expect(page.status).toBe(409)
    expect(page.text).toContain(`<h1 id="heading">You are signed in as ${user.name}</h1>`)
    expect(page.text).toContain('belongs to another user. Nothing was saved.')
    expect(page.text).not.toContain('for my eyes only')
    expect(page.text).not.toContain(NOT_SENT)
    expect((await browser.get(`/Apps/${appId}/Install`)).status).toBe(200)
  })

  test('ended in the developer console is nobody else’s there, and waits for its owner', async () => {
    const developer = await createDeveloper(market.deps, { name: `Acme ${newId()}` })
    const [mine, other] = [
      await developerPerson(market, 'owner', [developer]),
      await developerPerson(market, 'owner', [developer]),
    ]
    const path = '/Developer/Members/Invite'
    const form = hiddenFields((await mine.browser.get(path)).text)
    market.advance(3601)
    const typed = { name: 'Eve Early', email: 'eve@example.com', role: 'owner' }
    const { location } = await mine.browser.submit(path, { ...form, ...typed })
    const next = new URL(location ?? '', market.url).searchParams.get('next') ?? ''
    await mine.browser.login(other.user, next)
    const page = await mine.browser.get(next)
    expect(page.status).toBe(409)
    expect(page.text).toContain(`You are signed in as ${other.user.name}`)
    expect(page.text).toContain('belongs to another user. Nothing was saved.')
    expect(page.text).not.toContain(typed.email)
    const out = await mine.browser.submit('/logout', hiddenFields(page.text))
    expect(out.location).toBe(`/login?next=${encodeURIComponent(next)}`)
    await mine.browser.login(mine.user, next)
    expect((await mine.browser.get(next)).text).toContain(`value="${typed.email}"`)
  })

  test('was taken over by the same user in another tab needs no sign-in', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const form = { ...(await filledForm(browser, appId)), 's.note': 'still mine' }
    await signedOut(browser)
    await browser.login(user)
    const answer = await browser.submit(`/Apps/${appId}/Install`, form)
    const onward = await browser.get(answer.location ?? '')
    expect(onward.status).toBe(303)
    expect((await browser.get(onward.location ?? '')).text).toContain('\nstill mine</textarea>')
  })

  test('was taken over by somebody else does nothing for either', async () => {
    const [mine, other] = [await newCustomer(market), await newCustomer(market)]
    const browser = await signedIn(market, mine.user)
    const form = { ...(await filledForm(browser, appId)), 's.note': 'not yours' }
    await signedOut(browser)
    await browser.login(other.user)
    const answer = await browser.submit(`/Apps/${appId}/Install`, { ...form, step: '' })
    const onward = await browser.get(answer.location ?? '')
    expect(onward.status).toBe(409)
    expect(onward.text).toContain(`<h1 id="heading">You are signed in as ${other.user.name}</h1>`)
    expect(onward.text).toContain('belongs to another user. Nothing was saved.')
    const shown = new URL(answer.location ?? '', market.url).searchParams.get('next') ?? ''
    expect((await browser.get(shown)).text).not.toContain('not yours')
    const where = { partyId: { in: [mine.party.id, other.party.id] } }
    expect(await market.deps.db.installation.count({ where })).toBe(0)
    // The one whose form it is signs in again from there, and finds it.
    const signedOutPage = await browser.submit('/logout', hiddenFields(onward.text))
    await browser.get(signedOutPage.location ?? '')
    const next = new URL(signedOutPage.location ?? '', market.url).searchParams.get('next') ?? ''
    let back = await browser.login(mine.user, next)
    while (back.location !== null) back = await browser.get(back.location)
    expect(back.text).toContain('\nnot yours</textarea>')
  })

  test('ended keeps settings with what they were made of: a change meanwhile is told', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const path = `${await installOverForm(browser, appId)}/Settings`
    const form = hiddenFields((await browser.get(path)).text)
    const typed = { 's.text': 'old tab', 's.choice': '5', 's.secret': '' }
    await browser.post(path, { ...form, ...typed, 's.text': 'new tab' })
    market.advance(3601)
    const { location } = await browser.submit(path, { ...form, ...typed })
    const page = await afterSignIn(browser, location, user)
    expect(page.text).toContain('\nold tab</textarea>')
    const again = await browser.post(path, { ...hiddenFields(page.text), ...typed })
    expect(again.status).toBe(412)
    expect(again.text).toContain('\nnew tab</textarea>')
  })

  test.each(endings)('%s keeps a password from an earlier answer, too', async (_how, end) => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const installed = await installOverForm(browser, appId)
    const path = `${installed}/Settings`
    const form = hiddenFields((await browser.get(path)).text)
    const typed = { 's.text': 'jane', 's.choice': '5', 's.amount': '0.3', 's.secret': '' }
    const wrong = { 's.secret': 'another-secret', 's.amount': 'much' }
    const refused = await browser.post(path, { ...form, ...typed, ...wrong })
    expect(refused.status).toBe(422)
    await end(browser)
    const { location } = await browser.submit(path, { ...hiddenFields(refused.text), ...typed })
    const page = await afterSignIn(browser, location, user)
    expect(page.text).toContain('You typed a password. Leave blank to keep it.')
    const done = await browser.submit(path, { ...hiddenFields(page.text), ...typed })
    expect(done.location).toBe(installed)
    const row = await market.deps.db.installation.findUniqueOrThrow({
      where: { id: installed.split('/')[2] ?? '' },
      include: { settings: { where: { key: 'secret' } } },
    })
    const secret = row.settings[0]?.secret ?? new Uint8Array()
    const context = secretContext(row.id, 'user', 'secret')
    expect(String(market.deps.secrets.decrypt(secret, context))).toBe('another-secret')
  })

  test('ended keeps a definition of the developer console, of nearly 1 MiB too', async () => {
    const browser = await signedInDeveloper(market)
    const path = '/Developer/Apps/New'
    const form = hiddenFields((await browser.get(path)).text)
    const wanted = draft(newId())
    const definition = `${JSON.stringify(wanted)}${' '.repeat(1_030_000)}`
    market.advance(3601)
    const answer = await browser.submit(path, { ...form, definition, do: 'save' })
    expect(answer.location).toMatch(/^\/login\?next=/)
    const login = await browser.get(answer.location ?? '')
    expect(login.text).toContain(ENDED)
    const { email, password } = demoDeveloper(market).person
    const fields = { ...hiddenFields(login.text), email, password }
    const signIn = await browser.submit('/login', fields)
    const page = await browser.get(signIn.location ?? '')
    expect(page.text).toContain(NOT_SENT)
    // Too long for the field: the server keeps it, and the form stands for it.
    expect(page.text).toContain('is too long to show here')
    const again = { ...hiddenFields(page.text), definition: '', do: 'save' }
    expect((await browser.submit(path, again)).location).toBe(`/Developer/Apps/${wanted.id}`)
  })

  test('ended keeps the forms of the operator console, passwords sealed', async () => {
    const { operator } = market.demo
    const browser = await signedIn(market, operator)
    const create = '/Operator/Users/New'
    const form = hiddenFields((await browser.get(create)).text)
    const email = 'kept@example.com'
    const typed = { name: 'Kept Through', email, password: 'a long pass phrase', party: '' }
    market.advance(3601)
    const { location } = await browser.submit(create, { ...form, ...typed })
    const page = await afterSignIn(browser, location, operator)
    expect(page.text).toContain('value="Kept Through"')
    expect(page.text).not.toContain(typed.password)
    const again = { ...hiddenFields(page.text), ...typed, password: '' }
    const done = await browser.submit(create, again)
    const path = done.location ?? ''
    expect(path).toMatch(/^\/Operator\/Users\/[0-9a-f-]{36}$/)
    await signedIn(market, { email, password: typed.password })
    // A form of a page with several.
    const edit = hiddenFields((await browser.get(path)).text)
    market.advance(3601)
    const lapsed = await browser.submit(`${path}/Edit`, { ...edit, name: 'Renamed' })
    const back = await afterSignIn(browser, lapsed.location, operator)
    expect(back.text).toContain('value="Renamed"')
    expect(back.text).toContain('Edit Kept Through')
  })
})

describe('nothing is kept', () => {
  const kept = () => market.deps.db.keptForm.count()
  const note = 'planted by a stranger'

  test('of what somebody sends who had no form of ours', async () => {
    const rows = await kept()
    const path = `/Apps/${appId}/Install`
    const stranger = webClient(market)
    const visitor = hiddenFields((await stranger.get('/login')).text)
    for (const form of [{}, visitor, { _csrf: `${visitor._csrf}~${'A'.repeat(200)}` }]) {
      const { location } = await stranger.submit(path, { ...form, 's.note': note })
      expect([null, `/login?next=${encodeURIComponent(path)}`]).toContain(location)
    }
    expect(await kept()).toBe(rows)
  })

  test('of a form that another site or another browser sends', async () => {
    const { user } = await newCustomer(market)
    const attacker = await signedIn(market, user)
    const form = { ...(await filledForm(attacker, appId)), 's.note': note }
    const victim = await signedIn(market, (await newCustomer(market)).user)
    const out = webClient(market)
    await out.get('/login')
    const rows = await everything(market)
    for (const browser of [victim, out]) {
      expect((await browser.submit(`/Apps/${appId}/Install`, form)).status).toBe(403)
    }
    market.advance(3601)
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await attacker.submit(`/Apps/${appId}/Install`, form, headers)).status).toBe(403)
    expect(await everything(market)).toEqual(rows)
  })

  test('of the passwords of who changes the own one', async () => {
    const { user } = await newCustomer(market)
    const browser = await signedIn(market, user)
    const form = hiddenFields((await browser.get('/Account')).text)
    market.advance(3601)
    const { _csrf = '' } = form
    const sent = { _csrf, currentPassword: user.password, newPassword: 'x', repeatedPassword: 'x' }
    const answer = await browser.submit('/Account/Password', sent)
    const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email: user.email } })
    const { sealed } = await market.deps.db.keptForm.findFirstOrThrow({ where: { userId: id } })
    const context = contextOf({ id }, '/Account/Password')
    const stored = JSON.parse(String(market.deps.secrets.decrypt(sealed, context)))
    expect(stored.fields).toEqual([])
    expect((await afterSignIn(browser, answer.location, user)).text).toContain(NOT_SENT)
  })
})

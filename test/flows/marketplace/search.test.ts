import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createCredential } from '../../../src/identity/accounts/credentials-service.ts'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../../src/identity/accounts/members/developer-members-service.ts'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, author, draft, newId } from '../../setup/apps.ts'
import { listedApp, newCustomer, newMember } from '../../setup/customer.ts'
import {
  demoDeveloper,
  mainOf,
  signedIn,
  signedInDeveloper,
  type WebClient,
  webClient,
} from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})

const pathOf = (q: string) => `/Search?${new URLSearchParams({ q })}`

/** Group -> where its rows lead, of a search. */
async function found(browser: WebClient, q: string): Promise<Record<string, string[]>> {
  const page = await browser.get(pathOf(q))
  expect([q, page.status]).toEqual([q, 200])
  const sections = mainOf(page).split('<section').slice(1)
  return Object.fromEntries(
    sections.map((section) => [
      /aria-labelledby="([^"]+)"/.exec(section)?.[1],
      [...section.matchAll(/class="row-name" href="([^"]+)"/g)].map(([, href]) => href ?? ''),
    ]),
  )
}

const newUser = (more: object = {}) =>
  createUser(market.deps, { email: `${randomUUID()}@example.com`, name: 'Sam Searcher', ...more })

/** A name that nothing else has. */
const newName = () => `Zq${randomUUID().slice(0, 8)}`

/** An account with an app of the first developer, all of one name. */
async function installed() {
  const word = newName()
  const app = await listedApp(developer, draft(newId(), { name: `${word} App` }))
  const party = await createParty(market.deps, { name: `${word} Shop`, type: 'Seller' })
  const { user, install } = await newCustomer(market, 'Seller', [party.id])
  const { body } = await install({ appId: app.id, partyId: party.id, purchaseOptionId: 'free' })
  return { word, app, party, user, installationId: body.id as string }
}

describe.each(['operator', 'support'])('%s', (role) => {
  const browserOf = async () => signedIn(market, await newUser({ [role]: true }))

  test('finds accounts, users, developers, apps, and what one of them has installed', async () => {
    const { word, app, party, installationId } = await installed()
    const user = await newUser({ name: `${word} Person` })
    const { id } = await createDeveloper(market.deps, { name: `${word} Works` })
    const browser = await browserOf()
    expect(await found(browser, word)).toEqual({
      accounts: [`/Operator/Parties/${party.id}`, expect.stringMatching('/Operator/Parties/')],
      users: [`/Operator/Users/${user.id}`],
      developers: [`/Operator/Developers/${id}`],
      apps: [`/Operator/Apps/${app.id}`],
      installations: [`/Operator/Installations/${installationId}`],
      directory: [`/Apps/${app.id}`],
    })
    const { installations } = await found(browser, `${word} shop`)
    expect(installations).toEqual([`/Operator/Installations/${installationId}`])
  })

  test('finds by an exact id, which comes first', async () => {
    const { app, party, user, installationId } = await installed()
    const maker = await createDeveloper(market.deps, { name: newName() })
    const { clientId } = await createCredential(market.deps, maker.id, {}, SYSTEM)
    const browser = await browserOf()
    const first = async (q: string, group: string) => (await found(browser, q))[group]?.[0]
    expect(await first(String(party.id), 'accounts')).toBe(`/Operator/Parties/${party.id}`)
    expect(await first(user.id.toUpperCase(), 'users')).toBe(`/Operator/Users/${user.id}`)
    expect(await first(user.email, 'users')).toBe(`/Operator/Users/${user.id}`)
    for (const q of [maker.id, clientId]) {
      expect(await first(q, 'developers')).toBe(`/Operator/Developers/${maker.id}`)
    }
    expect(await first(app.id, 'apps')).toBe(`/Operator/Apps/${app.id}`)
    expect(await first(installationId, 'installations')).toBe(
      `/Operator/Installations/${installationId}`,
    )
  })
})

test('a group shows the first ones, and leads to the list with the rest', async () => {
  const word = newName()
  for (let at = 0; at < 6; at++) {
    await createParty(market.deps, { name: `${word} ${at}`, type: 'Buyer' })
  }
  const browser = await signedIn(market, market.demo.operator)
  expect((await found(browser, word)).accounts).toHaveLength(5)
  const { text } = await browser.get(pathOf(word))
  expect(text).toContain(`<a href="/Operator/Parties?q=${word}">All accounts with “${word}”</a>`)
})

test('a person of a developer finds its apps and installations, and no others', async () => {
  const { word, app, party, installationId } = await installed()
  const owner = await signedInDeveloper(market)
  const own = `/Developer/Installations/${installationId}`
  expect(await found(owner, word)).toEqual({
    'own-apps': [`/Developer/Apps/${app.id}`],
    'own-installations': [own],
    directory: [`/Apps/${app.id}`],
  })
  for (const q of [String(party.id), installationId]) {
    expect((await found(owner, q))['own-installations']).toEqual([own])
  }
  const other = await signedInDeveloper(market, 1)
  for (const q of [word, String(party.id), installationId]) {
    const groups = await found(other, q)
    expect([groups['own-apps'], groups['own-installations']]).toEqual([undefined, undefined])
  }
})

test('a person of several developers chooses one first', async () => {
  const { word, app } = await installed()
  const user = await newUser()
  for (const { clientId } of [demoDeveloper(market), demoDeveloper(market, 1)]) {
    const { developerId } = await market.deps.db.developerCredential.findUniqueOrThrow({
      where: { clientId },
    })
    await addDeveloperMember(market.deps, developerId, { userId: user.id, role: 'owner' }, SYSTEM)
  }
  const browser = await signedIn(market, user)
  expect(await found(browser, word)).toEqual({ directory: [`/Apps/${app.id}`] })
  expect((await browser.get(pathOf(word))).text).toContain('href="/Developer/Choose"')
})

test('a member finds what the account has installed, and nothing of another one', async () => {
  const { word, app, party, installationId } = await installed()
  const member = await signedIn(market, await newMember(market, party.id))
  const its = [`/Installed/${installationId}`]
  expect(await found(member, word)).toEqual({ installed: its, directory: [`/Apps/${app.id}`] })
  expect((await found(member, installationId)).installed).toEqual(its)

  const { user } = await newCustomer(market)
  const stranger = await signedIn(market, user)
  expect(await found(stranger, word)).toEqual({ directory: [`/Apps/${app.id}`] })
  for (const q of [installationId, `${word} shop`, user.id, user.email]) {
    expect([q, await found(stranger, q)]).toEqual([q, {}])
  }
})

test('an app that is not listed is found by its developer and by who has it', async () => {
  const { word, app, party, installationId } = await installed()
  await market.deps.db.app.update({ where: { id: app.id }, data: { listed: false } })
  const member = await signedIn(market, await newMember(market, party.id))
  expect(await found(member, word)).toEqual({ installed: [`/Installed/${installationId}`] })
  expect(await found(webClient(market), word)).toEqual({})
  expect((await found(await signedInDeveloper(market), word))['own-apps']).toHaveLength(1)
})

test('whoever belongs to nothing, or is not signed in, finds listed apps and guides', async () => {
  const { word, app } = await installed()
  for (const browser of [webClient(market), await signedIn(market, await newUser())]) {
    expect(await found(browser, word)).toEqual({ directory: [`/Apps/${app.id}`] })
    const { guides = [] } = await found(browser, 'webhook')
    expect(guides).toHaveLength(5)
    expect(guides.every((href) => href.startsWith('/docs/'))).toBe(true)
  }
})

describe('what is typed', () => {
  test('may be nothing: the page has its form and says what it finds', async () => {
    for (const path of ['/Search', '/Search?q=', '/Search?q=+']) {
      const { status, text } = await webClient(market).get(path)
      expect(status).toBe(200)
      expect(text).toContain('Apps and guides.')
      expect(text).toContain('autofocus')
      expect(text).not.toMatch(/No results|<section/)
    }
  })

  test('may be found nowhere', async () => {
    const { text } = await webClient(market).get(pathOf('zyxwvut'))
    expect(text).toContain('No results. Check the spelling, or enter fewer words.')
  })

  test.each([
    ['x'.repeat(201), 'Search must be at most 200 characters.'],
    ['\u200b\u200b', 'Enter letters or digits to search for.'],
  ])('is refused in its place: %j', async (q, words) => {
    for (const browser of [webClient(market), await signedIn(market, market.demo.operator)]) {
      const { status, text } = await browser.get(pathOf(q))
      expect(status).toBe(422)
      expect(text).toContain('<title>Error: ')
      expect(text).toContain('id="q-error"')
      expect(text).toContain(words)
      expect(text).not.toContain('<section')
    }
  })

  test('is text, whatever it is', async () => {
    const operator = await signedIn(market, market.demo.operator)
    const texts = [
      `"><img src=x onerror='1'>`,
      '%',
      '_',
      '\\',
      "'; --",
      '9'.repeat(200),
      '-1',
      '1e3',
    ]
    for (const q of [...texts, '\u0301'.repeat(200), 'a '.repeat(100), '😀'.repeat(99), '../..']) {
      const { status, text } = await operator.get(pathOf(q))
      expect([q, status]).toEqual([q, 200])
      expect(text).not.toContain('<img src=x')
    }
    for (const query of ['q=%00', 'q=a%00b', 'q=%ff', 'q=a&q=b', 'q[x]=1', 'z=1']) {
      const { status } = await operator.get(`/Search?${query}`)
      expect([query, status < 500]).toEqual([query, true])
    }
  })
})

test('the header and the menu lead to the search', async () => {
  const { text } = await signedIn(market, market.demo.operator).then((one) => one.get('/Operator'))
  expect(text).toContain('<a class="search-link" href="/Search"')
  expect(text).toContain('<a class="menu-item" href="/Search">Search</a>')
})

import { beforeAll, describe, expect, test } from 'vitest'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { author, installedBy } from '../../setup/apps.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { newAddress } from '../../setup/people.ts'
import { signedIn, type WebClient } from '../../setup/web-client.ts'

const PARTIES = 45
let market: SharedMarketplace
let browser: WebClient
let userId: string
let appId: string
const partyIds: number[] = []
const ids: string[] = []

beforeAll(async () => {
  market = await sharedMarketplace()
  appId = (await listedApp(await author(market), fullDraft())).id
  for (let index = 0; index < PARTIES; index++) {
    const { id } = await createParty(market.deps, { name: `Row ${index}`, type: 'Seller' })
    partyIds.push(id)
    ids.push(await installedBy(market, appId, id))
  }
  const user = await createUser(market.deps, { email: newAddress(), name: 'Rows', partyIds })
  userId = user.id
  browser = await signedIn(market, user)
})

const shownIn = (text: string) =>
  [...text.matchAll(/class="row-name"\s+href="\/Installed\/([0-9a-f-]+)"/g)].map(([, id]) => id)
const nextIn = (text: string) =>
  /rel="next"\s+href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
const fileOn = (text: string) =>
  /href="([^"]*\/Export[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** The ids of the rows, in their order, over all pages. */
async function rowsFrom(first: string) {
  const seen: (string | undefined)[] = []
  for (let path: string | undefined = first, pages = 0; path && pages < 9; pages++) {
    const { status, text } = await browser.get(path)
    expect([path, status]).toEqual([path, 200])
    seen.push(...shownIn(text))
    path = nextIn(text)
  }
  return seen
}

/** The lines of a file behind its head. */
async function linesOf(path: string, by = browser) {
  const { status, text } = await by.get(path)
  expect([path, status]).toEqual([path, 200])
  return text.trimEnd().split('\r\n').slice(1)
}
const idsIn = (lines: readonly string[]) => lines.map((line) => line.split(',').at(-1))

describe('the list of installed apps', () => {
  test('is sorted by the time of the install, both ways, over all pages', async () => {
    const { text } = await browser.get('/Installed')
    expect(text).toContain('<a class="sort" href="/Installed?sort=since">Since')
    const up = await rowsFrom('/Installed?sort=since')
    expect(up.toSorted()).toEqual(ids.toSorted())
    expect(await rowsFrom('/Installed?sort=-since')).toEqual(up.toReversed())
    expect(await rowsFrom('/Installed?sort=-since&size=50')).toEqual(up.toReversed())
  })

  test('says how many there are of the account that it is narrowed to, and of all', async () => {
    expect((await browser.get('/Installed')).text).toContain(`<p>${PARTIES} apps</p>`)
    const { text } = await browser.get(`/Installed?partyId=${partyIds[3]}&sort=since`)
    expect(text).toContain('<p>1 app</p>')
    const other = await newCustomer(market)
    await installedBy(market, appId, other.party.id)
    const { text: own } = await (await signedIn(market, other.user)).get('/Installed')
    expect(own).toContain('<p>1 app</p>')
    expect((await browser.get('/Installed')).text).toContain(`<p>${PARTIES} apps</p>`)
  })

  test.each(['sort=x', 'sort=-', 'sort=constructor', 'size=26', 'size=-1', 'partyId=0'])(
    'refuses %s in place, and in the file',
    async (query) => {
      for (const path of ['/Installed', '/Installed/Export']) {
        expect([path, (await browser.get(`${path}?${query}`)).status]).toEqual([path, 422])
      }
    },
  )

  test('continues no cursor of another order, account or user', async () => {
    const cursor = new URL(
      nextIn((await browser.get('/Installed?sort=since')).text) ?? '',
      market.url,
    ).searchParams.get('cursor')
    for (const query of ['', '&sort=-since', `&sort=since&partyId=${partyIds[0]}`]) {
      expect((await browser.get(`/Installed?cursor=${cursor}${query}`)).status).toBe(400)
    }
    const other = await signedIn(market, (await newCustomer(market)).user)
    expect((await other.get(`/Installed?cursor=${cursor}&sort=since`)).status).toBe(400)
  })
})

describe('the file of installed apps', () => {
  test('has a line for each row, in the order of its page', async () => {
    const { text, headers } = await browser.get('/Installed/Export')
    expect(headers.get('content-disposition')).toBe('attachment; filename="apps.csv"')
    expect(text.split('\r\n')[0]?.replace('\ufeff', '')).toBe(
      'App,App ID,Account,Account ID,Version,Option,Price,Monthly cost,Currency,Since,State,Installation ID',
    )
    const page = await browser.get('/Installed?sort=-since')
    const lines = await linesOf(fileOn(page.text))
    expect(idsIn(lines)).toEqual(await rowsFrom('/Installed?sort=-since'))
    expect(lines.every((line) => line.includes(`,${appId},`))).toBe(true)
  })

  test('has the account and the state that its page is narrowed to', async () => {
    const { text } = await browser.get(`/Installed?partyId=${partyIds[5]}`)
    expect(idsIn(await linesOf(fileOn(text)))).toEqual([ids[5]])
    const at = market.deps.now()
    const id = ids[6] ?? ''
    const left = { status: 'uninstalled', live: null, uninstalledAt: at } as const
    await market.deps.db.installation.update({ where: { id }, data: left })
    const past = await browser.get('/Installed?status=uninstalled')
    const [line = '', ...more] = await linesOf(fileOn(past.text))
    expect([idsIn([line]), more]).toEqual([[id], []])
    expect(line).toMatch(/,,,,\d{4}-[^,]*,Uninstalled,/)
  })

  test('is of one’s own accounts, and of none that one has left', async () => {
    const other = await newCustomer(market)
    const theirs = await installedBy(market, appId, other.party.id)
    expect(idsIn(await linesOf('/Installed/Export'))).not.toContain(theirs)
    const path = `/Installed/Export?partyId=${other.party.id}`
    expect((await browser.get(path)).status).toBe(422)
    const membership = { userId, partyId: other.party.id }
    await market.deps.db.membership.create({ data: membership })
    expect(idsIn(await linesOf(path))).toEqual([theirs])
    await market.deps.db.membership.delete({ where: { userId_partyId: membership } })
    expect((await browser.get(path)).status).toBe(422)
  })
})

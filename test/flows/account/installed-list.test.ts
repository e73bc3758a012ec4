import { beforeAll, describe, expect, test } from 'vitest'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { author, installedBy } from '../../setup/apps.ts'
import { fullDraft, GOOD_SETTINGS, listedApp, newCustomer } from '../../setup/customer.ts'
import { newAddress } from '../../setup/people.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

const PARTIES = 205
let market: SharedMarketplace
let browser: WebClient
const ids: string[] = []

beforeAll(async () => {
  market = await sharedMarketplace()
  const { id: appId } = await listedApp(await author(market), fullDraft())
  const partyIds: number[] = []
  for (let index = 0; index < PARTIES; index++) {
    const { id } = await createParty(market.deps, { name: `Party ${index}`, type: 'Seller' })
    partyIds.push(id)
    ids.push(await installedBy(market, appId, id))
  }
  const user = await createUser(market.deps, { email: newAddress(), name: 'Many', partyIds })
  browser = await signedIn(market, user)
})

const shownIn = (text: string) =>
  [...text.matchAll(/class="row-name"\s+href="\/Installed\/([0-9a-f-]+)"/g)].map(([, id]) => id)
const nextIn = (text: string) =>
  /rel="next"\s+href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')

describe('the start page', () => {
  test('shows the first apps of an account, and leads to the list of all', async () => {
    const { id: partyId } = await createParty(market.deps, { name: 'Shelf Ltd', type: 'Seller' })
    const developer = await author(market)
    const install = async (count: number) => {
      for (let made = 0; made < count; made++) {
        const { body } = await developer.create(fullDraft())
        await installedBy(market, body.id, partyId)
      }
    }
    const user = await createUser(market.deps, {
      ...{ email: newAddress(), name: 'Shelf', partyIds: [partyId] },
    })
    const visitor = await signedIn(market, user)
    const all = `href="/Installed?partyId=${partyId}">Show all apps<`
    await install(20)
    const full = (await visitor.get('/')).text
    expect(shownIn(full)).toHaveLength(20)
    expect(full).not.toContain(all)
    await install(1)
    const { text } = await visitor.get('/')
    const first = await market.deps.db.installation.findMany({
      where: { partyId },
      orderBy: { appId: 'asc' },
      take: 20,
    })
    expect(shownIn(text)).toEqual(first.map(({ id }) => id))
    expect(text).toContain(all)
    // A user of many accounts sees the apps of each.
    expect(shownIn((await browser.get('/')).text).toSorted()).toEqual(ids.toSorted())
  })
})

describe('the list of installed apps', () => {
  test('leads to every one of more than 200 by its links to the next page', async () => {
    const seen: (string | undefined)[] = []
    let path: string | undefined = '/Installed'
    let pages = 0
    while (path !== undefined) {
      const { status, text } = await browser.get(path)
      expect(status).toBe(200)
      seen.push(...shownIn(text))
      path = nextIn(text)
      pages += 1
      expect(pages).toBeLessThan(20)
    }
    expect(pages).toBeGreaterThan(1)
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })

  test('keeps to the account that it is narrowed to', async () => {
    const { partyId } = await market.deps.db.installation.findUniqueOrThrow({
      where: { id: ids[7] ?? '' },
    })
    const { text } = await browser.get(`/Installed?partyId=${partyId}`)
    expect(shownIn(text)).toEqual([ids[7]])
    expect(nextIn(text)).toBeUndefined()
  })

  test('refuses a cursor of another list, and one that was made up', async () => {
    const cursor = new URL(
      nextIn((await browser.get('/Installed')).text) ?? '',
      market.url,
    ).searchParams.get('cursor')
    expect((await browser.get(`/Installed?status=uninstalled&cursor=${cursor}`)).status).toBe(400)
    expect((await browser.get('/Installed?cursor=AAAA')).status).toBe(400)
  })

  test('leads from a page that is no longer valid to the first one, in the words of a page', async () => {
    const { status, text } = await browser.get('/Installed?status=uninstalled&cursor=AAAA')
    expect(status).toBe(400)
    expect(text).toContain('This page of the list has expired')
    expect(text).toContain('Start again at the first page.')
    expect(text).toContain('href="/Installed?status=uninstalled">Go to the first page<')
    // The switch of accounts in the header leads back to the address as it is.
    expect(text.split('<main')[1]).not.toMatch(/cursor|Link header/)
  })

  test('shows uninstalled ones by a link, each with its page and history', async () => {
    const [id = ''] = ids
    const form = await browser.get(`/Installed/${id}/Uninstall`)
    const left = await browser.post(`/Installed/${id}/Uninstall`, hiddenFields(form.text))
    expect(left.status).toBe(303)
    const list = await browser.get('/Installed')
    expect(list.text).toContain('href="/Installed?status=uninstalled"')
    const past = await browser.get('/Installed?status=uninstalled')
    expect(shownIn(past.text)).toEqual([id])
    expect(past.text).toContain('Uninstalled apps')
    expect(past.text).toContain('href="/Installed">Show installed')
    const page = await browser.get(`/Installed/${id}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('This app was uninstalled')
    expect(page.text).toMatch(/class="history-what">Uninstalled/)
    expect(page.text).not.toContain(`/Installed/${id}/Uninstall`)
  })

  test('leads to every entry of a history by its links to what is older', async () => {
    const id = ids[1] ?? ''
    const event = { actorKind: 'user', action: 'installation.settings_changed' }
    const subject = { subjectKind: 'installation', subjectId: id }
    const { partyId } = await market.deps.db.installation.findUniqueOrThrow({ where: { id } })
    const add = (from: number, to: number) =>
      market.deps.db.auditEvent.createMany({
        data: Array.from({ length: to - from }, (_, index) => ({
          ...{ ...event, ...subject, partyId },
          after: { scope: 'user', keys: [`key-${from + index}`] },
        })),
      })
    await add(0, 45)
    const seen: string[] = []
    let path: string | undefined = `/Installed/${id}`
    for (let pages = 0; path !== undefined; pages++) {
      const { status, text } = await browser.get(path)
      expect(status).toBe(200)
      expect(text.includes(`href="/Installed/${id}#history">Newest<`)).toBe(pages > 0)
      seen.push(
        ...[...text.matchAll(/Settings changed: <bdi>(key-\d+)</g)].map(([, key = '']) => key),
      )
      path = nextIn(text)?.split('#')[0]
      // What comes in between moves nothing.
      if (pages === 0) await add(45, 50)
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `key-${44 - index}`))
    expect((await browser.get(`/Installed/${ids[2]}?cursor=AAAA`)).status).toBe(400)
  })

  test('is empty for who has left nothing', async () => {
    const user = await createUser(market.deps, { email: newAddress(), name: 'None' })
    const { text } = await (await signedIn(market, user)).get('/Installed?status=uninstalled')
    expect(text).toContain('No uninstalled apps')
  })
})

test('an app that was uninstalled has no price on its pages, and needs no settings', async () => {
  const { id: appId } = await listedApp(await author(market), fullDraft())
  const { user, install, uninstall } = await newCustomer(market)
  const full = { appId, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS }
  const { body } = await install(full)
  const visitor = await signedIn(market, user)
  expect((await visitor.get('/Installed')).text).toContain('USD 10.00 per month')
  await uninstall(body.id)
  const { text } = await visitor.get('/Installed?status=uninstalled')
  expect(shownIn(text)).toEqual([body.id])
  expect(text).not.toMatch(/per month|Settings needed/)
  expect((await visitor.get(`/Installed/${body.id}`)).text).not.toMatch(/per month|Settings needed/)
})

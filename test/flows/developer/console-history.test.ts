import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, draft, newId } from '../../setup/apps.ts'
import { type DeveloperConsole, newDeveloper } from '../../setup/console.ts'
import { type Customer, fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'

let market: SharedMarketplace
let developer: Author
let browser: DeveloperConsole
let customer: Customer
let appId: string
let installationId: string

beforeAll(async () => {
  market = await sharedMarketplace()
  ;({ developer, browser } = await newDeveloper(market))
  appId = (await listedApp(developer, fullDraft())).id
  customer = await newCustomer(market)
  installationId = (await customer.install({ appId, purchaseOptionId: 'free' })).body.id
})

const subjectOf = (subjectKind: 'app' | 'installation') => ({
  subjectKind,
  subjectId: subjectKind === 'app' ? appId : installationId,
})
const pathOf = (kind: 'app' | 'installation') =>
  kind === 'app' ? `/Apps/${appId}` : `/Installations/${installationId}`
const olderIn = (text: string) => /rel="next" href="\/Developer([^"#]+)#history">Older</.exec(text)

describe.each(['app', 'installation'] as const)('the history of an %s in the console', (kind) => {
  test('leads to every entry by its links to what is older', async () => {
    const { db } = market.deps
    const { developerId } = await db.app.findUniqueOrThrow({ where: { id: appId } })
    const add = (from: number, to: number) =>
      db.auditEvent.createMany({
        data: Array.from({ length: to - from }, (_, index) => ({
          ...{ ...subjectOf(kind), developerId, partyId: customer.party.id },
          ...{ actorKind: 'system', action: `${kind}.suspended` },
          after: { reason: `reason-${from + index}` },
        })),
      })
    await add(0, 45)
    const seen: string[] = []
    let path: string | undefined = pathOf(kind)
    for (let pages = 0; path !== undefined; pages++) {
      const { status, text } = await browser.get(path)
      expect(status).toBe(200)
      const newest = `href="/Developer${pathOf(kind)}#history">Newest<`
      expect(text.includes(newest)).toBe(pages > 0)
      seen.push(...[...text.matchAll(/<bdi>(reason-\d+)</g)].map(([, reason = '']) => reason))
      path = olderIn(text)?.[1]
      // What comes in between moves nothing.
      if (pages === 0) await add(45, 50)
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => `reason-${44 - index}`))
  })

  test('refuses a cursor that was made up, of another history, or of another developer', async () => {
    const cursor = /cursor=([^#]+)/.exec(olderIn((await browser.get(pathOf(kind))).text)?.[1] ?? '')
    const other = pathOf(kind === 'app' ? 'installation' : 'app')
    for (const path of [`${pathOf(kind)}?cursor=AAAA`, `${other}?cursor=${cursor?.[1]}`]) {
      const { status, text } = await browser.get(path)
      expect(status).toBe(400)
      expect(text).toContain('Go to the first page')
    }
    const { browser: stranger } = await newDeveloper(market)
    expect((await stranger.get(`${pathOf(kind)}?cursor=${cursor?.[1]}`)).status).toBe(404)
  })
})

test('any two versions are compared, also of two pages of the list', async () => {
  const definition = await listedApp(developer, fullDraft())
  for (let patch = 1; patch <= 26; patch++) {
    await developer.put({ ...definition, version: `2.0.${patch}` })
  }
  const path = `/Apps/${definition.id}/Versions`
  const { text } = await browser.get(`${path}?from=1.0.0&to=2.0.26`)
  for (const [name, version] of [
    ['from', '1.0.0'],
    ['to', '2.0.26'],
  ]) {
    const [, control = ''] = text.split(`<select id="${name}"`)
    expect(control.split('</select>')[0]).toContain(`value="${version}" selected`)
  }
  const [, older = ''] = /rel="next" href="\/Developer([^"]+)"/.exec(text) ?? []
  const second = (await browser.get(older.replaceAll('&amp;', '&'))).text
  expect(second).toContain('From <bdi>1.0.0</bdi> to <bdi>2.0.26</bdi>')
  expect(second).toContain('<option value="2.0.26" selected')
  expect(second).toMatch(/type="hidden" name="cursor" value="[^"]+"/)
})

test('the list of apps goes on with a page more, and takes no forged place to go on from', async () => {
  for (let count = 0; count < 51; count++) {
    const id = newId()
    await developer.create(draft(id))
    expect((await developer.send('POST', `/${id}/Sandbox`, {})).status).toBe(201)
  }
  const { text } = await browser.get('')
  const [, more = ''] = /href="\/Developer(\?cursor=[^"]+)"/.exec(text) ?? []
  expect((await browser.get(more)).status).toBe(200)
  expect((await browser.get('?cursor=x')).status).toBe(400)
  // The sandbox shows its first ones here, and leads to the rest.
  expect(text).toContain('href="/Developer/Installations?partyType=None">Show all</a>')
})

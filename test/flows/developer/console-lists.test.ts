import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { draft, installedBy, newId } from '../../setup/apps.ts'
import { newDeveloper } from '../../setup/console.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { fanOutAll } from '../../setup/fan-out.ts'
import { appWithWebhooks, layOut, setDelivery, storedDeliveries } from '../../setup/webhooks.ts'

let market: SharedMarketplace
let console: Awaited<ReturnType<typeof newDeveloper>>
let stranger: Awaited<ReturnType<typeof newDeveloper>>
beforeAll(async () => {
  market = await sharedMarketplace()
  console = await newDeveloper(market)
  stranger = await newDeveloper(market)
})

const get = (path: string) => console.browser.get(path)
const hrefOf = (pattern: RegExp, text: string) =>
  pattern.exec(text)?.[1]?.replaceAll('&amp;', '&').replace('/Developer', '')
const nextOf = (text: string) => hrefOf(/rel="next" href="([^"]+)"/, text)
const exportOf = (text: string) => hrefOf(/href="([^"]*\/Export[^"]*)">CSV</, text) ?? ''

/** What a pattern finds in the entries of all pages, in their order. */
async function allOf(first: string, pattern: RegExp): Promise<string[]> {
  const found: string[] = []
  for (let path: string | undefined = first; path !== undefined; ) {
    const { status, text } = await get(path)
    expect([path, status]).toEqual([path, 200])
    found.push(...[...text.matchAll(pattern)].map(([, id = '']) => id))
    path = nextOf(text)
  }
  return found
}

/** The lines of a file, each by the names of its columns. */
async function fileAt(path: string): Promise<Record<string, string>[]> {
  const { status, text, headers } = await get(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  return parse(text, { columns: true, bom: true })
}

describe.each(['/Installations', '/Events'])('the list %s', (list) => {
  test.each(['sort=password', 'sort=-', 'sort=constructor', 'size=26', 'size=1e9'])(
    'refuses %s, as its file does',
    async (query) => {
      for (const path of [list, `${list}/Export`]) {
        expect((await get(`${path}?${query}`)).status).toBe(422)
      }
      expect((await get(`${list}?${query}`)).text).toContain('choose one from the list')
    },
  )

  test('refuses a cursor that it did not give', async () => {
    expect((await get(`${list}?cursor=x`)).status).toBe(400)
  })
})

describe('the installations of a developer', () => {
  const ID = /Installations\/([0-9a-f-]{36})"/g
  let appId: string
  let ids: string[]
  beforeAll(async () => {
    const app = await listedApp(console.developer, fullDraft())
    const { id: otherId } = await listedApp(console.developer, fullDraft())
    const { id: foreignId } = await listedApp(stranger.developer, fullDraft())
    appId = app.id
    ids = []
    for (let at = 0; at < 41; at++) {
      const { party } = await newCustomer(market, at === 0 ? 'Buyer' : 'Seller')
      ids.push(await installedBy(market, at === 40 ? otherId : appId, party.id))
      if (at < 2) await installedBy(market, foreignId, party.id)
    }
  })

  test('are counted with the filters', async () => {
    for (const [query, count] of [
      ['', '41 installations'],
      [`?appId=${appId}`, '40 installations'],
      ['?partyType=Buyer', '1 installation'],
    ]) {
      expect((await get(`/Installations${query}`)).text).toContain(`<p>${count}</p>`)
    }
  })

  test('are sorted by their date, both ways, over all pages', async () => {
    expect(await allOf('/Installations', ID)).toEqual(ids)
    expect(await allOf('/Installations?sort=-since', ID)).toEqual(ids.toReversed())
    expect((await get('/Installations')).text).toMatch(/class="sort" href="[^"]*sort=-since"/)
  })

  test('have a file of their rows, with the filters and the order', async () => {
    const file = await fileAt(exportOf((await get('/Installations?sort=-since')).text))
    expect(file.map((line) => line['Installation ID'])).toEqual(ids.toReversed())
    const query = `?appId=${appId}&partyType=Buyer`
    const [id = ''] = ids
    const row = await market.deps.db.installation.findUniqueOrThrow({
      where: { id },
      include: { app: true, party: true, purchaseOption: true },
    })
    expect(await fileAt(exportOf((await get(`/Installations${query}`)).text))).toEqual([
      {
        ...{ Account: row.party.name, 'Account ID': String(row.partyId) },
        ...{ App: row.app.name, 'App ID': appId, Version: row.installedVersion },
        ...{ Option: row.purchaseOption.name, Type: 'Buyer', State: 'Active' },
        ...{ Since: row.installDate.toISOString(), 'Installation ID': id },
      },
    ])
  })

  test('of another developer are neither listed, counted nor in the file', async () => {
    const { text } = await stranger.browser.get('/Installations')
    expect(text).toContain('<p>2 installations</p>')
    const file = await stranger.browser.get('/Installations/Export')
    for (const id of ids) expect(text + file.text).not.toContain(id)
    const query = `?appId=${appId}`
    for (const path of ['/Installations', '/Installations/Export']) {
      expect((await stranger.browser.get(`${path}${query}`)).status).toBe(422)
    }
  })
})

describe('the events of a developer', () => {
  const POSITION = /The event at position (\d+) as JSON/g
  let appId: string
  beforeAll(async () => {
    const app = await listedApp(console.developer, draft(newId()))
    appId = app.id
    await listedApp(stranger.developer, draft(newId()))
    const { install } = await newCustomer(market)
    await install({ appId, purchaseOptionId: 'free' })
    for (let times = 0; times < 12; times++) {
      for (const action of ['Unlist', 'List']) {
        await console.developer.send('POST', `/${appId}/${action}`)
      }
    }
    await fanOutAll(market.deps, console.id)
    await fanOutAll(market.deps, stranger.id)
  })

  test('have a file of their rows, newest first, with the filters', async () => {
    const positions = await allOf('/Events', POSITION)
    expect(positions.length).toBeGreaterThan(25)
    const file = await fileAt(exportOf((await get('/Events')).text))
    expect(file.map(({ Position }) => Position)).toEqual(positions)
    const query = `?appId=${appId.toUpperCase()}&type=installation.created`
    const [line, ...others] = await fileAt(exportOf((await get(`/Events${query}`)).text))
    const event = await market.deps.db.event.findFirstOrThrow({
      where: { appId, type: 'installation.created' },
    })
    expect(others).toEqual([])
    expect(line).toMatchObject({
      ...{ Position: String(event.position), Type: event.type, 'App ID': appId },
      ...{ 'Installation ID': event.installationId, Time: event.at.toISOString() },
    })
    expect(JSON.parse(line?.Data ?? '')).toMatchObject({
      ...{ appId, installationId: event.installationId, partyId: event.partyId },
    })
  })

  test('of another developer are neither listed nor in the file', async () => {
    for (const path of ['/Events', '/Events/Export', `/Events/Export?appId=${appId}`]) {
      const { status, text } = await stranger.browser.get(path)
      expect([status, text.includes(`"${appId}"`)]).toEqual([200, false])
    }
  })
})

describe('the deliveries of an endpoint', () => {
  const ID = /Deliveries\/([0-9a-f-]{36})"/g
  let list: string
  let endpointId: string
  const stored = () => storedDeliveries(market, endpointId)
  beforeAll(async () => {
    const app = await appWithWebhooks(console.developer)
    await layOut(market, app.appId)
    ;({ id: endpointId } = (await app.create()).body)
    await market.deps.pool.query(
      `INSERT INTO events (developer_id, app_id, type)
       SELECT $1, $2, CASE WHEN n <= 28 THEN 'app.listed' ELSE 'app.unlisted' END
       FROM generate_series(1, 30) AS n`,
      [console.id, app.appId],
    )
    await layOut(market, app.appId)
    const other = (await app.create()).body
    await console.developer.send('POST', `/${app.appId}/Unlist`)
    await layOut(market, app.appId)
    expect(await storedDeliveries(market, other.id)).toHaveLength(1)
    list = `/Apps/${app.appId}/Webhooks/${endpointId}/Deliveries`
  })

  test('are counted with the filters', async () => {
    for (const [query, count] of [
      ['', '31 deliveries'],
      ['?type=app.listed', '28 deliveries'],
      ['?type=app.listed&status=failed', undefined],
    ]) {
      const { text } = await get(`${list}${query}`)
      expect(/<p>(\d+ deliver\w+)<\/p>/.exec(text)?.[1]).toBe(count)
    }
  })

  test('refuse an order and a number of entries that there are not, as their file does', async () => {
    for (const query of ['sort=position', 'size=26', 'since=x']) {
      for (const path of [list, `${list}/Export`]) {
        expect((await get(`${path}?${query}`)).status).toBe(422)
      }
    }
    expect((await get(`${list}?cursor=x`)).status).toBe(400)
  })

  test('have a file of their rows, newest first, with the filters', async () => {
    const deliveries = (await stored()).toReversed()
    expect(await allOf(list, ID)).toEqual(deliveries.map(({ id }) => id))
    const file = await fileAt(exportOf((await get(list)).text))
    expect(file.map((line) => line['Event ID'])).toEqual(deliveries.map(({ eventId }) => eventId))
    const [newest] = deliveries
    await setDelivery(market, newest?.id ?? '', { attempts: [{ outcome: 'failed', status: 500 }] })
    const failed = (await stored()).at(-1)
    const { text } = await get(`${list}?status=failed`)
    expect(text).toContain('<p>1 delivery</p>')
    expect(text).toContain('Send again…')
    expect(await fileAt(exportOf(text))).toEqual([
      {
        ...{ 'Event ID': failed?.eventId, Type: 'app.unlisted', 'Installation ID': '' },
        ...{ State: 'Failed', Attempts: '1', 'Next attempt': '' },
        ...{ Created: failed?.createdAt.toISOString() },
        Finished: failed?.finishedAt?.toISOString(),
      },
    ])
  })

  test('of another developer are in no file', async () => {
    expect((await stranger.browser.get(`${list}/Export`)).status).toBe(404)
  })
})

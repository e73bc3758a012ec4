import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, largeParts, newId } from '../../../setup/apps.ts'
import { call, demoInstallation } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { noteStatements } from '../../../setup/statements.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

const catalogue = (query = '', headers = {}) => call(market, 'GET', `/v1/Apps${query}`, { headers })
const idsOf = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id)
const search = async (q: string) => idsOf(await catalogue(`?q=${encodeURIComponent(q)}`))

async function listed(changes: Record<string, unknown> = {}, id = newId()): Promise<string> {
  expect((await developer.create(draft(id, changes))).status).toBe(201)
  expect((await developer.list(id)).status).toBe(200)
  return id
}

describe('the public catalogue', () => {
  test('shows listed apps in the order of ids, the same as one by one', async () => {
    const { status, body } = await catalogue()
    expect(status).toBe(200)
    expect(idsOf({ body })).toEqual(['catalog-sync', 'price-sync', 'stock-watch'])
    for (const app of body) {
      expect((await call(market, 'GET', `/v1/Apps/${app.id}`)).body).toEqual(app)
    }
  })

  test('shows what buyers need, exactly these members', async () => {
    const { body } = await call(market, 'GET', '/v1/Apps/price-sync')
    expect(Object.keys(body).toSorted()).toEqual(
      (
        'acknowledgements createdAt description developerName icon id listed name partyTypes permissions ' +
        'purchaseOptions releaseNotes screenshots settings supportUrl tagline termsDocument updatedAt version websiteUrl'
      ).split(' '),
    )
  })

  test('never shows what is private', async () => {
    const id = await listed({
      authReturnUrl: 'https://private-return.example/',
      settings: {
        free: {
          visible: { type: 'text', name: 'Visible' },
          hidden: { type: 'text', name: 'PRIVATE-ADMIN', scope: 'admin' },
        },
      },
    })
    const { rows } = await market.deps.pool.query('SELECT id FROM developers')
    for (const path of [`/v1/Apps/${id}`, '/v1/Apps']) {
      const { text } = await call(market, 'GET', path)
      expect(text).toContain('"visible"')
      expect(text).not.toMatch(
        /private-return|PRIVATE-ADMIN|"hidden"|authReturnUrl|developerId|clientId|revision|nameKey|routing/,
      )
      for (const row of rows) expect(text).not.toContain(row.id)
    }
    expect((await developer.read(id)).body.settings.free.hidden.name).toBe('PRIVATE-ADMIN')
  })

  test('is the same for those who bring a token', async () => {
    const { text } = await catalogue()
    const own = await call(market, 'GET', '/v1/Apps', { token: developer.token })
    expect(own.text).toBe(text)
  })

  test('has no draft, nothing deleted or suspended, nor of a suspended developer', async () => {
    const gone = {
      draft: await listed(),
      deleted: await listed(),
      suspended: await listed(),
    }
    await developer.hide(gone.draft)
    await developer.remove(gone.deleted)
    const suspension = { suspendedAt: new Date(), suspendedReason: 'test' }
    await market.deps.db.app.update({ where: { id: gone.suspended }, data: suspension })
    const { developerId } = await market.deps.db.app.findUniqueOrThrow({
      where: { id: 'catalog-sync' },
    })
    const resume = () =>
      market.deps.db.developer.update({
        where: { id: developerId },
        data: { suspendedAt: null, suspendedReason: null },
      })
    onTestFinished(async () => void (await resume()))
    await market.deps.db.developer.update({ where: { id: developerId }, data: suspension })
    const ids = idsOf(await catalogue())
    for (const id of [...Object.values(gone), 'catalog-sync']) {
      expect(ids).not.toContain(id)
      for (const path of ['', '/TermsDocument', '/PurchaseOptions/free/Quote?records=1']) {
        expectProblem(await call(market, 'GET', `/v1/Apps/${id}${path}`), 'not_found')
      }
    }
    await resume()
    expect(idsOf(await catalogue())).toContain('catalog-sync')
    expect((await developer.read(gone.suspended)).body.suspended).toBe(true)
    expect(demoInstallation(market, 'catalog-sync')).toBeDefined()
  })
})

describe('the filter partyType', () => {
  test('finds the apps offered to that type', async () => {
    const buyers = await listed({ partyTypes: ['Buyer'] })
    const both = await listed({ partyTypes: ['Buyer', 'Seller'] })
    const ofBuyers = idsOf(await catalogue('?partyType=Buyer'))
    const ofSellers = idsOf(await catalogue('?partyType=Seller'))
    expect([ofBuyers.includes(buyers), ofBuyers.includes(both)]).toEqual([true, true])
    expect([ofSellers.includes(buyers), ofSellers.includes(both)]).toEqual([false, true])
    expect(ofBuyers).not.toContain('catalog-sync')
  })

  test.each(['None', 'buyer', '', 'Buyer,Seller'])('%j is 400', async (type) => {
    const answer = await catalogue(`?partyType=${type}`)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/partyType'])
  })

  test('an unknown parameter is 400', async () => {
    expect(pointersOf(await catalogue('?listed=false'))).toEqual(['/listed'])
  })
})

describe('the filter q', () => {
  test('finds all words in name, description or id, without regard to case', async () => {
    const id = await listed({ name: 'Zebra Crossing', description: 'For PEDESTRIANS only.' })
    for (const q of ['zebra', 'ZEBRA', 'pedestrian', 'crossing only', `  ${id}  `, 'only zeb']) {
      expect(await search(q)).toEqual([id])
    }
    expect(await search('zebra bicycle')).toEqual([])
  })

  test.each(['%', '_', '\\', "'", '"', '100%', 'a_b', '\\%', "'; DROP TABLE apps; --", '%_%'])(
    '%j stands for itself',
    async (q) => {
      const id = await listed({ name: `Odd ${newId()} ${q}` })
      const found = await search(q)
      expect(found).toContain(id)
      const { body } = await catalogue(`?q=${encodeURIComponent(q)}`)
      for (const app of body) {
        const texts = [app.name, app.description, app.id].map((text) => text.toLowerCase())
        for (const word of q.toLowerCase().split(' ')) {
          expect(texts.some((text) => text.includes(word))).toBe(true)
        }
      }
    },
  )

  test('that is empty or blank finds everything; over 200 characters is 400', async () => {
    const all = idsOf(await catalogue())
    expect(await search('')).toEqual(all)
    expect(await search('   ')).toEqual(all)
    expect(pointersOf(await catalogue(`?q=${'x'.repeat(201)}`))).toEqual(['/q'])
    expectProblem(await catalogue('?q=%00'), 'invalid_request')
  })

  test('looks for a word once, however often it is repeated', async () => {
    const statements = noteStatements(market.deps.pool)
    const sizes = async (q: string) => {
      statements.take()
      expect((await catalogue(`?q=${q}`)).status).toBe(200)
      return statements.take().map(({ values }) => values.length)
    }
    expect(await sizes('a+'.repeat(100))).toEqual(await sizes('a'))
  })

  test('looks for the first ten words', async () => {
    const words = Array.from({ length: 10 }, (_, index) => `word${index}`)
    const id = await listed({ description: words.join(' ') })
    expect(await search([...words, 'elsewhere'].join(' '))).toEqual([id])
    expect(await search([...words.slice(1), 'elsewhere'].join(' '))).toEqual([])
  })
})

describe('paging', () => {
  async function pages(query: string): Promise<string[]> {
    const ids: string[] = []
    let path: string | undefined = `/v1/Apps${query}`
    while (path !== undefined) {
      const page = await call(market, 'GET', path)
      expect(page.status).toBe(200)
      ids.push(...idsOf(page))
      path = /<[^/]+\/\/[^/]+([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    return ids
  }

  test.each([1, 2, 1000])('with limit %i gives every app once', async (limit) => {
    expect(await pages(`?limit=${limit}`)).toEqual(idsOf(await catalogue()))
  })

  test('ends with 1 MiB of definitions, and leads on', async () => {
    const large = { ...largeParts(), description: 'Apart' }
    const ids = [await listed(large), await listed(large), await listed(large)].toSorted()
    const { body, headers } = await catalogue('?q=apart')
    expect(idsOf({ body })).toEqual(ids.slice(0, 2))
    expect(headers.get('link')).toContain('rel="next"')
    expect(await pages('?q=apart')).toEqual(ids)

    const own = await developer.send('GET', '')
    expect(own.text.length).toBeLessThan(1.2 * 1024 * 1024)
    expect(own.headers.get('link')).toContain('rel="next"')
  })

  test('keeps the filters', async () => {
    expect(await pages('?limit=1&partyType=Buyer')).toEqual(
      idsOf(await catalogue('?partyType=Buyer')),
    )
  })

  test('a cursor of another list or with other filters, or forged, is 400', async () => {
    const { headers } = await catalogue('?limit=1')
    const cursor = /cursor=([^>&]+)/.exec(headers.get('link') ?? '')?.[1] ?? ''
    for (const query of [
      `?q=x&cursor=${cursor}`,
      `?cursor=${cursor}x`,
      '?cursor=abc',
      '?cursor=',
    ]) {
      expectProblem(await catalogue(query), 'invalid_cursor')
    }
    const own = await developer.send('GET', `?cursor=${cursor}`)
    expectProblem(own, 'invalid_cursor')
  })

  test.each(['0', '1001', '-1', '1.5', 'x', ''])('limit=%s is 400', async (limit) => {
    expectProblem(await catalogue(`?limit=${limit}`), 'invalid_request')
  })
})

describe('caching', () => {
  const PATHS = [
    '/v1/Apps',
    '/v1/Apps/price-sync',
    '/v1/Permissions',
    '/v1/Apps/price-sync/PurchaseOptions/free/Quote?records=1',
  ]
  test.each(PATHS)('%s has an ETag that answers 304 while nothing changes', async (path) => {
    const first = await call(market, 'GET', path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const second = await call(market, 'GET', path, { headers: { 'if-none-match': etag } })
    expect([second.status, second.text, second.headers.get('etag')]).toEqual([304, '', etag])
    expect(second.headers.has('content-length')).toBe(false)
    for (const condition of [`"other", W/${etag}`, '*']) {
      const known = await call(market, 'GET', path, { headers: { 'if-none-match': condition } })
      expect([condition, known.status]).toEqual([condition, 304])
    }
    const other = await call(market, 'GET', path, { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
  })

  test('a change gives another ETag at once', async () => {
    const id = await listed()
    const first = (await call(market, 'GET', `/v1/Apps/${id}`)).headers.get('etag') ?? ''
    await developer.put(draft(id, { description: 'Other' }))
    const headers = { 'if-none-match': first }
    const second = await call(market, 'GET', `/v1/Apps/${id}`, { headers })
    expect([second.status, second.body.description]).toEqual([200, 'Other'])
  })

  test('a first app on the next page gives another ETag: the page has a Link now', async () => {
    const description = 'Beside another'
    await listed({ description }, 'beside-one')
    const page = '?q=beside&limit=1'
    const first = await catalogue(page)
    expect([first.status, first.headers.get('link')]).toEqual([200, null])
    await listed({ description }, 'beside-two')
    const second = await catalogue(page, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([second.status, second.text]).toEqual([200, first.text])
    expect(second.headers.get('link')).toContain('rel="next"')
  })

  test('an error is not to be kept', async () => {
    const answer = await call(market, 'GET', '/v1/Apps/nope')
    expectProblem(answer, 'not_found')
    expect(answer.headers.get('etag')).toBeNull()
  })
})

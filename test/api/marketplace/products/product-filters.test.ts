import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool } from '../../../../src/base/database/client.ts'
import { createProductPages } from '../../../../src/marketplace/products/pages/product-pages-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { addProducts } from '../../../setup/products.ts'
import {
  noteStatements,
  openExplainer,
  readTooMuch,
  type Sent,
  withOnePlan,
} from '../../../setup/statements.ts'

let market: TestMarketplace
let seller: ProductParty
let ids: number[]
beforeAll(async () => {
  market = await startMarketplace()
  seller = await newProductParty(market)
  const { body } = await seller.batch([
    { brand: 'Wahl', partNumber: '79520-500', inStock: 5, shortDescription: 'Comfort Grip design' },
    { brand: 'Möbel & Co', partNumber: 'AB/12.3', inStock: 0, msrp: 10.5 },
    { brand: 'Wahl', partNumber: "o'hara\\x", inStock: 9, shortDescription: '100% "cotton"' },
  ])
  ids = body.map(({ id }: { id: number }) => id)
})
afterAll(() => market.close())

/** Places in the batch of the products that a query finds. */
async function found(query: string): Promise<number[]> {
  const { status, body } = await seller.list(query)
  expect(status).toBe(200)
  return body.map(({ id }: { id: number }) => ids.indexOf(id))
}

describe('filters', () => {
  test.each([
    ['brand=Wahl', [0, 2]],
    ['brand=wahl', []],
    ['inStockMin=5', [0, 2]],
    ['inStockMin=6&brand=Wahl', [2]],
    ['q=comfort', [0]],
    ['q=GRIP%20comf', [0]],
    ['q=79520', [0]],
    ['q=79520-500', [0]],
    ['q=500', [0]],
    ['q=m%C3%B6bel', [1]],
    ['q=12%20ab', [1]],
    ['q=hara', [2]],
    ["q=o'hara%5Cx", [2]],
    ['q=100%25%20%22cott', [2]],
    ['q=wahl', [0, 2]],
    ['q=wahl%20%26%20!grip', [0]],
    ['q=nothing', []],
    ['q=%E2%84%A2', []],
  ])('%s', async (query, expected) => {
    expect(await found(`?${query}`)).toEqual(expected)
  })

  test('q finds what is written the same in any script, though its case has rules of its own', async () => {
    const other = await newProductParty(market)
    const words = ['ΣΟΦΟΣ', 'İzmir', 'ÄRMEL', 'ДОМ']
    for (const word of words) {
      const { body } = await other.upsert({ brand: 'Q', partNumber: word, inStock: 1 })
      expect((await other.list(`?q=${encodeURIComponent(word)}`)).body).toEqual([body])
    }
  })

  test('ids, of which unknown ones are not missed', async () => {
    expect(await found(`?ids=${ids[2]},${ids[0]},999999999,${ids[2]}`)).toEqual([0, 2])
  })

  test('updatedSince', async () => {
    const since = new Date(Date.now() + 1).toISOString()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await seller.patch(ids[1] as number, { inStock: 1 })
    expect(await found(`?updatedSince=${since}`)).toEqual([1])
    expect(await found('?updatedSince=2001-01-01T00:00:00%2B02:00')).toEqual([0, 1, 2])
    expect(await found('?updatedSince=0001-01-01T00:00:00Z')).toEqual([0, 1, 2])
    expect(await found('?updatedSince=9999-12-31T23:59:59Z')).toEqual([])
  })

  test('fields narrow the answer, always with the id', async () => {
    const { body } = await seller.list(`?ids=${ids[1]}&fields=msrp,partNumber`)
    expect(body).toEqual([{ id: ids[1], partNumber: 'AB/12.3', msrp: 10.5 }])
    const all = 'id,brand,partNumber,inStock,shortDescription,msrp,mapPrice,upc'
    for (const [index, field] of all.split(',').entries()) {
      const { body: one } = await seller.list(`?ids=${ids[2]}&fields=${field}`)
      const whole = (await seller.read(ids[2] as number)).body
      expect(one).toEqual([index === 0 ? { id: ids[2] } : { id: ids[2], [field]: whole[field] }])
    }
    const { body: document } = await call(market, 'GET', '/openapi.json')
    const { schema } =
      document.paths['/v1/Products'].get.responses['200'].content['application/json']
    const name = schema.items.$ref.split('/').at(-1)
    expect(document.components.schemas[name].required).toEqual(['id'])
  })

  test.each([
    ['ids', 'ids=1,x'],
    ['ids', `ids=${Array.from({ length: 201 }, (_, id) => id + 1).join(',')}`],
    ['inStockMin', 'inStockMin=-1'],
    ['inStockMin', 'inStockMin=2147483648'],
    ['updatedSince', 'updatedSince=yesterday'],
    ['updatedSince', 'updatedSince=0000-01-01T00:00:00Z'],
    ['updatedSince', 'updatedSince=9999-12-31T23:59:59-23:59'],
    ['q', 'q=%20-%20'],
    ['q', 'q=%00'],
    ['fields', 'fields=id,colour'],
    ['colour', 'colour=red'],
    ['brand', 'brand=a&brand=b'],
  ])('a bad %s is 400: %#', async (name, query) => {
    const answer = await seller.list(`?${query}`)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([`/${name}`])
  })

  test('a text that is no time gets one error, which shows one', async () => {
    const { body } = await seller.list('?updatedSince=yesterday')
    expect(body.errors).toHaveLength(1)
    expect(body.errors[0].detail).toContain('2026')
  })
})

describe('beside a large catalogue', () => {
  const PRODUCTS = new Set(['products'])
  /** More than twice a page of 100, and a fortieth of the catalogue. */
  const BOUNDS = { rows: 500, indexRows: 500 }
  let large: ProductParty
  let small: ProductParty
  let buyer: ProductParty
  let statements: ReturnType<typeof noteStatements>
  let explainer: pg.Client
  beforeAll(async () => {
    const { pool } = market.deps
    explainer = await openExplainer(market.databaseUrl)
    large = await newProductParty(market)
    small = await newProductParty(market)
    buyer = await newProductParty(market, 'Buyer')
    await explainer.query(
      `INSERT INTO products (party_id, brand, part_number, in_stock, short_description, body, updated_at)
       SELECT $1, 'B', 'many ' || n, 1, 'steel' || CASE WHEN n = 15000 THEN ' needle' ELSE '' END,
         '"brand":"B","partNumber":"many ' || n || '"}',
         CASE WHEN n % 500 = 0 THEN timestamptz '2026-03-01'
           ELSE timestamptz '2020-03-01' + n * interval '1 minute' END
       FROM generate_series(1, 20000) AS n`,
      [large.partyId],
    )
    await addProducts(pool, small.partyId, [{ brand: 'S', partNumber: 'steel 1' }])
    for (const one of [small, await newProductParty(market), await newProductParty(market)]) {
      await connect(market, buyer, one)
    }
    // The names of columns leave out the words: Postgres then takes every word for a common one.
    await explainer.query(
      'VACUUM ANALYZE products (id, party_id, brand, part_number, in_stock, updated_at)',
    )
    statements = noteStatements(pool)
  })
  afterAll(() => explainer.end())

  /** How many products an answer has, and what its statements read in vain. */
  async function lookedAt(ask: Promise<{ status: number; text: string }>) {
    statements.take()
    const { status, text } = await ask
    expect(status).toBe(200)
    const faults: string[] = []
    for (const sent of statements.take()) {
      if (!sent.text.includes('FROM products')) continue
      faults.push(...(await readTooMuch(explainer, sent, PRODUCTS, BOUNDS)))
    }
    return { found: text.match(/"partNumber":/g)?.length ?? 0, faults }
  }

  test.each([
    ['', 100],
    ['q=steel', 100],
    ['limit=5&q=nowhere', 0],
    ['limit=5&q=needle', 1],
    ['q=steel%20needle&brand=B', 1],
    ['partNumber=many%2077', 1],
    ['brand=B&inStockMin=1', 100],
    ['updatedSince=2026-02-01T00:00:00Z', 40],
    ['updatedSince=2020-02-01T00:00:00Z', 100],
  ])('a page of "%s" reads no more than it has to', async (query, found) => {
    const page = await lookedAt(
      large.list(`?${query.includes('limit=') ? '' : 'limit=100&'}${query}`),
    )
    expect(page).toEqual({ found, faults: [] })
  })

  test.each(['', 'q=steel', 'q=nowhere'])(
    'a small Seller and a Buyer read no other products for "%s"',
    async (query) => {
      const found = query === 'q=nowhere' ? 0 : 1
      for (const one of [small, buyer]) {
        expect(await lookedAt(one.list(`?limit=100&${query}`))).toEqual({ found, faults: [] })
        expect(await lookedAt(one.export(`?${query}`))).toEqual({ found, faults: [] })
      }
    },
  )

  test('an export of rare words reads no more than it has to', async () => {
    expect(await lookedAt(large.export('?q=nowhere'))).toEqual({ found: 0, faults: [] })
    expect(await lookedAt(large.export('?q=needle'))).toEqual({ found: 1, faults: [] })
  })

  test('a page that Postgres has planned for any Seller reads no others', async () => {
    const pool = openPool({
      connectionString: market.databaseUrl,
      poolSize: 1,
      // A lost connection fails its query. After the end the database is dropped, which may come first.
      onIdleError: () => {},
    })
    try {
      const sent = noteStatements(pool)
      const pages = createProductPages({ pool, replica: undefined }, 0)
      for (const partyType of ['Seller', 'Buyer'] as const) {
        const { partyId } = partyType === 'Seller' ? small : buyer
        const viewer = { partyId, partyType, catalogue: '' }
        const question = { query: {}, after: 0, limit: 100 }
        sent.take()
        await pages.read(pages.nameOf(viewer, question), viewer, question)
        const [page, ...more] = sent.take()
        expect(more).toEqual([])
        const planned = await withOnePlan(pool, partyType, page as Sent)
        expect(await readTooMuch(pool, planned, PRODUCTS, BOUNDS)).toEqual([])
      }
    } finally {
      await pool.end()
    }
  })
})

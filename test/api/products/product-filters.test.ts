import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { productConditions } from '../../../src/products/pages/product-query.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { expectProblem, pointersOf } from '../../setup/expect-problem.ts'
import { newProductParty, type ProductParty } from '../../setup/product-client.ts'

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

  test.each([
    ['finds few that changed lately by their time', '2026-02-01T00:00:00Z', /updated_at_idx/],
    [
      'goes through the ids when nearly all changed since',
      '2020-02-01T00:00:00Z',
      /Index Cond: [^"]*\(id > 0\)/,
    ],
  ])('updatedSince in a large catalogue %s', async (_what, since, plan) => {
    const client = await market.deps.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO products (party_id, brand, part_number, in_stock, body, updated_at)
         SELECT $1, 'B', 'many ' || n, 1, '', CASE WHEN n % 500 = 0 THEN timestamptz '2026-03-01'
           ELSE timestamptz '2020-03-01' + n * interval '1 minute' END
         FROM generate_series(1, 20000) AS n`,
        [seller.partyId],
      )
      await client.query('ANALYZE products')
      const { sql, values } = productConditions({ updatedSince: new Date(since) }, 2)
      const { rows } = await client.query(
        `EXPLAIN SELECT p.body FROM products p WHERE p.party_id = $1 AND p.id > 0${sql}
         ORDER BY p.id LIMIT 101`,
        [seller.partyId, ...values],
      )
      expect(JSON.stringify(rows)).toMatch(plan)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })

  test('a text search in a large catalogue uses the index', async () => {
    const client = await market.deps.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SET LOCAL enable_seqscan = off')
      await client.query('SET LOCAL enable_indexscan = off')
      const { sql, values } = productConditions({ q: ['grip'] }, 1)
      const { rows } = await client.query(
        `EXPLAIN SELECT 1 FROM products p WHERE true${sql}`,
        values,
      )
      expect(JSON.stringify(rows)).toContain('products_text_search_idx')
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })
})

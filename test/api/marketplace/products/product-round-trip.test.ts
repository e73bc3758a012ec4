import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'

const CSV = 'text/csv'
const NDJSON = 'application/x-ndjson'

let market: TestMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await startMarketplace()
  seller = await newProductParty(market)
  const file = await readFile(new URL('../../../../demo/products.csv', import.meta.url), 'utf8')
  expect((await seller.import(file)).status).toBe(200)
  await seller.upsert({
    brand: '"Quoted", Ltd.',
    partNumber: "=1+1;'a\\b",
    inStock: 2_147_483_647,
    shortDescription: ' two\nlines,\r\nthree\t"cells" 😀 ',
    msrp: 999_999_999_999.99,
    mapPrice: 0,
    upc: '043917795164',
  })
  await seller.upsert({ brand: 'plain', partNumber: 'null', inStock: 0 })
})
afterAll(() => market.close())

async function idOf(partNumber: string): Promise<number> {
  const { body } = await seller.list(`?partNumber=${encodeURIComponent(partNumber)}`)
  return body[0].id
}

describe('an export that is imported again', () => {
  test.each([CSV, NDJSON])('%s changes nothing', async (type) => {
    const before = await seller.list()
    const file = await seller.export('', type)
    expect(file.headers.get('content-type')).toContain(type)
    const { status, body } = await seller.import(file.text, type)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      rowsRead: before.body.length,
      rowsUnchanged: before.body.length,
      rowsCreated: 0,
      rowsUpdated: 0,
      rowsRefused: 0,
    })
    expect((await seller.list()).headers.get('etag')).toBe(before.headers.get('etag'))
  })

  test('makes the same products elsewhere once its ids are null', async () => {
    const other = await newProductParty(market)
    const { text } = await seller.export()
    const withoutIds = text.replaceAll(/^\{"id":\d+,/gm, '{"id":null,')
    expect((await other.import(withoutIds, NDJSON)).body.rowsCreated).toBeGreaterThan(2)
    const records = async (party: ProductParty) =>
      (await party.export('')).text
        .replaceAll(/^\{"id":\d+,/gm, '{')
        .split('\n')
        .sort()
    expect(await records(other)).toEqual(await records(seller))
  })
})

describe('an export as CSV', () => {
  test('names its columns, quotes texts and leaves the cells of null empty', async () => {
    const { text, headers } = await seller.export('?partNumber=null', CSV)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(text).toBe(
      'id,brand,partNumber,inStock,shortDescription,msrp,mapPrice,upc\r\n' +
        `${await idOf('null')},"plain","null",0,,,,\r\n`,
    )
  })

  test('has the asked fields only, and its columns also when nothing matches', async () => {
    const { text } = await seller.export('?fields=inStock,brand&brand=none', CSV)
    expect(text).toBe('id,brand,inStock\r\n')
  })

  test('of a Buyer names the columns once, over all its Sellers', async () => {
    const buyer = await newProductParty(market, 'Buyer')
    expect((await buyer.export('?fields=brand', CSV)).text).toBe('id,brand\r\n')
    const second = await newProductParty(market)
    await second.upsert({ brand: 'Second', partNumber: '1', inStock: 1 })
    await connect(market, buyer, second)
    const third = await newProductParty(market)
    await third.upsert({ brand: 'Third', partNumber: '1', inStock: 1 })
    await connect(market, buyer, third)
    expect((await buyer.export('?fields=brand', CSV)).text).toMatch(
      /^id,brand\r\n\d+,"Second"\r\n\d+,"Third"\r\n$/,
    )
  })

  test.each([
    ['text/csv, application/x-ndjson', NDJSON],
    ['text/csv, application/x-ndjson;q=0.9', 'text/csv; charset=utf-8; header=present'],
    ['text/csv;q=0.5, application/json', 'application/json; charset=utf-8'],
  ])('Accept: %s is answered with %s', async (accept, type) => {
    const { headers } = await seller.send('GET', '', undefined, { accept })
    expect(headers.get('content-type')).toBe(type)
  })
})

describe('an id in an import', () => {
  const problem = {
    pointer: '/id',
    detail: 'is not the id of the product with this brand and part number; new products have none',
  }
  const line = (record: object) => JSON.stringify({ brand: 'plain', inStock: 7, ...record })

  test('that is another product’s, or of no product, refuses the file', async () => {
    const id = await idOf("=1+1;'a\\b")
    const file = [
      line({ partNumber: 'null', id }),
      line({ partNumber: 'new', id: 987_654_321 }),
      line({ partNumber: 'fine' }),
    ].join('\n')
    const answer = await seller.import(file, NDJSON)
    expectProblem(answer, 'import_refused')
    expect(answer.body.errors).toEqual([
      { line: 1, ...problem },
      { line: 2, ...problem },
    ])
    expect((await seller.list('?partNumber=fine')).body).toEqual([])

    const skipped = await seller.import(file, NDJSON, '?onError=skip')
    expect(skipped.body).toMatchObject({ rowsCreated: 1, rowsRefused: 2, errorCount: 2 })
  })

  test('of another account’s product refuses the file', async () => {
    const other = await newProductParty(market)
    await other.upsert({ brand: 'Theirs', partNumber: '1', inStock: 1 })
    const { text } = await other.export('', CSV)
    expectProblem(await seller.import(text), 'import_refused')
    expect((await seller.list('?brand=Theirs')).body).toEqual([])
  })

  test.each(['1', 1.5, 0, -1, true, {}, 1e300])('%j is no id', async (id) => {
    const { body } = await seller.import(line({ partNumber: 'null', id }), NDJSON)
    expect(body.errors).toEqual([
      { line: 1, pointer: '/id', detail: 'must be the id of a product: a whole number' },
    ])
  })

  test('in an empty cell is none', async () => {
    const file = 'ID,brand,partNumber,inStock\n,Cell,1,1\nx,Cell,2,1\n'
    const { body } = await seller.import(file, CSV, '?onError=skip')
    expect(body).toMatchObject({ rowsCreated: 1, rowsRefused: 1, errors: [{ pointer: '/id' }] })
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { untilWaiting } from '../../../setup/turns.ts'

let market: SharedMarketplace
let seller: ProductParty
let buyer: ProductParty
let other: ProductParty
beforeAll(async () => {
  market = await sharedMarketplace()
  seller = await newProductParty(market)
  other = await newProductParty(market)
  buyer = await newProductParty(market, 'Buyer')
  await connect(market, buyer, seller)
})

const WAHL = { brand: 'Wahl', partNumber: 'W-1', inStock: 3 }
const FULL = {
  shortDescription: 'Ünïcode "quotes" \\ and\ttabs\nlines 😀',
  msrp: 26.99,
  mapPrice: 0.1,
  upc: '043917795164',
}

describe('upserting one', () => {
  test('creates it with 201 and its address, then replaces it as a whole with 200', async () => {
    const created = await seller.upsert({ ...WAHL, ...FULL })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({ id: expect.any(Number), ...WAHL, ...FULL })
    expect(created.headers.get('location')).toBe(`/v1/Products/${created.body.id}`)
    expect((await seller.read(created.body.id)).body).toEqual(created.body)

    const replaced = await seller.upsert({ ...WAHL, inStock: 0 })
    expect(replaced.status).toBe(200)
    const nothing = { shortDescription: null, msrp: null, mapPrice: null, upc: null }
    expect(replaced.body).toEqual({ id: created.body.id, ...WAHL, inStock: 0, ...nothing })
    expect((await seller.read(created.body.id)).body).toEqual(replaced.body)
  })

  test('with a wrong check digit warns of it, in the answer to the write only', async () => {
    const warnings = [{ pointer: '/upc', detail: 'has a wrong check digit' }]
    const wrong = { ...WAHL, partNumber: 'digit', upc: '043917795165' }
    const created = await seller.upsert(wrong)
    expect(created.status).toBe(201)
    const { id } = created.body
    const nothing = { shortDescription: null, msrp: null, mapPrice: null }
    const product = { id, ...wrong, ...nothing }
    expect(created.body).toEqual({ ...product, warnings })
    expect((await seller.upsert(wrong)).body).toEqual({ ...product, warnings })
    const patched = await seller.patch(id, { upc: '043917795166' })
    expect(patched.body).toEqual({ ...product, upc: '043917795166', warnings })
    expect((await seller.patch(id, { upc: '043917795164' })).body).not.toHaveProperty('warnings')
    await seller.upsert(wrong)
    expect((await seller.read(id)).body).toEqual(product)
  })

  test('that changes nothing leaves the revision', async () => {
    await seller.upsert(WAHL)
    const before = await revisions()
    expect((await seller.upsert(WAHL)).status).toBe(200)
    expect(await revisions()).toEqual(before)
    await seller.upsert({ ...WAHL, inStock: 77 })
    expect(await revisions()).not.toEqual(before)
  })

  test('of a key with spaces around it is that of the key without', async () => {
    const { body } = await seller.upsert({ ...WAHL, brand: ' Wahl ', partNumber: ' W-2\t' })
    expect(body).toMatchObject({ brand: 'Wahl', partNumber: 'W-2' })
  })

  test('takes a key of 200 characters of any script, as batches, imports and filters do', async () => {
    const emoji = (first: number) =>
      Array.from({ length: 200 }, (_, index) => String.fromCodePoint(first + index)).join('')
    const long = { brand: emoji(0x1f300), partNumber: emoji(0x1f400), inStock: 1 }
    const { status, body } = await seller.upsert(long)
    expect(status).toBe(201)
    expect((await seller.batch([long])).body).toMatchObject([{ status: 'unchanged' }])
    expect((await seller.import(JSON.stringify(long), 'application/x-ndjson')).body).toMatchObject({
      rowsUnchanged: 1,
    })
    const found = await seller.list(`?brand=${encodeURIComponent(long.brand)}`)
    expect(found.body).toEqual([body])
  })

  test('stays with the party: the same key elsewhere is another product', async () => {
    const { body: own } = await seller.upsert({ ...WAHL, partNumber: 'shared' })
    const foreign = await other.upsert({ ...WAHL, partNumber: 'shared' })
    expect(foreign.status).toBe(201)
    expect(foreign.body.id).not.toBe(own.id)
    expectProblem(await other.read(own.id), 'not_found')
  })

  test('at once by many makes one product', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, inStock) =>
        seller.upsert({ brand: 'Race', partNumber: 'R', inStock }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  test.each([
    ['a missing part number', { brand: 'B', inStock: 1 }, 400, '/partNumber'],
    ['a stock in text', { ...WAHL, inStock: '1' }, 400, '/inStock'],
    ['an empty brand', { ...WAHL, brand: '  ' }, 422, '/brand'],
    ['a negative stock', { ...WAHL, inStock: -1 }, 422, '/inStock'],
    ['a price with 3 decimals', { ...WAHL, msrp: 1.005 }, 422, '/msrp'],
    ['a UPC of 11 digits', { ...WAHL, upc: '12345678901' }, 422, '/upc'],
    ['an id', { ...WAHL, id: 5 }, 400, '/id'],
    ['an unknown field', { ...WAHL, colour: 'red' }, 400, '/colour'],
  ])('with %s is refused', async (_what, body, status, pointer) => {
    const answer = await seller.upsert(body)
    expectProblem(answer, status === 400 ? 'invalid_request' : 'unprocessable')
    expect(pointersOf(answer)).toEqual([pointer])
  })
})

describe('patching', () => {
  test('changes what is given and keeps the rest', async () => {
    const { body } = await seller.upsert({ ...WAHL, ...FULL, partNumber: 'P-1' })
    const patched = await seller.patch(body.id, { inStock: 9, mapPrice: null })
    expect(patched.status).toBe(200)
    expect(patched.body).toEqual({ ...body, inStock: 9, mapPrice: null })
    expect((await seller.read(body.id)).body).toEqual(patched.body)
  })

  test('to the key of another product is 409', async () => {
    await seller.upsert({ ...WAHL, partNumber: 'P-2' })
    const { body } = await seller.upsert({ ...WAHL, partNumber: 'P-3' })
    expectProblem(await seller.patch(body.id, { partNumber: 'P-2' }), 'already_exists')
    expect((await seller.read(body.id)).body).toEqual(body)
  })

  test('away what is required is refused', async () => {
    const { body } = await seller.upsert({ ...WAHL, partNumber: 'P-4' })
    const answer = await seller.patch(body.id, { brand: null })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(await seller.patch(body.id, { msrp: 0.001 }))).toEqual(['/msrp'])
  })
})

describe('deleting', () => {
  test('is 204, then it is gone; a new one has another id', async () => {
    const { body } = await seller.upsert({ ...WAHL, partNumber: 'D-1' })
    expect((await seller.remove(body.id)).status).toBe(204)
    expectProblem(await seller.read(body.id), 'not_found')
    expectProblem(await seller.remove(body.id), 'not_found')
    const again = await seller.upsert({ ...WAHL, partNumber: 'D-1' })
    expect(again.status).toBe(201)
    expect(again.body.id).not.toBe(body.id)
  })
})

describe('nobody changes what is not theirs', () => {
  test("another party's product is 404", async () => {
    const { body } = await seller.upsert({ ...WAHL, partNumber: 'O-1' })
    expectProblem(await other.patch(body.id, { inStock: 0 }), 'not_found')
    expectProblem(await other.remove(body.id), 'not_found')
    expect((await seller.read(body.id)).body).toEqual(body)
  })

  test('without products:write it is 403', async () => {
    const reader = await newProductParty(market, 'Seller', ['products:read'])
    expectProblem(await reader.upsert(WAHL), 'insufficient_scope')
    expectProblem(await reader.batch([WAHL]), 'insufficient_scope')
    expectProblem(await reader.patch(1, {}), 'insufficient_scope')
    expectProblem(await reader.remove(1), 'insufficient_scope')
  })

  test('a Buyer has no products of its own: 403 says so', async () => {
    const { body } = await seller.upsert({ ...WAHL, partNumber: 'O-2' })
    expect((await buyer.read(body.id)).status).toBe(200)
    expectProblem(await buyer.upsert(WAHL), 'seller_required')
    expectProblem(await buyer.batch([WAHL]), 'seller_required')
    expectProblem(await buyer.patch(body.id, { inStock: 0 }), 'seller_required')
    expectProblem(await buyer.remove(body.id), 'seller_required')
  })
})

async function revisions() {
  const { rows } = await market.deps.pool.query(
    'SELECT id, catalogue_revision FROM parties ORDER BY id',
  )
  return rows
}

test('a write is seen by the next read of everybody who may see it', async () => {
  const { body } = await seller.upsert({ ...WAHL, partNumber: 'seen' })
  for (let inStock = 100; inStock < 120; inStock++) {
    await seller.patch(body.id, { inStock })
    for (const reader of [seller, buyer]) {
      const page = await reader.list('?partNumber=seen')
      expect(page.body).toEqual([{ ...body, inStock }])
    }
  }
})

test('writers that wait for a long change of their party leave the database to others', async () => {
  const { pool } = market.deps
  const change = await pool.connect()
  await change.query('BEGIN')
  await change.query('UPDATE parties SET name = name WHERE id = $1', [seller.partyId])
  const writes = Array.from({ length: 40 }, (_, n) =>
    seller.upsert({ ...WAHL, partNumber: `waiting ${n}` }),
  )
  try {
    await untilWaiting(market, 1)
    expect((await other.list('?limit=7')).status).toBe(200)
  } finally {
    await change.query('COMMIT')
    change.release()
  }
  expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([201]))
})

import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import type { Answer } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { untilWaiting } from '../../../setup/turns.ts'

let market: SharedMarketplace
let seller: ProductParty
let buyer: ProductParty
beforeAll(async () => {
  market = await sharedMarketplace()
  seller = await newProductParty(market)
  buyer = await newProductParty(market, 'Buyer')
  await connect(market, buyer, seller)
})

const tagOf = ({ headers }: Answer) => headers.get('etag') ?? ''
const readTag = async (id: number) => tagOf(await seller.read(id))

let count = 0
/** A new product and the ETag that its creation answered. */
async function newProduct() {
  count += 1
  const record = { brand: 'Wahl', partNumber: `C-${count}`, inStock: 3 }
  const created = await seller.upsert(record)
  return { id: created.body.id as number, record, etag: tagOf(created) }
}

describe('the ETag of a product', () => {
  test('comes with every answer that shows it, the same one for all who see it', async () => {
    const { id, record, etag } = await newProduct()
    expect(etag).toMatch(/^"\d+"$/)
    for (const reader of [seller, buyer]) expect(tagOf(await reader.read(id))).toBe(etag)
    const patched = await seller.patch(id, { inStock: 4 })
    expect(tagOf(patched)).not.toBe(etag)
    expect(await readTag(id)).toBe(tagOf(patched))
    const replaced = await seller.upsert(record)
    expect(tagOf(replaced)).not.toBe(tagOf(patched))
    expect(await readTag(id)).toBe(tagOf(replaced))
  })

  test('stays as long as nothing is changed, whoever writes it again', async () => {
    const { id, record, etag } = await newProduct()
    await newProduct()
    expect(tagOf(await seller.upsert(record))).toBe(etag)
    expect(tagOf(await seller.patch(id, { inStock: 3 }))).toBe(etag)
    await seller.batch([record, { ...record, partNumber: 'another', inStock: count }])
    await seller.import(
      `brand,partNumber,inStock\nWahl,${record.partNumber},3\nWahl,new-${count},1`,
    )
    expect(await readTag(id)).toBe(etag)
  })

  test.each([
    ['a batch', (record: object) => seller.batch([{ ...record, inStock: 99 }])],
    [
      'an import',
      (record: { partNumber: string }) =>
        seller.import(`brand,partNumber,inStock\nWahl,${record.partNumber},99`),
    ],
  ])('changes with what %s changes', async (_what, write) => {
    const { id, record, etag } = await newProduct()
    expect((await write(record)).status).toBe(200)
    expect(await readTag(id)).not.toBe(etag)
    expectProblem(
      await seller.patch(id, { inStock: 1 }, { 'if-match': etag }),
      'precondition_failed',
    )
  })

  test('in If-None-Match is answered with 304 until the product changes', async () => {
    const { id, etag } = await newProduct()
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const same = await seller.read(id, { 'if-none-match': condition })
      expect(same.status).toBe(304)
      expect(same.text).toBe('')
      expect(tagOf(same)).toBe(etag)
      expect(same.headers.get('cache-control')).toBe('private, no-cache, no-transform')
    }
    await seller.patch(id, { inStock: 8 })
    const changed = await seller.read(id, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.body.inStock).toBe(8)
  })

  test('in If-None-Match opens nothing that is not seen', async () => {
    const { id } = await newProduct()
    const other = await newProductParty(market)
    expectProblem(await other.read(id, { 'if-none-match': '*' }), 'not_found')
  })
})

describe('If-Match', () => {
  test('lets the first of two writers through and refuses the second', async () => {
    const { id, etag } = await newProduct()
    const first = await seller.patch(id, { inStock: 10 }, { 'if-match': etag })
    expect(first.status).toBe(200)
    const second = await seller.patch(id, { inStock: 20 }, { 'if-match': etag })
    expectProblem(second, 'precondition_failed')
    expectProblem(await seller.remove(id, { 'if-match': etag }), 'precondition_failed')
    const { body } = await seller.read(id)
    expect(body.inStock).toBe(10)
    expect((await seller.remove(id, { 'if-match': tagOf(first) })).status).toBe(204)
  })

  test('of many writers at once lets exactly one through', async () => {
    const { id, etag } = await newProduct()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 5 === 4
          ? seller.remove(id, { 'if-match': etag })
          : seller.patch(id, { inStock: 100 + n }, { 'if-match': etag }),
      ),
    )
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status >= 300)) {
      expect(['not_found', 'precondition_failed']).toContain(answer.body.code)
    }
  })

  test.each([
    ['a patch', (id: number, headers: object) => seller.patch(id, { inStock: 5 }, headers)],
    ['a deletion', (id: number, headers: object) => seller.remove(id, headers)],
  ])('of %s meets what another process is about to commit', async (_what, write) => {
    const { id, etag } = await newProduct()
    const other = await market.deps.pool.connect()
    try {
      await other.query('BEGIN')
      await other.query(
        `WITH raised AS (UPDATE parties SET catalogue_revision = catalogue_revision + 1
           WHERE id = $1 RETURNING catalogue_revision)
         UPDATE products SET revision = catalogue_revision FROM raised WHERE products.id = $2`,
        [seller.partyId, id],
      )
      const answer = write(id, { 'if-match': etag })
      await untilWaiting(market, 1)
      await other.query('COMMIT')
      expectProblem(await answer, 'precondition_failed')
      expect((await seller.read(id)).body.inStock).toBe(3)
    } finally {
      other.release()
    }
  })

  test('that is stale changes nothing and leaves the catalogue as it is', async () => {
    const { id } = await newProduct()
    const before = await seller.list()
    expectProblem(
      await seller.patch(id, { inStock: 9 }, { 'if-match': '"0"' }),
      'precondition_failed',
    )
    expectProblem(await seller.remove(id, { 'if-match': '"0"' }), 'precondition_failed')
    const after = await seller.list()
    expect(tagOf(after)).toBe(tagOf(before))
    expect(after.body).toEqual(before.body)
  })

  test('a list of ETags takes a product that has one of them', async () => {
    const { id, etag } = await newProduct()
    const changed = await seller.patch(id, { inStock: 5 }, { 'if-match': `"0", ${etag}` })
    expect(changed.status).toBe(200)
    const headers = { 'if-match': `${etag}, ${tagOf(changed)}` }
    expect((await seller.remove(id, headers)).status).toBe(204)
  })

  test('* is any product, and one that is not there stays 404', async () => {
    const { id, etag } = await newProduct()
    expect((await seller.patch(id, { inStock: 5 }, { 'if-match': '*' })).status).toBe(200)
    expect((await seller.remove(id, { 'if-match': '*' })).status).toBe(204)
    expectProblem(await seller.patch(id, {}, { 'if-match': etag }), 'not_found')
    expectProblem(await seller.remove(id, { 'if-match': '*' }), 'not_found')
  })

  test.each(['', 'W/"1"', '1', '"01"', '"1", 2', '"9999999999999999"', '"1e3"', '"-1"'])(
    '%j is 412',
    async (condition) => {
      const { id } = await newProduct()
      const headers = { 'if-match': condition }
      expectProblem(await seller.patch(id, { inStock: 1 }, headers), 'precondition_failed')
      expectProblem(await seller.remove(id, headers), 'precondition_failed')
    },
  )
})

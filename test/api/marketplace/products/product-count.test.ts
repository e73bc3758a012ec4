import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countProducts } from '../../../../src/marketplace/products/count-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { addProducts } from '../../../setup/products.ts'
import { randomOf } from '../../../setup/random.ts'

let market: TestMarketplace
let sellers: ProductParty[]
beforeAll(async () => {
  market = await startMarketplace()
  sellers = await Promise.all(Array.from({ length: 3 }, () => newProductParty(market)))
})
afterAll(() => market.close())

/** Parties whose kept count is not the number of their products. */
async function wrongCounts() {
  const { rows } = await market.deps.pool.query(
    `SELECT id, product_count, (SELECT count(*)::int FROM products WHERE party_id = parties.id)
     FROM parties
     WHERE product_count <> (SELECT count(*) FROM products WHERE party_id = parties.id)`,
  )
  return rows
}

const seenBy = ({ partyId }: ProductParty, partyType: 'Buyer' | 'Seller' = 'Seller') =>
  countProducts(market.deps, { partyId, partyType })

describe('the kept count of products', () => {
  test('is right for the demo and its sandboxes', async () => {
    expect(await wrongCounts()).toEqual([])
    expect(
      await market.deps.db.party.count({ where: { productCount: { gt: 0 } } }),
    ).toBeGreaterThan(2)
  })

  test('is the number of products after every mix of writes, races included', async () => {
    const random = randomOf(12)
    const record = () => ({ brand: 'B', partNumber: `P${random(40)}`, inStock: random(3) })
    const records = (count: number) => Array.from({ length: count }, record)
    const someId = async ({ partyId }: ProductParty) => {
      const ids = await market.deps.db.product.findMany({
        where: { partyId },
        select: { id: true },
      })
      return Number(ids[random(ids.length || 1)]?.id ?? 0)
    }
    const lines = (count: number) => records(count).map((one) => JSON.stringify(one))
    const { pool } = market.deps
    const writes: ((seller: ProductParty) => Promise<unknown>)[] = [
      (seller) => seller.upsert(record()),
      (seller) => seller.batch(records(10)),
      (seller) => seller.import(lines(20).join('\n'), 'application/x-ndjson', '?onError=skip'),
      (seller) => seller.import('{}\n', 'application/x-ndjson'),
      async (seller) => seller.remove(await someId(seller)),
      async (seller) => seller.patch(await someId(seller), record()),
      // As another release may write, which knows nothing of the count.
      ({ partyId }) => addProducts(pool, partyId, [{ brand: 'R', partNumber: `${random(1e9)}` }]),
      ({ partyId }) =>
        pool.query('DELETE FROM products WHERE party_id >= $1 AND in_stock = $2', [
          partyId,
          random(3),
        ]),
    ]
    for (let round = 0; round < 12; round++) {
      const chosen = Array.from({ length: 8 }, () => ({
        write: writes[random(writes.length)] as (typeof writes)[number],
        seller: sellers[random(sellers.length)] as ProductParty,
      }))
      // Statements over several parties at once may meet in a deadlock, which undoes one of them.
      await Promise.allSettled(chosen.map(({ write, seller }) => write(seller)))
      expect(await wrongCounts(), `after round ${round}`).toEqual([])
    }
    expect(await seenBy(sellers[0] as ProductParty)).toBe(
      await market.deps.db.product.count({ where: { partyId: sellers[0]?.partyId as number } }),
    )
  })

  test('of a Buyer is the sum over its Sellers', async () => {
    const buyer = await newProductParty(market, 'Buyer')
    const [one, two] = [await newProductParty(market), await newProductParty(market)]
    expect(await seenBy(buyer, 'Buyer')).toBe(0)
    await one.batch([1, 2, 3].map((n) => ({ brand: 'B', partNumber: `${n}`, inStock: 1 })))
    await two.upsert({ brand: 'B', partNumber: '1', inStock: 1 })
    await connect(market, buyer, one)
    await connect(market, buyer, two)
    expect(await seenBy(buyer, 'Buyer')).toBe(4)
  })

  test('is 0 after a TRUNCATE, and no product changes its party', async () => {
    const { pool } = market.deps
    const { id } = await market.deps.db.product.findFirstOrThrow()
    const move = pool.query('UPDATE products SET party_id = party_id WHERE id = $1', [id])
    await expect(move).rejects.toMatchObject({ code: '23001' })
    await pool.query('TRUNCATE products')
    expect(await wrongCounts()).toEqual([])
  })
})

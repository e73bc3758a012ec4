import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { removeConnection } from '../../../../src/identity/accounts/connections-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { noteStatements } from '../../../setup/statements.ts'

type Change = { type: 'upsert' | 'delete'; id: number; product?: { id: number; inStock: number } }

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const record = (partNumber: string, inStock = 1) => ({ brand: 'B', partNumber, inStock })

/** Follows the feed of a party as a careful client does. */
function follower(party: ProductParty, limit = 1000) {
  let next = `/v1/Products/Changes?limit=${limit}`
  const products = new Map<number, unknown>()
  return {
    products,
    link: () => next,
    /** Reads until there is nothing new; answers with all changes. */
    async catchUp(): Promise<Change[]> {
      const all: Change[] = []
      for (;;) {
        const { status, body, headers } = await call(market, 'GET', next, { token: party.token })
        expect(status).toBe(200)
        const link = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
        next = (link as string).slice(market.url.length)
        for (const change of body as Change[]) {
          if (change.type === 'upsert') products.set(change.id, change.product)
          else products.delete(change.id)
        }
        all.push(...body)
        if (body.length === 0) return all
      }
    },
  }
}

/** Lets 31 days pass for all deletions of a party. */
const ageDeletions = ({ partyId }: ProductParty) =>
  market.deps.pool.query(
    "UPDATE product_deletions SET deleted_at = deleted_at - interval '31 days' WHERE party_id = $1",
    [partyId],
  )

/** Connects a Buyer with Sellers without products, whose places in a cursor are long. */
const connectMany = ({ partyId }: ProductParty, count: number) =>
  market.deps.pool.query(
    `WITH sellers AS (
       INSERT INTO parties (name, type, catalogue_revision)
       SELECT 'Seller ' || n, 'Seller', 1000000 + n FROM generate_series(1, $2::int) AS n
       RETURNING id
     )
     INSERT INTO connections (buyer_id, seller_id) SELECT $1, id FROM sellers`,
    [partyId, count],
  )

const cursorOf = (link: string) => new URL(link, market.url).searchParams.get('cursor') ?? ''

const seen = async (party: ProductParty) =>
  new Map((await party.list()).body.map((product: { id: number }) => [product.id, product]))

describe('the change feed', () => {
  test('begins with all products and goes on with what changed, in order', async () => {
    const seller = await newProductParty(market)
    const made = (await seller.batch([record('1'), record('2'), record('3')])).body
    const ids: number[] = made.map(({ id }: { id: number }) => id)
    const feed = follower(seller, 2)
    expect((await feed.catchUp()).map(({ id }) => id)).toEqual(ids)
    expect(await feed.catchUp()).toEqual([])

    await seller.patch(ids[1] as number, { inStock: 7 })
    await seller.remove(ids[0] as number)
    const { body: last } = await seller.upsert(record('4'))
    await seller.upsert(record('3'))
    expect(await feed.catchUp()).toEqual([
      {
        type: 'upsert',
        id: ids[1],
        product: expect.objectContaining({ id: ids[1], inStock: 7, msrp: null }),
      },
      { type: 'delete', id: ids[0] },
      { type: 'upsert', id: last.id, product: last },
    ])
    expect(feed.products).toEqual(await seen(seller))
  })

  test('gives a Buyer those of its Sellers, of new connections too and of removed ones no more', async () => {
    const [buyer, one, two] = [
      await newProductParty(market, 'Buyer'),
      await newProductParty(market),
      await newProductParty(market),
    ]
    await connect(market, buyer, one)
    await one.upsert(record('1'))
    await two.upsert(record('2'))
    const feed = follower(buyer, 1)
    expect(await feed.catchUp()).toHaveLength(1)
    await connect(market, buyer, two)
    expect(await feed.catchUp()).toMatchObject([{ product: { partNumber: '2' } }])
    expect(feed.products).toEqual(await seen(buyer))

    await removeConnection(market.deps, { buyerId: buyer.partyId, sellerId: two.partyId }, SYSTEM)
    await two.upsert(record('2', 9))
    await one.upsert(record('1', 9))
    expect(await feed.catchUp()).toMatchObject([{ product: { partNumber: '1', inStock: 9 } }])
    await connect(market, buyer, two)
    expect(await feed.catchUp()).toMatchObject([{ product: { partNumber: '2', inStock: 9 } }])
  })

  test('skips nothing under concurrent writers', async () => {
    const seller = await newProductParty(market)
    const feed = follower(seller, 7)
    let writing = true
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let round = 0; round < 15; round++) {
        const rows = Array.from({ length: 3 }, (_row, n) => record(`${writer}-${n}`, round))
        const { body } = await seller.batch([...rows, record('shared', writer * 100 + round)])
        if (round % 5 === 0) await seller.remove(body[0].id)
      }
    })
    const done = Promise.all(writers).then(() => {
      writing = false
    })
    while (writing) await feed.catchUp()
    await done
    await feed.catchUp()
    expect(feed.products).toEqual(await seen(seller))
  })

  test('keeps deletions for 30 days; an older cursor is told so', async () => {
    const seller = await newProductParty(market)
    const { body: first } = await seller.upsert(record('1'))
    const { body: second } = await seller.upsert(record('2'))
    const stale = follower(seller)
    await stale.catchUp()
    await seller.remove(first.id)
    const fresh = follower(seller)
    await fresh.catchUp()
    await ageDeletions(seller)
    await seller.remove(second.id)
    expectProblem(
      await call(market, 'GET', stale.link(), { token: seller.token }),
      'cursor_expired',
    )
    expect(await fresh.catchUp()).toEqual([{ type: 'delete', id: second.id }])
    const again = follower(seller)
    await again.catchUp()
    expect(again.products).toEqual(new Map())
  })

  test('can be read from the beginning page by page, however old its products are', async () => {
    const seller = await newProductParty(market)
    const made = (await seller.batch([1, 2, 3, 4, 5].map((n) => record(`${n}`)))).body
    await seller.remove(made[0].id)
    await ageDeletions(seller)
    await seller.remove(made[1].id)
    const feed = follower(seller, 1)
    await feed.catchUp()
    expect(feed.products).toEqual(await seen(seller))
  })

  test('tells a reader on its first way through when a deletion was forgotten meanwhile', async () => {
    const seller = await newProductParty(market)
    const made = (await seller.batch([1, 2, 3].map((n) => record(`${n}`)))).body
    const { headers } = await seller.changes('?limit=1')
    const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]?.slice(market.url.length)
    await seller.remove(made[0].id)
    await ageDeletions(seller)
    await seller.remove(made[1].id)
    expectProblem(
      await call(market, 'GET', next as string, { token: seller.token }),
      'cursor_expired',
    )
  })

  test('tells a reader that knows more than the Seller has, as after a lost database', async () => {
    const seller = await newProductParty(market)
    await seller.batch([record('1'), record('2')])
    const feed = follower(seller)
    await feed.catchUp()
    await market.deps.pool.query(
      'UPDATE parties SET catalogue_revision = catalogue_revision - 1 WHERE id = $1',
      [seller.partyId],
    )
    expectProblem(await call(market, 'GET', feed.link(), { token: seller.token }), 'cursor_expired')
  })

  test('takes back the cursor that it gave, however many Sellers there are', async () => {
    const [buyer, seller] = [await newProductParty(market, 'Buyer'), await newProductParty(market)]
    await connectMany(buyer, 2_500)
    await connect(market, buyer, seller)
    await seller.batch([record('1'), record('2'), record('3')])
    const feed = follower(buyer, 2)
    expect(await feed.catchUp()).toHaveLength(3)
    const before = feed.link()
    expect(cursorOf(before).length).toBeLessThanOrEqual(1024)
    await seller.upsert(record('2', 7))
    expect(await feed.catchUp()).toMatchObject([{ product: { partNumber: '2', inStock: 7 } }])
    // Who lost the answer asks with the same cursor again.
    const again = await call(market, 'GET', before, { token: buyer.token })
    expect(again.body).toMatchObject([{ product: { partNumber: '2', inStock: 7 } }])
    const other = await newProductParty(market, 'Buyer')
    expectProblem(await call(market, 'GET', before, { token: other.token }), 'invalid_cursor')
  })

  test('costs few statements, however many new Sellers there are, with products and without', async () => {
    const buyer = await newProductParty(market, 'Buyer')
    await connectMany(buyer, 600)
    await market.deps.pool.query(
      `INSERT INTO products (party_id, brand, part_number, in_stock, body, revision, updated_at)
       SELECT seller_id, 'B', '1', 1, '"brand":"B","partNumber":"1","inStock":1}', 1, now()
       FROM connections WHERE buyer_id = $1 ORDER BY seller_id LIMIT 300`,
      [buyer.partyId],
    )
    const feed = follower(buyer)
    const statements = noteStatements(market.deps.pool)
    const first = await call(market, 'GET', feed.link(), { token: buyer.token })
    expect(first.body).toHaveLength(200)
    expect(statements.take().length).toBeLessThan(220)
    expect(await feed.catchUp()).toHaveLength(300)
    expect(statements.take().length).toBeLessThan(330)
  })

  test('keeps places that are too long for a cursor for 30 days, and the newest 1,000', async () => {
    const buyer = await newProductParty(market, 'Buyer')
    await connectMany(buyer, 200)
    const feed = follower(buyer)
    await feed.catchUp()
    const first = feed.link()
    const kept = () =>
      market.deps.db.feedPosition.count({ where: { installationId: buyer.installationId } })
    expect(await kept()).toBe(1)
    await feed.catchUp()
    expect(await kept()).toBe(1)

    const { pool } = market.deps
    const age = (interval: string) =>
      pool.query(
        `UPDATE feed_positions SET used_at = used_at - $2::interval WHERE installation_id = $1`,
        [buyer.installationId, interval],
      )
    await age('29 days')
    await connectMany(buyer, 1)
    await feed.catchUp()
    expect((await call(market, 'GET', first, { token: buyer.token })).status).toBe(200)
    expect(await kept()).toBe(2)

    await pool.query(
      `INSERT INTO feed_positions (installation_id, hash, place, used_at)
       SELECT $1, n::text, '', now() - n * interval '1 second' FROM generate_series(1, 1100) AS n`,
      [buyer.installationId],
    )
    await connectMany(buyer, 1)
    await feed.catchUp()
    expect(await kept()).toBe(1_000)
    expectProblem(await call(market, 'GET', first, { token: buyer.token }), 'cursor_expired')

    await age('31 days')
    await connectMany(buyer, 1)
    const fresh = follower(buyer)
    await fresh.catchUp()
    expect(await kept()).toBe(1)
    expectProblem(await call(market, 'GET', feed.link(), { token: buyer.token }), 'cursor_expired')
    expect(await fresh.catchUp()).toEqual([])
  })

  test('refuses forged and foreign cursors and unknown parameters', async () => {
    const [one, two] = [await newProductParty(market), await newProductParty(market)]
    await one.upsert(record('1'))
    const feed = follower(one)
    await feed.catchUp()
    expectProblem(await call(market, 'GET', feed.link(), { token: two.token }), 'invalid_cursor')
    expectProblem(await one.changes('?cursor=abc'), 'invalid_cursor')
    expectProblem(await one.changes('?since=1'), 'invalid_request')
  })
})

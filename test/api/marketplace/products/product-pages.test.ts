import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { currentDeadline } from '../../../../src/base/fair-share/deadline.ts'
import { ENTRY_OVERHEAD_BYTES } from '../../../../src/base/values/byte-cache.ts'
import { catalogueKey, partiesOf } from '../../../../src/base/values/catalogue-key.ts'
import { createConnection } from '../../../../src/identity/accounts/connections-service.ts'
import { createParty } from '../../../../src/identity/accounts/parties-service.ts'
import type {
  CatalogueViewer,
  ProductPages,
} from '../../../../src/marketplace/products/pages/page-in-memory.ts'
import { createProductPages } from '../../../../src/marketplace/products/pages/product-pages-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { addProducts } from '../../../setup/products.ts'

let market: TestMarketplace
let sellerId: number
let other: pg.Client
beforeAll(async () => {
  market = await startMarketplace()
  other = new pg.Client({ connectionString: market.databaseUrl })
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await market.close()
})
beforeEach(async () => {
  const name = `Party ${crypto.randomUUID()}`
  sellerId = (await createParty(market.deps, { name, type: 'Seller' })).id
  await addProducts(
    market.deps.pool,
    sellerId,
    Array.from({ length: 30 }, (_, index) => ({
      brand: 'Brand',
      partNumber: `Brand-${index}`,
      shortDescription: 'A description that is long enough for compression to pay.',
    })),
  )
})

test('the state of a catalogue names its Sellers apart from their revisions, be they few or many', async () => {
  const name = `Buyer ${crypto.randomUUID()}`
  const buyerId = (await createParty(market.deps, { name, type: 'Buyer' })).id
  const stateOf = async () => {
    const text = `SELECT ${catalogueKey('p')} AS state FROM parties p WHERE id = $1`
    return (await other.query<{ state: string }>(text, [buyerId])).rows[0]?.state ?? ''
  }
  expect(partiesOf(await stateOf())).toBe('')
  const lists = [partiesOf(await stateOf())]
  for (let count = 0; count < 40; count++) {
    const seller = await createParty(market.deps, { name: `${name} ${count}`, type: 'Seller' })
    await createConnection(market.deps, { buyerId, sellerId: seller.id })
    const before = await stateOf()
    await addProducts(other, seller.id, [{ brand: 'New', partNumber: 'new' }])
    const after = await stateOf()
    expect(after).not.toBe(before)
    expect(partiesOf(after)).toBe(partiesOf(before))
    lists.push(partiesOf(after))
  }
  expect(new Set(lists).size).toBe(lists.length)
})

describe('the pages in memory', () => {
  const question = { query: {}, after: 0, limit: 1000 }
  let queries: number
  /** Whose turns the queries take at the pool. */
  let callers: Set<unknown>
  let viewer: CatalogueViewer

  async function pagesOf(maxBytes: number): Promise<ProductPages> {
    queries = 0
    callers = new Set()
    const revision = await market.deps.db.party.findUniqueOrThrow({ where: { id: sellerId } })
    const catalogue = `${sellerId}:${revision.catalogueRevision}`
    viewer = { partyId: sellerId, partyType: 'Seller', catalogue }
    const query = (...input: unknown[]) => {
      queries += 1
      callers.add(currentDeadline()?.caller)
      return (market.deps.pool.query as (...input: unknown[]) => unknown)(...input)
    }
    const pool = { query } as unknown as pg.Pool
    return createProductPages({ pool, replica: undefined }, maxBytes)
  }
  const read = (pages: ProductPages, asked: typeof question, as = viewer) =>
    pages.read(pages.nameOf(as, asked), as, asked)

  test('a hit costs no query; misses of one page at once cost one', async () => {
    const pages = await pagesOf(1_000_000)
    await Promise.all(Array.from({ length: 20 }, () => read(pages, question)))
    expect(queries).toBe(1)
    await read(pages, question)
    expect(queries).toBe(1)
  })

  test('misses of several pages at once share a query, and each gets its own page', async () => {
    const pages = await pagesOf(1_000_000)
    const own = viewer
    const name = `Party ${crypto.randomUUID()}`
    const { id: partyId } = await createParty(market.deps, { name, type: 'Seller' })
    await addProducts(other, partyId, [{ brand: 'Another', partNumber: 'another' }])
    const another: CatalogueViewer = { partyId, partyType: 'Seller', catalogue: `${partyId}:1` }
    const { body } = await read(pages, { ...question, limit: 20 })
    const ids = JSON.parse(body.toString()).map(({ id }: { id: number }) => id) as number[]
    queries = 0
    const idsOf = async (after: number | undefined, as: CatalogueViewer) => {
      const page = await read(pages, { query: {}, after: Number(after), limit: 5 }, as)
      return JSON.parse(page.body.toString()).map(({ id }: { id: number }) => id)
    }
    const [first, second, last, others] = await Promise.all([
      idsOf(ids[0], own),
      idsOf(ids[5], own),
      idsOf(Number.MAX_SAFE_INTEGER, own),
      idsOf(0, another),
    ])
    expect([first, second, last]).toEqual([ids.slice(1, 6), ids.slice(6, 11), []])
    expect(others).toHaveLength(1)
    expect(ids).not.toContain(others[0])
    expect(queries).toBe(1)
  })

  describe('that are missing', () => {
    const readTogether = async (asked: (Omit<typeof question, 'query'> & { brand?: string })[]) => {
      queries = 0
      const pages = await pagesOf(1_000_000)
      await Promise.all(asked.map(({ brand, ...one }) => read(pages, { query: { brand }, ...one })))
      return queries
    }
    const pagesAt = (limit: number) => [1, 2, 3].map((after) => ({ after, limit }))

    test('share a query that reads 16 pages and 800 products at most', async () => {
      const many = Array.from({ length: 17 }, (_, after) => ({ after, limit: 1 }))
      expect(await readTogether(many.slice(1))).toBe(1)
      expect(await readTogether(many)).toBe(2)
      expect(await readTogether(pagesAt(250))).toBe(1)
      expect(await readTogether([...pagesAt(250), { after: 4, limit: 250 }])).toBe(2)
    })

    test('have a query of their own when they are longer, or filtered', async () => {
      expect(await readTogether(pagesAt(500))).toBe(3)
      expect(await readTogether(pagesAt(5).map((one) => ({ ...one, brand: 'Brand' })))).toBe(3)
    })

    test('share queries of the usual lengths, whichever others are asked for, in one line for a connection', async () => {
      const unusual = Array.from({ length: 25 }, (_, index) => ({ after: 1, limit: index + 51 }))
      const asked = [5, 20, 100].flatMap(pagesAt)
      expect(await readTogether([...unusual, ...asked])).toBe(25 + 3)
      expect([...callers].filter((caller) => typeof caller === 'symbol')).toHaveLength(1)
    })
  })

  test('a page is kept when it is asked for the second time, as the same bytes', async () => {
    const pages = await pagesOf(1_000_000)
    const first = await read(pages, question)
    expect(pages.cache.entries()).toBe(0)
    const second = await read(pages, question)
    expect([queries, pages.cache.entries()]).toEqual([2, 1])
    expect(second.body).toEqual(first.body)
    expect(await read(pages, question)).toBe(second)
    expect(pages.known(pages.nameOf(viewer, question))).toBe(second)
    expect(queries).toBe(2)
  })

  test('a page that was asked for before is kept at once in a later state', async () => {
    const pages = await pagesOf(1_000_000)
    await read(pages, question)
    await addProducts(other, sellerId, [{ brand: 'New', partNumber: 'new' }])
    await read(pages, question)
    expect(pages.cache.entries()).toBe(1)
  })

  test('a full memory takes in a page only in place of one that was asked for less', async () => {
    const pages = await pagesOf(10_000)
    const at = (after: number) => ({ ...question, limit: 1, after })
    const isKnown = (after: number) => pages.known(pages.nameOf(viewer, at(after))) !== undefined
    for (let after = 0; after < 30; after++) {
      await read(pages, at(after))
      await read(pages, at(after))
    }
    const kept = pages.cache.entries()
    expect(kept).toBeLessThan(30)
    await read(pages, at(30))
    await read(pages, at(30))
    expect(isKnown(30)).toBe(false)
    await read(pages, at(30))
    expect([isKnown(30), pages.cache.entries()]).toEqual([true, kept])
  })

  test('a page takes the place of its former state, in a full memory too', async () => {
    const pages = await pagesOf(10_000)
    const one = { ...question, limit: 1 }
    for (let after = 0; after < 30; after++) {
      await read(pages, { ...one, after })
      await read(pages, { ...one, after })
    }
    const kept = Array.from({ length: 30 }, (_, after) => ({ ...one, after })).filter(
      (asked) => pages.known(pages.nameOf(viewer, asked)) !== undefined,
    )
    const before = pages.cache.entries()
    await addProducts(other, sellerId, [{ brand: 'New', partNumber: 'new' }])
    const { catalogueRevision } = await market.deps.db.party.findUniqueOrThrow({
      where: { id: sellerId },
    })
    viewer = { ...viewer, catalogue: `${sellerId}:${catalogueRevision}` }
    for (const asked of kept) await read(pages, asked)
    for (const asked of kept) {
      expect(pages.known(pages.nameOf(viewer, asked))).toBeDefined()
    }
    expect(pages.cache.entries()).toBe(before)
  })

  test('a small page keeps no more memory than its own', async () => {
    const pages = await pagesOf(10_000)
    const one = { ...question, limit: 1 }
    await read(pages, one)
    const { body } = await read(pages, one)
    expect(body.buffer.byteLength).toBe(body.length)
  })

  test('are counted at what they hold in memory, compressed ones included', async () => {
    const pages = await pagesOf(1_000_000)
    let held = 0
    for (let limit = 5; limit <= 30; limit += 5) {
      await read(pages, { ...question, limit })
      const page = await read(pages, { ...question, limit })
      const codings = await Promise.all(
        (['br', 'gzip'] as const).map((c) => pages.encoded(page, c)),
      )
      for (const bytes of [page.body, ...codings]) held += bytes?.buffer.byteLength ?? 0
      held += page.name.length * 2 + ENTRY_OVERHEAD_BYTES
    }
    expect(pages.cache.entries()).toBe(6)
    expect(pages.cache.bytes()).toBe(held)
  })

  test('stay within their bytes, compressed ones included', async () => {
    const pages = await pagesOf(10_000)
    for (let limit = 1; limit <= 30; limit++) {
      await read(pages, { ...question, limit })
      const page = await read(pages, { ...question, limit })
      await pages.encoded(page, 'br')
      expect(pages.cache.bytes()).toBeLessThanOrEqual(10_000)
    }
    expect(queries).toBe(60)
    for (let n = 0; n < 3; n++) await read(pages, { ...question, limit: 30 })
    expect(pages.known(pages.nameOf(viewer, { ...question, limit: 30 }))).toBeDefined()
    expect(pages.cache.bytes()).toBeLessThanOrEqual(10_000)
  })

  test('a page that is newer than its request is not kept for the older state', async () => {
    const pages = await pagesOf(1_000_000)
    const older = viewer
    await addProducts(other, sellerId, [{ brand: 'New', partNumber: 'new' }])
    const page = await read(pages, question, older)
    expect(JSON.parse(page.body.toString()).length).toBe(31)
    expect(pages.tagOf(pages.nameOf(older, question))).not.toBe(page.tag)
    await read(pages, question, older)
    expect(queries).toBe(2)
  })

  test('a joined query that began at another state is not taken for this one', async () => {
    const pages = await pagesOf(1_000_000)
    const older = viewer
    await addProducts(other, sellerId, [{ brand: 'New', partNumber: 'new' }])
    const reads = Array.from({ length: 10 }, () => read(pages, question, older))
    const counts = (await Promise.all(reads)).map(({ body }) => JSON.parse(body.toString()).length)
    expect(counts).toEqual(Array(10).fill(31))
    // One for the first request, and one for all that waited for it in vain.
    expect(queries).toBe(2)
  })

  test('a compressed page is made once', async () => {
    const pages = await pagesOf(1_000_000)
    const page = await read(pages, question)
    const [one, two] = await Promise.all([pages.encoded(page, 'gzip'), pages.encoded(page, 'gzip')])
    expect(one).toBe(two)
    expect(gunzipSync(one as Buffer).toString()).toBe(page.body.toString())
  })
})

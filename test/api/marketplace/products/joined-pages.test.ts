import { beforeAll, expect, test } from 'vitest'
import {
  currentDeadline,
  deadlineIn,
  withDeadline,
} from '../../../../src/base/fair-share/deadline.ts'
import { createParty } from '../../../../src/identity/accounts/parties-service.ts'
import type { CatalogueViewer } from '../../../../src/marketplace/products/pages/page-in-memory.ts'
import { createProductPages } from '../../../../src/marketplace/products/pages/product-pages-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { addProducts } from '../../../setup/products.ts'
import { waitUntil } from '../../../setup/server-process.ts'

let market: SharedMarketplace
beforeAll(async () => {
  market = await sharedMarketplace()
})

test('who joins a query that ends with the time of another request keeps the own time', async () => {
  const { pool } = market.deps
  const name = `Party ${crypto.randomUUID()}`
  const { id: partyId } = await createParty(market.deps, { name, type: 'Seller' })
  await addProducts(pool, partyId, [{ brand: 'Brand', partNumber: 'a-part' }])
  const viewer: CatalogueViewer = { partyId, partyType: 'Seller', catalogue: `${partyId}:1` }
  const started = Promise.withResolvers<void>()
  let queries = 0
  /** The first query finds no connection until its time is over. */
  const query = async (...input: unknown[]) => {
    queries += 1
    if (queries > 1) return Reflect.apply(pool.query, pool, input)
    const { atMs } = currentDeadline() ?? expect.unreachable('no deadline')
    started.resolve()
    await waitUntil(() => performance.now() >= atMs)
    const done = input.at(-1) as (error: Error) => void
    done(new Error('no connection in time'))
  }
  const pages = createProductPages({ pool: { query } as never, replica: undefined }, 1_000_000)
  const question = { query: { brand: 'Brand' }, after: 0, limit: 100 }
  const readWithin = (ms: number) =>
    withDeadline(deadlineIn(ms), () => pages.read(pages.nameOf(viewer, question), viewer, question))
  const first = readWithin(50)
  await started.promise
  const joining = [readWithin(60_000), readWithin(60_000)]
  await expect(first).rejects.toThrow('no connection in time')
  for (const { body } of await Promise.all(joining)) {
    expect(JSON.parse(body.toString())).toMatchObject([{ partNumber: 'a-part' }])
  }
  expect(queries).toBe(2)
})

test('who joins a query that began before a connection was there again gets a page with it', async () => {
  const { db, pool } = market.deps
  const name = `Party ${crypto.randomUUID()}`
  const { id: sellerId } = await createParty(market.deps, { name, type: 'Seller' })
  const { id: buyerId } = await createParty(market.deps, { name, type: 'Buyer' })
  await addProducts(pool, sellerId, [{ brand: 'Brand', partNumber: 'a-part' }])
  await db.connection.create({ data: { buyerId, sellerId } })
  const viewer: CatalogueViewer = {
    partyId: buyerId,
    partyType: 'Buyer',
    catalogue: `${sellerId}:1`,
  }
  const [started, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [mayRead, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let queries = 0
  /** The first query reads, and answers, when it may. */
  const query = async (...input: unknown[]) => {
    queries += 1
    if (queries > 1) return Reflect.apply(pool.query, pool, input)
    started.resolve()
    await mayRead.promise
    const done = input.at(-1) as (...answer: unknown[]) => void
    const answerLater = async (...answer: unknown[]) => {
      read.resolve()
      await mayAnswer.promise
      done(...answer)
    }
    Reflect.apply(pool.query, pool, [...input.slice(0, -1), answerLater])
  }
  const pages = createProductPages({ pool: { query } as never, replica: undefined }, 1_000_000)
  const question = { query: {}, after: 0, limit: 100 }
  const ask = () => pages.read(pages.nameOf(viewer, question), viewer, question)
  const first = ask()
  await started.promise
  await db.connection.deleteMany({ where: { buyerId } })
  mayRead.resolve()
  await read.promise
  await db.connection.create({ data: { buyerId, sellerId } })
  const joining = [ask(), ask()]
  mayAnswer.resolve()
  expect((await first).body.toString()).toBe('[]')
  for (const { body } of await Promise.all(joining)) {
    expect(JSON.parse(body.toString())).toMatchObject([{ partNumber: 'a-part' }])
  }
  expect(queries).toBe(2)
})

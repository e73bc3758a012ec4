import { expect, onTestFinished, test } from 'vitest'
import { openPool } from '../../src/base/database/client.ts'
import { createProductPages } from '../../src/marketplace/products/pages/product-pages-service.ts'
import { startMarketplace } from '../setup/app.ts'
import { newProductParty } from '../setup/product-client.ts'
import {
  noteStatements,
  openExplainer,
  readTooMuch,
  type Sent,
  withOnePlan,
} from '../setup/statements.ts'

const PRODUCTS = 50_000
const SELLERS = 6
const LIMIT = 1_000

test('the longest page of a Seller reads no products of others that were written in turns with its own', async () => {
  const market = await startMarketplace()
  onTestFinished(() => market.close())
  const sellers: number[] = []
  for (let seller = 0; seller < SELLERS; seller++) {
    sellers.push((await newProductParty(market)).partyId)
  }
  const explainer = await openExplainer(market.databaseUrl)
  onTestFinished(() => explainer.end())
  await explainer.query(
    `INSERT INTO products (party_id, brand, part_number, in_stock, short_description, body)
     SELECT ($1::int[])[1 + n % ${SELLERS}], 'B', 'part ' || n, 1, repeat('Some words. ', 10),
       '"brand":"B","partNumber":"part ' || n || '","shortDescription":"' ||
         repeat('Some words. ', 10) || '"}'
     FROM generate_series(1, ${PRODUCTS}) n`,
    [sellers],
  )
  await explainer.query('ANALYZE products')
  const pool = openPool({
    connectionString: market.databaseUrl,
    poolSize: 1,
    // A lost connection fails its query. After the end the database is dropped, which may come first.
    onIdleError: () => {},
  })
  onTestFinished(() => pool.end())
  const statements = noteStatements(pool)
  const pages = createProductPages({ pool, replica: undefined }, 0)
  const viewer = { partyId: Number(sellers[2]), partyType: 'Seller', catalogue: '' } as const
  const question = { query: {}, after: 0, limit: LIMIT }
  const { next } = await pages.read(pages.nameOf(viewer, question), viewer, question)
  expect(next).toBeDefined()
  const page = await withOnePlan(pool, 'page', statements.take()[0] as Sent)
  const bounds = { rows: LIMIT + 1, indexRows: LIMIT + 1 }
  expect(await readTooMuch(pool, page, new Set(['products']), bounds)).toEqual([])
})

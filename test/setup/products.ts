import type { Pool } from 'pg'
import { type ProductRecord, productBody } from '../../src/marketplace/products/product.ts'

/** A product of which only some fields matter. */
export type SomeProduct = Pick<ProductRecord, 'brand' | 'partNumber'> & Partial<ProductRecord>

/** Stores products straight in the database, as a write of the party does: with a new revision. */
export async function addProducts(
  pool: Pick<Pool, 'query'>,
  partyId: number,
  products: readonly SomeProduct[],
): Promise<number[]> {
  const records = products.map((product) => ({
    inStock: 1,
    shortDescription: null,
    msrp: null,
    mapPrice: null,
    upc: null,
    ...product,
  }))
  const { rows } = await pool.query<{ id: number }>(
    `WITH raised AS (
       UPDATE parties SET catalogue_revision = catalogue_revision + 1 WHERE id = $1
       RETURNING catalogue_revision
     )
     INSERT INTO products (party_id, brand, part_number, in_stock, short_description, msrp,
       map_price, upc, body, revision, updated_at)
     SELECT $1, r.record->>'brand', r.record->>'partNumber', (r.record->>'inStock')::int,
       r.record->>'shortDescription', (r.record->>'msrp')::numeric,
       (r.record->>'mapPrice')::numeric, r.record->>'upc', r.body, raised.catalogue_revision, now()
     FROM raised, unnest($2::json[], $3::text[]) AS r (record, body)
     RETURNING id::float8 AS id`,
    [partyId, records.map((record) => JSON.stringify(record)), records.map(productBody)],
  )
  return rows.map(({ id }) => id)
}

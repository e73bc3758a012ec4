import { violatedConstraint } from '../../base/database/failures.ts'
import { type ExpectedRevisions, isExpected } from '../../base/values/etags.ts'
import { unprocessable } from '../../base/values/field-errors.ts'
import type { Deps } from '../../deps.ts'
import { AppError, type FieldError } from '../../errors.ts'
import { type CatalogueChange, forgetOldDeletions } from './catalogue-change-service.ts'
import { type Product, type ProductRecord, productBody } from './product.ts'
import { checkRecord } from './product-checks.ts'
import { changeOneProduct, type ProductAuthor } from './single-change-service.ts'
import type { Viewer } from './visibility.ts'

type WriteDeps = Pick<Deps, 'pool' | 'now' | 'auditCounts'>

/** A product as it was written, with the warnings about it. */
type WrittenProduct = Product & { warnings?: FieldError[] }

/** What an upsert did, and the revision of the product's last change. */
export type Upserted = {
  id: number
  status: 'created' | 'updated' | 'unchanged'
  revision: string
}

/** A product after a write, and the revision that its ETag is made of. */
type Written = { product: WrittenProduct; revision: number }

/**
 * The party whose products an installation may write.
 *
 * @throws AppError seller_required for Buyers
 */
export function ownCatalogue({ partyId, partyType }: Viewer): number {
  if (partyType === 'Buyer') {
    throw new AppError('seller_required', {
      detail: 'The account of this installation is a Buyer; only Sellers have products to change.',
    })
  }
  return partyId
}

/**
 * Creates a product, or replaces the one with this brand and part number as a whole.
 *
 * @throws AppError seller_required, unprocessable
 */
export async function upsertProduct(
  deps: WriteDeps,
  author: ProductAuthor,
  input: unknown,
): Promise<Written & { created: boolean }> {
  const partyId = ownCatalogue(author.viewer)
  const { record, warnings } = goodRecord(input)
  const { id, revision, status } = await changeOneProduct(deps, partyId, author, async (change) => {
    const [result] = await upsertRecords(change, [record])
    if (result === undefined) throw new Error('the upsert has no result')
    return { done: UPSERT_DONE[result.status], result }
  })
  return {
    product: written(id, record, warnings),
    revision: Number(revision),
    created: status === 'created',
  }
}

/** What the audit trail counts of an upsert. */
const UPSERT_DONE = {
  created: 'products.added',
  updated: 'products.changed',
  unchanged: undefined,
} as const

/**
 * Writes records, no two of which have the same key.
 *
 * @returns what was done with each record, in their order
 */
export async function upsertRecords(
  { client, partyId, revision, now }: CatalogueChange,
  records: readonly ProductRecord[],
): Promise<Upserted[]> {
  const written = await client.query<{ position: number; id: number; created: boolean }>({
    name: 'upsert-products',
    text: `
      WITH given AS (
        SELECT * FROM unnest($4::text[], $5::text[], $6::int[], $7::text[], $8::numeric[],
            $9::numeric[], $10::text[], $11::text[]) WITH ORDINALITY
          AS g (brand, part_number, in_stock, short_description, msrp, map_price, upc, body, position)
      ), written AS (
        INSERT INTO products AS p (party_id, brand, part_number, in_stock, short_description, msrp,
          map_price, upc, body, revision, updated_at)
        SELECT $1, brand, part_number, in_stock, short_description, msrp, map_price, upc, body, $2, $3
        FROM given ORDER BY position
        ON CONFLICT (party_id, brand, part_number) DO UPDATE SET
          in_stock = excluded.in_stock, short_description = excluded.short_description,
          msrp = excluded.msrp, map_price = excluded.map_price, upc = excluded.upc,
          body = excluded.body, revision = excluded.revision, updated_at = excluded.updated_at
        WHERE p.body <> excluded.body
        RETURNING id, brand, part_number, xmax = 0 AS created
      )
      SELECT g.position::int, w.id::float8, w.created
      FROM written w JOIN given g ON g.brand = w.brand AND g.part_number = w.part_number`,
    values: [partyId, revision, now, ...columnsOf(records)],
  })
  const results = new Array<Upserted | undefined>(records.length)
  for (const { position, id, created } of written.rows) {
    results[position - 1] = { id, status: created ? 'created' : 'updated', revision }
  }
  if (written.rows.length < records.length) {
    const { rows } = await client.query<{ position: number; id: number; revision: string }>({
      name: 'find-products',
      text: `SELECT g.position::int, p.id::float8, p.revision::text
             FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS g (brand, part_number, position)
             JOIN products p ON p.party_id = $1 AND p.brand = g.brand AND p.part_number = g.part_number`,
      values: [partyId, records.map((r) => r.brand), records.map((r) => r.partNumber)],
    })
    for (const { position, ...stored } of rows) {
      results[position - 1] ??= { ...stored, status: 'unchanged' }
    }
  }
  return results as Upserted[]
}

/** Values of the columns from brand to body, each an array over the records. */
function columnsOf(records: readonly ProductRecord[]): unknown[][] {
  return [
    records.map((r) => r.brand),
    records.map((r) => r.partNumber),
    records.map((r) => r.inStock),
    records.map((r) => r.shortDescription),
    records.map((r) => r.msrp),
    records.map((r) => r.mapPrice),
    records.map((r) => r.upc),
    records.map(productBody),
  ]
}

/**
 * Changes fields of a product by a merge patch (RFC 7396).
 *
 * @param expectedRevisions those that the caller means, if it sent any
 * @throws AppError seller_required, not_found, precondition_failed, unprocessable, already_exists
 *   when another product has the new brand and part number
 */
export async function patchProduct(
  deps: WriteDeps,
  author: ProductAuthor,
  id: number,
  patch: object,
  expectedRevisions?: ExpectedRevisions,
): Promise<Written> {
  const partyId = ownCatalogue(author.viewer)
  try {
    return await changeOneProduct(deps, partyId, author, async (change) => {
      const stored = await findOwn(change, id, expectedRevisions)
      const { client, revision, now } = change
      const { record, warnings } = goodRecord({ ...JSON.parse(`{${stored.body}`), ...patch })
      const body = productBody(record)
      const changed = body !== stored.body
      if (changed) {
        const [brand, ...others] = columnsOf([record]).map(([value]) => value)
        await client.query(
          `UPDATE products SET revision = $1, updated_at = $2, brand = $4, part_number = $5,
             in_stock = $6, short_description = $7, msrp = $8, map_price = $9, upc = $10, body = $11
           WHERE id = $3`,
          [revision, now, id, brand, ...others],
        )
      }
      const current = changed ? revision : stored.revision
      return {
        done: changed ? 'products.changed' : undefined,
        result: { product: written(id, record, warnings), revision: Number(current) },
      }
    })
  } catch (error) {
    if (!/brand/.test(violatedConstraint(error) ?? '')) throw error
    throw new AppError('already_exists', {
      detail: 'Another product has this brand and part number.',
      cause: error,
    })
  }
}

/**
 * Deletes a product; the change feed reports the deletion.
 *
 * @param expectedRevisions those that the caller means, if it sent any
 * @throws AppError seller_required, not_found, precondition_failed
 */
export async function deleteProduct(
  deps: WriteDeps,
  author: ProductAuthor,
  id: number,
  expectedRevisions?: ExpectedRevisions,
): Promise<void> {
  const partyId = ownCatalogue(author.viewer)
  await changeOneProduct(deps, partyId, author, async (change) => {
    await findOwn(change, id, expectedRevisions)
    const { client, revision, now } = change
    await client.query(
      `WITH gone AS (DELETE FROM products WHERE id = $1 AND party_id = $2 RETURNING id)
       INSERT INTO product_deletions (party_id, revision, product_id, deleted_at)
       SELECT $2, $3, id, $4 FROM gone`,
      [id, partyId, revision, now],
    )
    await forgetOldDeletions(change)
    return { done: 'products.deleted', result: undefined }
  })
}

/** @throws AppError unprocessable */
function goodRecord(input: unknown) {
  const checked = checkRecord(input)
  if (checked.errors === undefined) return checked
  throw unprocessable(checked.errors)
}

/**
 * A product of the party in a change of its catalogue. The party's other writers wait for the
 * change, so the product stays as it was found.
 *
 * @throws AppError not_found, precondition_failed
 */
async function findOwn(
  { client, partyId }: CatalogueChange,
  id: number,
  expectedRevisions: ExpectedRevisions,
): Promise<{ body: string; revision: string }> {
  const { rows } = await client.query<{ body: string; revision: string }>(
    'SELECT body, revision::text FROM products WHERE id = $1 AND party_id = $2',
    [id, partyId],
  )
  const [stored] = rows
  if (stored === undefined) throw new AppError('not_found')
  if (!isExpected(expectedRevisions, Number(stored.revision))) {
    throw new AppError('precondition_failed', { detail: 'Read the product again and retry.' })
  }
  return stored
}

function written(
  id: number,
  record: ProductRecord,
  warnings: readonly FieldError[],
): WrittenProduct {
  return { id, ...record, ...(warnings.length > 0 && { warnings: [...warnings] }) }
}

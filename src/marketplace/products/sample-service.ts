import { readFile } from 'node:fs/promises'
import type { Db } from '../../base/database/transaction.ts'
import { type ProductRecord, productBody } from './product.ts'

const SAMPLE_FILE = new URL('../../../demo/products.csv', import.meta.url)

type SampleRow = Record<
  'brand' | 'partNumber' | 'inStock' | 'shortDescription' | 'msrp' | 'mapPrice' | 'upc',
  string
>

/** The sample products that come with the product: real ones, with invented stock. */
async function readSampleProducts(): Promise<SampleRow[]> {
  const { parse } = await import('csv-parse/sync')
  return parse(await readFile(SAMPLE_FILE), { columns: true, skipEmptyLines: true })
}

/**
 * Gives a party sample products, in the caller's transaction.
 *
 * @param brands only of these brands; all when left out
 */
export async function addSampleProducts(
  tx: Db,
  partyId: number,
  brands?: ReadonlySet<string>,
): Promise<void> {
  const rows = await readSampleProducts()
  const { catalogueRevision: revision } = await tx.party.update({
    where: { id: partyId },
    data: { catalogueRevision: { increment: 1 } },
  })
  await tx.product.createMany({
    data: rows
      .filter(({ brand }) => brands === undefined || brands.has(brand))
      .map(recordOf)
      .map((record) => ({ partyId, ...record, body: productBody(record), revision })),
  })
}

function recordOf(row: SampleRow): ProductRecord {
  return {
    brand: row.brand,
    partNumber: row.partNumber,
    inStock: Number(row.inStock),
    shortDescription: row.shortDescription || null,
    msrp: row.msrp === '' ? null : Number(row.msrp),
    mapPrice: row.mapPrice === '' ? null : Number(row.mapPrice),
    upc: row.upc || null,
  }
}

import { PRODUCT_FIELDS, type ProductField } from '../pages/product-query.ts'

/** What ends a line (RFC 4180). */
export const CSV_LINE_END = '\r\n'

/** The line that names the columns. */
export function csvHead(fields: readonly ProductField[] = PRODUCT_FIELDS): string {
  return `${fields.join(',')}${CSV_LINE_END}`
}

const text = (column: string) => `'"' || replace(${column}, '"', '""') || '"'`

const CELL_SQL: Readonly<Record<ProductField, string>> = {
  id: 'p.id',
  brand: text('p.brand'),
  partNumber: text('p.part_number'),
  inStock: 'p.in_stock',
  shortDescription: text('p.short_description'),
  msrp: 'trim_scale(p.msrp)',
  mapPrice: 'trim_scale(p.map_price)',
  upc: text('p.upc'),
}

/**
 * SQL of a product of `products p` as a line without its end. Texts are quoted; null is an empty
 * cell without quotes.
 */
export function productCsv(fields: readonly ProductField[] = PRODUCT_FIELDS): string {
  return `concat(${fields.map((field) => CELL_SQL[field]).join(", ',', ")})`
}

import { type ProductRecord, productBody } from '../product.ts'

/** Columns of the rows that `copyLine` makes, as a table for them declares them. */
export const STAGED_COLUMNS = `line bigint, product_id bigint, brand text, part_number text,
  in_stock int, short_description text, msrp numeric(14, 2), map_price numeric(14, 2), upc text,
  body text`

/** A record as a line of COPY in text format; `id` is what its file says the product's id is. */
export function copyLine(line: number, record: ProductRecord, id?: number): string {
  const { brand, partNumber, inStock, shortDescription, msrp, mapPrice, upc } = record
  return `${line}\t${id ?? '\\N'}\t${escaped(brand)}\t${escaped(partNumber)}\t${inStock}\t${
    shortDescription === null ? '\\N' : escaped(shortDescription)
  }\t${msrp ?? '\\N'}\t${mapPrice ?? '\\N'}\t${upc ?? '\\N'}\t${escaped(productBody(record))}\n`
}

const SPECIAL = /[\\\n\r\t]/
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function escaped(text: string): string {
  return SPECIAL.test(text)
    ? text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] as string)
    : text
}

import { z } from 'zod'
import { count, integerText, MomentText } from '../../../base/values/shapes.ts'
import { searchForm } from '../../../base/values/text-forms/canonical.ts'
import { RECORD_FIELDS } from '../product-checks.ts'
import { gtin14, writtenForms } from '../upc.ts'

const IDS_MAX = 200
const TEXT_MAX_LENGTH = 200

/** The fields of a product that an answer can be narrowed to, in the order of the wire. */
export const PRODUCT_FIELDS = ['id', ...RECORD_FIELDS] as const
export type ProductField = (typeof PRODUCT_FIELDS)[number]

const text = (what: string) => z.string().min(1).max(TEXT_MAX_LENGTH).optional().describe(what)

const ProductId = integerText(Number.MAX_SAFE_INTEGER)

/** A list of distinct values, separated by commas. */
const commaList = (entry: z.ZodType, what: string, max: number) =>
  z
    .string()
    .refine(
      (list) => list.split(',').every((part) => entry.safeParse(part).success),
      `must be ${what} separated by commas`,
    )
    .refine((list) => list.split(',').length <= max, `must have at most ${max} entries`)
    .optional()

/** Query parameters that choose products and what is answered of them. */
export const ProductFilters = {
  brand: text('Only of this brand. Case counts; kinds of spaces and normal forms do not.').meta({
    example: 'Wahl',
  }),
  partNumber: text('Only with this part number, compared as the brand is.'),
  upc: text(
    'Only with this UPC or GTIN; its length does not count (`043917795164` and `00043917795164` are one).',
  ).meta({ example: '043917795164' }),
  ids: commaList(ProductId, 'ids of products', IDS_MAX)
    .describe(`Only these products: ids separated by commas, at most ${IDS_MAX}.`)
    .meta({ example: '101,102' }),
  inStockMin: count()
    .optional()
    .describe('Only with at least so many units in stock.')
    .meta({ example: 1 }),
  updatedSince: MomentText.optional()
    .describe(
      'Only what changed at or after this time. To follow a catalogue use `GET /v1/Products/Changes`, which also tells deletions.',
    )
    .meta({ example: '2026-11-21T09:30:00.000Z' }),
  q: z
    .string()
    .max(TEXT_MAX_LENGTH)
    .refine((words) => searchWords(words).length > 0, 'must hold a word to look for')
    .optional()
    .describe(
      'Only with all of these words, or words that begin so, in brand, part number or short description; case does not count.',
    )
    .meta({ example: 'comfort grip' }),
  fields: commaList(z.enum(PRODUCT_FIELDS), 'names of fields', PRODUCT_FIELDS.length)
    .describe('Answer only these fields, separated by commas, and `id`. Default: all.')
    .meta({ example: 'partNumber,inStock' }),
}
export type RawProductQuery = {
  [Name in keyof typeof ProductFilters]?: z.output<(typeof ProductFilters)[Name]>
}

/**
 * Which products, and which of their fields; in one form, so that equal questions are equal values.
 */
export type ProductQuery = {
  brand?: string
  partNumber?: string
  /** In 14 digits. */
  upc?: string
  /** Ascending, without repetition. */
  ids?: number[]
  inStockMin?: number
  updatedSince?: Date
  /** The words to look for. */
  q?: string[]
  /** In the order of the wire, with `id`; left out for all. */
  fields?: ProductField[]
}

/** Brings the checked query parameters into one form, however the client wrote them. */
export function parseProductQuery(raw: RawProductQuery): ProductQuery {
  const query: ProductQuery = {}
  if (raw.brand !== undefined) query.brand = searchForm(raw.brand)
  if (raw.partNumber !== undefined) query.partNumber = searchForm(raw.partNumber)
  if (raw.upc !== undefined) query.upc = gtin14(searchForm(raw.upc))
  if (raw.ids !== undefined) {
    query.ids = [...new Set(raw.ids.split(',').map(Number))].sort((a, b) => a - b)
  }
  if (raw.inStockMin !== undefined) query.inStockMin = raw.inStockMin
  if (raw.updatedSince !== undefined) query.updatedSince = new Date(raw.updatedSince)
  if (raw.q !== undefined) query.q = searchWords(raw.q)
  if (raw.fields !== undefined) {
    const named = new Set(['id', ...raw.fields.split(',')])
    const fields = PRODUCT_FIELDS.filter((field) => named.has(field))
    if (fields.length < PRODUCT_FIELDS.length) query.fields = fields
  }
  return query
}

/** The name of a query: the same text for equal questions; empty when there is no filter. */
export function productQueryKey(query: ProductQuery): string {
  const key = JSON.stringify(query)
  return key === '{}' ? '' : key
}

/**
 * What is searched: brand, part number and description with punctuation as blanks, so that the
 * parts of `79520-500` are words. The index products_text_search_idx is on this very expression.
 */
const SEARCHED =
  "to_tsvector('simple'::regconfig, translate(" +
  "p.brand || ' ' || p.part_number || ' ' || COALESCE(p.short_description, ''), " +
  "'!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 32)))"
const PUNCTUATION = /[!-/:-@[-`{-~\s]+/

/**
 * The words as the client wrote them: Postgres folds their case by the rules it uses for products.
 */
function searchWords(text: string): string[] {
  return [...new Set(searchForm(text).split(PUNCTUATION))].filter((word) => word !== '').sort()
}

/**
 * The conditions of a query on `products p`, to be appended to others.
 *
 * @param firstParameter number of the first SQL parameter that is free
 * @returns `AND ...` for each filter, or an empty text; and the values of its parameters as texts
 */
export function productConditions(
  query: ProductQuery,
  firstParameter: number,
): { sql: string; values: string[] } {
  const values: string[] = []
  const conditions: string[] = []
  const add = (value: string | undefined, condition: (parameter: string) => string) => {
    if (value === undefined) return
    conditions.push(` AND ${condition(`$${firstParameter + values.length}`)}`)
    values.push(value)
  }
  add(query.brand, (parameter) => `p.brand = ${parameter}`)
  add(query.partNumber, (parameter) => `p.part_number = ${parameter}`)
  const upcs = query.upc === undefined ? undefined : `{${writtenForms(query.upc).join(',')}}`
  add(upcs, (parameter) => `p.upc = ANY(${parameter}::text[])`)
  add(query.ids && `{${query.ids.join(',')}}`, (parameter) => `p.id = ANY(${parameter}::bigint[])`)
  add(query.inStockMin?.toString(), (parameter) => `p.in_stock >= ${parameter}::int`)
  add(query.updatedSince?.toISOString(), (parameter) => `p.updated_at >= ${parameter}::timestamptz`)
  const words = query.q?.map((word) => `'${word}':*`).join(' & ')
  add(words, (parameter) => `${SEARCHED} @@ to_tsquery('simple', ${parameter})`)
  return { sql: conditions.join(''), values }
}

const FIELD_JSON: Readonly<Record<ProductField, string>> = {
  id: 'p.id',
  brand: 'to_json(p.brand)',
  partNumber: 'to_json(p.part_number)',
  inStock: 'p.in_stock',
  shortDescription: "coalesce(to_json(p.short_description)::text, 'null')",
  msrp: "coalesce(trim_scale(p.msrp)::text, 'null')",
  mapPrice: "coalesce(trim_scale(p.map_price)::text, 'null')",
  upc: "coalesce(to_json(p.upc)::text, 'null')",
}

/** SQL of a product of `products p` as its JSON text on the wire. */
export function productJson(fields?: readonly ProductField[]): string {
  if (fields === undefined) return `'{"id":' || p.id || ',' || p.body`
  const members = fields.map((field, index) => {
    const name = `${index === 0 ? '{' : ','}"${field}":`
    return `'${name}', ${FIELD_JSON[field]}`
  })
  return `concat(${members.join(', ')}, '}')`
}

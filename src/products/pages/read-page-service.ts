import type { Pool } from 'pg'
import { batchedLookUp } from '../../database/batched-look-up.ts'
import { queryTexts, statementOf, type TextRow } from '../../database/statement.ts'
import { catalogueKey, partiesOf } from '../../values/catalogue-key.ts'
import type { Viewer } from '../visibility.ts'
import { pageTag } from './page-etag.ts'
import type { PageQuestion, ProductPage } from './page-in-memory.ts'
import { productJson, productQueryKey } from './product-query.ts'
import { productRows } from './product-rows.ts'

/** A page as it was read, without what the memory of pages adds. */
export type ReadPage = Omit<ProductPage, 'popularity'>

/** Products that one statement reads at most, when it reads several pages. */
const SHARED_PRODUCTS_MAX = 800
/** Statements for several pages that are under way at once, for each length of a page. */
const SHARED_PARALLEL = 2

/** What a page is, whatever the state of its catalogue. */
export function pageName(catalogue: string, { query, after, limit }: PageQuestion): string {
  return `${partiesOf(catalogue)}|${limit}|${after}|${productQueryKey(query)}`
}

/**
 * Reads a page and the state of the catalogue in one statement, so in one snapshot. Undefined when
 * the party is not there, or not yet.
 *
 * Pages of one party without filters that are asked for together share a statement: sending it,
 * starting it and waking for its result take longer than reading a page. A page of a Buyer reads
 * each connected Seller, and a filter may read much: those have a statement of their own.
 */
export async function readProductPage(
  pool: Pool,
  { partyId, partyType }: Viewer,
  question: PageQuestion,
): Promise<ReadPage | undefined> {
  const { query, after, limit } = question
  const isBuyer = partyType === 'Buyer'
  const isPlain = productQueryKey(query) === ''
  if (isPlain && !isBuyer) {
    const row = await sharedRead(limit)(pool, `${partyId}`, `${after}`)
    return row && pageOf(row, question)
  }
  const { values, ...statement } = isPlain
    ? { ...statementOf('page', `${limit}`, () => pageSql(isBuyer, question).text), values: [] }
    : pageSql(isBuyer, question)
  const [row] = await queryTexts(pool, statement, [`${partyId}`, `${after}`, ...values])
  return row && pageOf(row, question)
}

type SharedRead = (pool: Pool, partyId: string, after: string) => Promise<TextRow | undefined>
const sharedReads = new Map<number, SharedRead>()

/** The read of pages of this length; there are as many as there are lengths, 1,000 at most. */
function sharedRead(limit: number): SharedRead {
  const known = sharedReads.get(limit)
  if (known !== undefined) return known
  const read = batchedLookUp<TextRow>(
    statementOf('pages', `${limit}`, () => pagesSql(limit)),
    {
      batchLimit: Math.max(1, Math.floor(SHARED_PRODUCTS_MAX / limit)),
      parallel: SHARED_PARALLEL,
      read: (row) => (row[0] === null ? undefined : row),
    },
  )
  sharedReads.set(limit, read)
  return read
}

function pageOf([catalogue, count, json]: TextRow, question: PageQuestion): ReadPage {
  const state = catalogue ?? ''
  const name = pageName(state, question)
  const isLast = Number(count) <= question.limit
  const products = isLast ? (json ?? '') : withoutLastProduct(json ?? '')
  return {
    name,
    catalogue: state,
    tag: pageTag(state, name),
    body: arrayOf(products),
    next: isLast ? undefined : lastProductId(products),
    encoded: {},
  }
}

/** How the products of a page become its text, and their number. */
const joined = (rows: string) => `SELECT count(*), string_agg(line, ',') FROM (${rows}) AS ordered`

/** SQL of pages of one length, each of the products of one party after an id. */
function pagesSql(limit: number): string {
  const { sql: rows } = productRows({
    query: {},
    firstParameter: 3,
    party: 'asked.party_id',
    after: 'asked.after',
    line: productJson(),
    limit: `${limit + 1}`,
  })
  return `
    SELECT ${catalogueKey('viewer')}, page.*
    FROM unnest((SELECT $1::int[]), (SELECT $2::bigint[])) WITH ORDINALITY
      AS asked (party_id, after, position)
    LEFT JOIN parties viewer ON viewer.id = asked.party_id
    CROSS JOIN LATERAL (${joined(rows)}) AS page
    ORDER BY asked.position`
}

/**
 * SQL of one page. The statement of a page without filters is prepared, and Postgres is to keep one
 * plan for it: planning takes as long as running it. So the limit (a checked number) is part of the
 * text, and the parameters stand in subqueries, where their values change no estimate.
 */
function pageSql(
  isBuyer: boolean,
  { query, limit }: PageQuestion,
): { text: string; values: string[] } {
  const isPlain = productQueryKey(query) === ''
  const viewer = isPlain ? '(SELECT $1::int)' : '$1'
  const { sql: rows, values } = productRows({
    query,
    firstParameter: 3,
    party: isBuyer ? 'c.seller_id' : viewer,
    after: isPlain ? '(SELECT $2::bigint)' : '$2',
    line: productJson(query.fields),
    limit: `${limit + 1}`,
  })
  const source = isBuyer
    ? `SELECT found.* FROM connections c CROSS JOIN LATERAL (${rows}) AS found
       WHERE c.buyer_id = ${viewer} ORDER BY found.id LIMIT ${limit + 1}`
    : rows
  const text = `
    SELECT ${catalogueKey('viewer')}, page.*
    FROM parties viewer CROSS JOIN (${joined(source)}) AS page
    WHERE viewer.id = $1`
  return { text, values }
}

/**
 * A JSON array of these products as bytes in their own memory: a small buffer from Node's shared
 * pool would keep 64 KiB alive.
 */
function arrayOf(products: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(products) + 2)
  bytes.write('[', 0)
  bytes.write(products, 1)
  bytes.write(']', bytes.length - 1)
  return bytes
}

/** How every product begins; inside of a JSON text there is a backslash before each quote. */
const PRODUCT_START = '{"id":'

function withoutLastProduct(products: string): string {
  return products.slice(0, products.lastIndexOf(`,${PRODUCT_START}`))
}

function lastProductId(products: string): number {
  return Number.parseInt(
    products.slice(products.lastIndexOf(PRODUCT_START) + PRODUCT_START.length),
    10,
  )
}

import type { Pool } from 'pg'
import { batchedLookUp } from '../../../base/database/batched-look-up.ts'
import {
  isUsualLimit,
  pageStatement,
  queryTexts,
  type TextRow,
} from '../../../base/database/statement.ts'
import { catalogueKey, partiesOf } from '../../../base/values/catalogue-key.ts'
import type { Viewer } from '../visibility.ts'
import { pageTag } from './page-etag.ts'
import type { PageQuestion, ProductPage } from './page-in-memory.ts'
import { type ProductQuery, productJson, productQueryKey } from './product-query.ts'
import { productRows } from './product-rows.ts'

/** A page as it was read, without what the memory of pages adds. */
type ReadPage = Omit<ProductPage, 'popularity'>

/** Pages and products that one statement reads at most, when it reads several pages. */
const SHARED_PAGES_MAX = 16
const SHARED_PRODUCTS_MAX = 800
/** Longer pages do not share a statement. */
const SHARED_LIMIT_MAX = SHARED_PRODUCTS_MAX / 2
/** All these statements wait in one line at the connections to the database. */
const SHARED_READS = Symbol('pages of products')

/** What a page is, whatever the state of its catalogue. */
export function pageName(catalogue: string, { query, after, limit }: PageQuestion): string {
  return `${partiesOf(catalogue)}|${limit}|${after}|${productQueryKey(query)}`
}

/**
 * Reads a page and the state of the catalogue in one statement, so in one snapshot. Undefined when
 * the party is not there, or not yet.
 */
export async function readPageAlone(
  pool: Pool,
  { partyId, partyType }: Viewer,
  question: PageQuestion,
): Promise<ReadPage | undefined> {
  const { query, after, limit } = question
  const isBuyer = partyType === 'Buyer'
  const { values, ...statement } = isPlain(query)
    ? {
        ...pageStatement(
          { family: 'page', limit, shape: isBuyer ? ' of Sellers' : '' },
          () => pageSql(isBuyer, question).text,
        ),
        values: [],
      }
    : pageSql(isBuyer, question)
  const [row] = await queryTexts(pool, statement, [`${partyId}`, `${after}`, ...values])
  return row && pageOf(row, question)
}

type SharedRead = (pool: Pool, partyId: string, after: string) => Promise<TextRow | undefined>

/**
 * Makes a function that reads a page like `readPageAlone`, in a statement that it may share with
 * other pages of its length, if that is a usual one: sending a statement and waking for its result
 * take longer than reading a page. A page of a Buyer reads each connected Seller, and a filter may
 * read much: such pages share none.
 */
export function createPageReader(): typeof readPageAlone {
  const sharedReads = new Map<number, SharedRead>()
  const sharedRead = (limit: number) => {
    const known = sharedReads.get(limit)
    if (known !== undefined) return known
    if (limit > SHARED_LIMIT_MAX || !isUsualLimit(limit)) return undefined
    const read = readOf(limit)
    sharedReads.set(limit, read)
    return read
  }
  return async (pool, viewer, question) => {
    const { query, after, limit } = question
    const canShare = viewer.partyType !== 'Buyer' && isPlain(query)
    const read = canShare ? sharedRead(limit) : undefined
    if (read === undefined) return readPageAlone(pool, viewer, question)
    const row = await read(pool, `${viewer.partyId}`, `${after}`)
    return row && pageOf(row, question)
  }
}

/** The read of pages of this length; those that are asked for together share a statement. */
function readOf(limit: number): SharedRead {
  return batchedLookUp<TextRow>(
    pageStatement({ family: 'pages', limit }, () => pagesSql(limit)),
    {
      batchLimit: Math.min(SHARED_PAGES_MAX, Math.floor(SHARED_PRODUCTS_MAX / limit)),
      caller: SHARED_READS,
      read: (row) => (row[0] === null ? undefined : row),
    },
  )
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
    count: isLast ? Number(count) : question.limit,
    next: isLast ? undefined : lastProductId(products),
    encoded: {},
  }
}

/** How the products of a page become its text, and their number. */
const joined = (rows: string) => `SELECT count(*), string_agg(line, ',') FROM (${rows}) AS ordered`

function isPlain(query: ProductQuery): boolean {
  return productQueryKey(query) === ''
}

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
  const viewer = isPlain(query) ? '(SELECT $1::int)' : '$1'
  const { sql: rows, values } = productRows({
    query,
    firstParameter: 3,
    party: isBuyer ? 'c.seller_id' : viewer,
    after: isPlain(query) ? '(SELECT $2::bigint)' : '$2',
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

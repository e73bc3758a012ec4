import { hash } from 'node:crypto'
import { queryTexts, statementOf } from '../database/statement.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { createDoorkeeper } from './doorkeeper.ts'
import { type ByteCache, createByteCache } from './page-cache.ts'
import { type Coding, compress, isCompressible } from './page-encoding.ts'
import { catalogueKey } from './page-key.ts'
import { type ProductQuery, productConditions, productJson, productQueryKey } from './query.ts'
import { VISIBLE_PARTIES, type Viewer } from './visibility.ts'

/** Who looks, and the state of the catalogue that it sees, read after its request arrived. */
export type CatalogueViewer = Viewer & { catalogue: string }

/** A page as the body of its answer, shared by all who see the same catalogue. */
export type ProductPage = {
  /** Catalogue and question; equal keys are equal pages. */
  key: string
  /** Names the page without quotes and coding. */
  tag: string
  body: Buffer
  /** Id of the last product when more follow it. */
  next: number | undefined
  encoded: Partial<Record<Coding, Promise<Buffer>>>
}

type PageQuestion = { query: ProductQuery; after: number; limit: number }

/** Pages of products, from memory where they are known. */
export type ProductPages = {
  /** Names the page as it is now. */
  keyOf(viewer: CatalogueViewer, question: PageQuestion): string
  /** The tag of a page, which need not be known. */
  tagOf(key: string): string
  /** The page from memory. */
  known(key: string): ProductPage | undefined
  /** The page of a key, of one of these; from memory, or by a query. */
  read(key: string, viewer: CatalogueViewer, question: PageQuestion): Promise<ProductPage>
  /** The body in a coding, compressed once; undefined when it is too small to gain. */
  encoded(page: ProductPage, coding: Coding): Promise<Buffer> | undefined
  cache: Pick<ByteCache<ProductPage>, 'bytes' | 'entries'>
}

/** A full cache takes in what was asked for twice among so many times the pages that it holds. */
const WINDOW_OF_FULL_CACHE = 4
/** Share of its bytes from which on a cache is full. */
const FULL_SHARE = 0.9

/**
 * Makes the cache of pages. It is never stale: a page is found only under the state of the
 * catalogue that was read after the request arrived, and a page is kept under the state that was
 * read in one snapshot with its rows. Requests that miss the same page share one query.
 *
 * A page is kept when it is asked for again, be it at a later state of the catalogue: of a large
 * catalogue most pages are read once, and what is kept long takes the collector long.
 *
 * @param maxBytes bound of the bodies, compressed ones included
 */
export function createProductPages(pool: Deps['pool'], maxBytes: number): ProductPages {
  const cache = createByteCache<ProductPage>(maxBytes)
  // The promise is taken away when it is done: former copies of the Map, in which entries come and
  // go, point to it until the next full collection, and it to its page and its requests.
  const loading = new Map<string, { promise: Promise<ProductPage> | undefined }>()
  const wasAskedFor = createDoorkeeper(() =>
    cache.bytes() < FULL_SHARE * maxBytes ? Infinity : WINDOW_OF_FULL_CACHE * cache.entries(),
  )

  const keep = (page: ProductPage) => {
    if (cache.get(page.key) === undefined) cache.set(page.key, page, page.body.length)
  }
  const load = (key: string, viewer: CatalogueViewer, question: PageQuestion) => {
    const isKept = wasAskedFor(`${viewer.partyId}|${questionKey(question)}`)
    const entry: { promise: Promise<ProductPage> | undefined } = { promise: undefined }
    const promise = loadPage(pool, viewer, question)
      .then((page) => {
        if (isKept) keep(page)
        return page
      })
      .finally(() => {
        entry.promise = undefined
        if (loading.get(key) === entry) loading.delete(key)
      })
    entry.promise = promise
    loading.set(key, entry)
    return promise
  }
  return {
    keyOf: ({ catalogue }, question) => pageKey(catalogue, question),
    tagOf: (key) => cache.get(key)?.tag ?? tagOf(key),
    known: (key) => cache.get(key),
    async read(key, viewer, question) {
      const known = cache.get(key)
      if (known !== undefined) return known
      // Another's query may have begun before this request arrived. When the catalogue was then
      // another one (a connection taken away and given back), its page may be older than this one's.
      const underWay = loading.get(key)?.promise
      const shared = underWay && (await underWay)
      if (shared?.key !== key) return load(key, viewer, question)
      keep(shared)
      return shared
    },
    encoded(page, coding) {
      if (!isCompressible(page.body)) return undefined
      page.encoded[coding] ??= compress(page.body, coding).then((bytes) => {
        cache.grow(page.key, page, bytes.length)
        return bytes
      })
      return page.encoded[coding]
    },
    cache,
  }
}

function pageKey(catalogue: string, question: PageQuestion): string {
  return `${catalogue}|${questionKey(question)}`
}

function questionKey({ query, after, limit }: PageQuestion): string {
  return `${limit}|${after}|${productQueryKey(query)}`
}

function tagOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 22)
}

/** Reads a page and the state of the catalogue in one statement, so in one snapshot. */
async function loadPage(
  pool: Deps['pool'],
  { partyId, partyType }: Viewer,
  question: PageQuestion,
): Promise<ProductPage> {
  const { query, after, limit } = question
  const { sql, values } = productConditions(query, 3)
  const isBuyer = partyType === 'Buyer'
  const isPlain = sql === '' && query.fields === undefined
  const statement = isPlain
    ? statementOf('page', `${isBuyer}-${limit}`, () => pageSql(isBuyer, question, ''))
    : { text: pageSql(isBuyer, question, sql) }
  const [row] = await queryTexts(pool, statement, [`${partyId}`, `${after}`, ...values])
  if (row === undefined) throw new Error(`party ${partyId} is gone`)
  const [catalogue, count, json] = row
  const key = pageKey(catalogue ?? '', question)
  const isLast = Number(count) <= limit
  const products = isLast ? (json ?? '') : withoutLastProduct(json ?? '')
  return {
    key,
    tag: tagOf(key),
    body: arrayOf(products),
    next: isLast ? undefined : lastProductId(products),
    encoded: {},
  }
}

/**
 * The limit (a checked number) is part of the text: as a parameter it would make Postgres plan
 * the statement anew each time, which takes longer than running it.
 */
function pageSql(isBuyer: boolean, { query, limit }: PageQuestion, conditions: string): string {
  const rowsOf = (party: string) => `
    SELECT p.id, ${productJson(query.fields)} AS json
    FROM products p
    WHERE p.party_id = ${party} AND p.id > $2${conditions}
    ORDER BY p.id
    LIMIT ${limit + 1}`
  const source = isBuyer
    ? `SELECT found.* FROM connections c CROSS JOIN LATERAL (${rowsOf('c.seller_id')}) AS found
       WHERE c.buyer_id = $1 ORDER BY found.id LIMIT ${limit + 1}`
    : rowsOf('$1')
  return `
    SELECT ${catalogueKey('viewer')}, page.*
    FROM parties viewer CROSS JOIN (
      SELECT count(*), string_agg(json, ',') FROM (${source}) AS ordered
    ) AS page
    WHERE viewer.id = $1`
}

/**
 * A JSON array of these products as bytes, in memory of its own: a small body from Node's shared
 * pool would keep a slab of 64 KiB alive.
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

/**
 * One product that the installing party sees, as its JSON, and the revision of its last change.
 *
 * @throws AppError not_found when there is none, or it is not this party's to see
 */
export async function readProduct(
  { pool }: Pick<Deps, 'pool'>,
  viewer: Viewer,
  id: number,
): Promise<{ json: string; revision: number }> {
  const { rows } = await pool.query<{ json: string; revision: number }>({
    name: 'read-product',
    text: `
      SELECT ${productJson()} AS json, p.revision::float8
      FROM products p
      WHERE p.party_id IN (${VISIBLE_PARTIES}) AND p.id = $3`,
    values: [viewer.partyId, viewer.partyType, id],
  })
  const [product] = rows
  if (product === undefined) throw new AppError('not_found')
  return product
}

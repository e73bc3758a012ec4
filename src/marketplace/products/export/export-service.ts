import { Readable } from 'node:stream'
import {
  currentDeadline,
  type Deadline,
  deadlineIn,
  withDeadline,
} from '../../../base/fair-share/deadline.ts'
import type { Deps } from '../../../deps.ts'
import {
  PRODUCT_FIELDS,
  type ProductField,
  type ProductQuery,
  productJson,
} from '../pages/product-query.ts'
import { productRows } from '../pages/product-rows.ts'
import { VISIBLE_PARTIES, type Viewer } from '../visibility.ts'

/** What ends a line (RFC 4180). */
const CSV_LINE_END = '\r\n'

const quotedText = (column: string) => `'"' || replace(${column}, '"', '""') || '"'`

/** How many products are read at once; the next ones are read while these are sent. */
const CHUNK_ROWS = 500
/**
 * How long a chunk may take to read. The first chunk counts towards the deadline of the request.
 */
const CHUNK_MS = 8_000
const FIRST_CHUNK_ROWS = 100
/** An export asks again before a chunk whether it may go on, when it asked longer ago than this. */
const UNCHECKED_MS = 1_000
/** So long a chunk is to be: of long products there are fewer in one. */
const CHUNK_CHARACTERS = 131_072

type Chunk = { text: string | null; last: string | null; count: number; isCurrent: boolean }

/** How products are written: the first line, what ends a line, and SQL of the line of a product. */
const EXPORTS = {
  json: { head: () => '', lineEnd: '\n', line: productJson },
  csv: { head: csvHead, lineEnd: CSV_LINE_END, line: productCsv },
} as const

type ExportInput = {
  viewer: Viewer
  query: ProductQuery
  form: keyof typeof EXPORTS
  /** Throws when the caller may no longer read. */
  checkAgain: () => Promise<unknown>
  /** Told how many products were read so far. */
  onCount: (count: number) => void
}
type Seller = { id: number; revision: string }

/**
 * All products that match, one per line, party by party and each in the order of ids. It
 * reads no faster than the client takes the lines, in short queries that hold nothing in between. A
 * product that is written meanwhile may or may not be included.
 * A replica is read as long as it has caught up with what the primary had at the beginning.
 *
 * The stream fails when the caller may no longer read. It leaves out the rest of a Seller that the
 * party no longer sees.
 */
export function exportProducts(deps: Pick<Deps, 'pool' | 'replica'>, input: ExportInput): Readable {
  const firstDeadline = currentDeadline() ?? deadlineIn(CHUNK_MS)
  const chunks = exportChunks(deps, input, firstDeadline)
  return Readable.from(chunks, { objectMode: true, highWaterMark: 1 })
}

async function* exportChunks(
  { pool, replica }: Pick<Deps, 'pool' | 'replica'>,
  { viewer, query, form, checkAgain, onCount }: ExportInput,
  firstDeadline: Deadline,
): AsyncGenerator<string> {
  const { head, lineEnd, line } = EXPORTS[form]
  const sellers = await withDeadline(firstDeadline, () => findSellers(pool, viewer))
  let visible = new Set(sellers.map(({ id }) => id))
  let checkedAtMs = performance.now()
  let isFirst = true
  const checkInTime = async () => {
    if (performance.now() - checkedAtMs <= UNCHECKED_MS) return
    await withDeadline(deadlineIn(CHUNK_MS, firstDeadline), async () => {
      await checkAgain()
      visible = new Set((await findSellers(pool, viewer)).map(({ id }) => id))
    })
    checkedAtMs = performance.now()
  }
  const readFrom = async (source: Deps['pool'], given: readonly unknown[]) =>
    (await source.query<Chunk>(text, [...given])).rows[0]
  const readChunk = (given: readonly unknown[]) =>
    withDeadline(isFirst ? firstDeadline : deadlineIn(CHUNK_MS, firstDeadline), async () => {
      const copy = await replica?.read((copies) => readFrom(copies, given))
      return copy?.isCurrent === true ? copy : await readFrom(pool, given)
    })
  const { sql, values } = productRows({
    query,
    firstParameter: 6,
    party: '$1',
    after: '$2::bigint',
    line: line(query.fields),
    limit: '$3::int',
  })
  const text = `
    SELECT string_agg(line, $5::text) AS text, max(id)::text AS last, count(*)::int AS count,
      coalesce((SELECT catalogue_revision >= $4 FROM parties WHERE id = $1), false) AS "isCurrent"
    FROM (${sql}) AS chunk`
  let beforeLines = head(query.fields)
  let limit = FIRST_CHUNK_ROWS
  let count = 0
  for (const { id, revision } of sellers) {
    let after: string | undefined = '0'
    while (after !== undefined) {
      await checkInTime()
      if (!visible.has(id)) break
      const chunk: Chunk | undefined = await readChunk([
        id,
        after,
        limit,
        revision,
        lineEnd,
        ...values,
      ])
      isFirst = false
      if (chunk?.text) {
        count += chunk.count
        onCount(count)
        yield `${beforeLines}${chunk.text}${lineEnd}`
        beforeLines = ''
      }
      after = chunk?.count === limit && chunk.last !== null ? chunk.last : undefined
      limit = nextLimit(chunk)
    }
  }
  if (beforeLines !== '') yield beforeLines
}

/** The parties whose products the viewer sees, with their revisions. */
async function findSellers(pool: Deps['pool'], { partyId, partyType }: Viewer): Promise<Seller[]> {
  const { rows } = await pool.query<Seller>(
    `SELECT p.id, p.catalogue_revision AS revision
     FROM (${VISIBLE_PARTIES}) AS v (id) JOIN parties p ON p.id = v.id ORDER BY 1`,
    [partyId, partyType],
  )
  return rows
}

/** How many products of this chunk's average length fit into a chunk of the target length. */
function nextLimit(chunk: Chunk | undefined): number {
  if (!chunk?.text) return FIRST_CHUNK_ROWS
  const rows = Math.floor((chunk.count * CHUNK_CHARACTERS) / chunk.text.length)
  return Math.min(CHUNK_ROWS, Math.max(1, rows))
}

/** The line that names the columns. */
function csvHead(fields: readonly ProductField[] = PRODUCT_FIELDS): string {
  return `${fields.join(',')}${CSV_LINE_END}`
}

const CELL_SQL: Readonly<Record<ProductField, string>> = {
  id: 'p.id',
  brand: quotedText('p.brand'),
  partNumber: quotedText('p.part_number'),
  inStock: 'p.in_stock',
  shortDescription: quotedText('p.short_description'),
  msrp: 'trim_scale(p.msrp)',
  mapPrice: 'trim_scale(p.map_price)',
  upc: quotedText('p.upc'),
}

/**
 * SQL of a product of `products p` as a line without its end. Texts are quoted; null is an empty
 * cell without quotes.
 */
function productCsv(fields: readonly ProductField[] = PRODUCT_FIELDS): string {
  return `concat(${fields.map((field) => CELL_SQL[field]).join(", ',', ")})`
}

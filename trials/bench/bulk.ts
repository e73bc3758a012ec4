import { request } from 'node:http'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Dataset } from './dataset.ts'
import type { Measurement } from './driver.ts'
import type { Server } from './processes.ts'

/** A whole catalogue in or out, by us and by Postgres' own COPY; rates are of rows. */
export type BulkRound = { product: Measurement; rival: Measurement; growthMib: number }

const CHUNK_ROWS = 500
const RSS_EVERY_MS = 50
const COLUMNS =
  'party_id, brand, part_number, in_stock, short_description, msrp, upc, body, revision, updated_at'

/**
 * Imports rows as CSV into the empty catalogue of an account, and copies the same rows into an
 * empty table with the same columns, constraints and indexes.
 */
export async function measureImport(
  { databaseUrl }: Dataset,
  product: Server,
  token: string,
  rows: number,
): Promise<BulkRound> {
  const ours = await timed(rows, product, () =>
    send(`${product.url}/v1/Products/Import`, token, csvOf(rows)),
  )
  const rival = await withClient(databaseUrl, async (client) => {
    await client.query('CREATE TABLE raw_products (LIKE products INCLUDING ALL)')
    const { rows: parties } = await client.query<{ id: number }>(
      'SELECT max(id) AS id FROM parties',
    )
    const copy = client.query(copyFrom(`COPY raw_products (${COLUMNS}) FROM STDIN`))
    const result = await timed(rows, undefined, async () => {
      const source = Readable.from(copyLinesOf(rows, Number(parties[0]?.id)))
      await pipeline(source, copy)
      return 0
    })
    await client.query('DROP TABLE raw_products')
    return result
  })
  return { product: ours.measured, rival: rival.measured, growthMib: ours.growthMib }
}

/** Exports the whole catalogue as NDJSON, and copies the same text out of the table. */
export async function measureExport(
  { databaseUrl, partyId, productCount }: Dataset,
  product: Server,
  token: string,
): Promise<BulkRound> {
  const ours = await timed(productCount, product, async () => {
    const answer = await fetch(`${product.url}/v1/Products`, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/x-ndjson',
        'accept-encoding': 'identity',
      },
    })
    const { bytes, lines } = await drained(answer.body as unknown as AsyncIterable<Uint8Array>)
    if (lines !== productCount) throw new Error(`the export had ${lines} lines`)
    return bytes
  })
  const rival = await withClient(databaseUrl, (client) =>
    timed(productCount, undefined, async () => {
      const copy = client.query(
        copyTo(`COPY (SELECT '{"id":' || id || ',' || body FROM products
                WHERE party_id = ${partyId} ORDER BY id) TO STDOUT`),
      )
      return (await drained(copy)).bytes
    }),
  )
  return { product: ours.measured, rival: rival.measured, growthMib: ours.growthMib }
}

async function timed(rows: number, server: Server | undefined, work: () => Promise<number>) {
  const before = server?.rssMib() ?? 0
  let most = before
  const sampler = setInterval(() => {
    most = Math.max(most, server?.rssMib() ?? 0)
  }, RSS_EVERY_MS)
  const start = performance.now()
  const bytes = await work().finally(() => clearInterval(sampler))
  const milliseconds = performance.now() - start
  const measured: Measurement = {
    requestsPerSecond: (rows / milliseconds) * 1000,
    p50Ms: milliseconds,
    p99Ms: milliseconds,
    errors: 0,
    bytesPerRequest: Math.round(bytes / rows),
  }
  return { measured, growthMib: most - before }
}

async function withClient<Value>(url: string, work: (client: pg.Client) => Promise<Value>) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** @returns the bytes sent */
async function send(url: string, token: string, chunks: Iterable<string>): Promise<number> {
  const sent = request(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
  })
  const answered = new Promise<string>((resolve, reject) => {
    sent.on('error', reject).on('response', async (response) => {
      const text = (await response.toArray()).join('')
      if (response.statusCode === 200) resolve(text)
      else reject(new Error(`the import was refused: ${text}`))
    })
  })
  let bytes = 0
  const counted = function* () {
    for (const chunk of chunks) {
      bytes += chunk.length
      yield chunk
    }
  }
  await pipeline(Readable.from(counted()), sent)
  await answered
  return bytes
}

async function drained(source: AsyncIterable<Uint8Array>) {
  let bytes = 0
  let lines = 0
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
      done()
    },
  })
  await pipeline(source, sink)
  return { bytes, lines }
}

const rowOf = (n: number) => ({
  brand: `Brand ${n % 500}`,
  partNumber: `PN-${n}`,
  inStock: n % 1000,
  text: `Comfort grip design number ${n}; adjustable taper control`,
  msrp: ((n % 90_000) / 100).toFixed(2),
})

function* csvOf(rows: number): Generator<string> {
  yield 'brand,partNumber,inStock,shortDescription,msrp\n'
  yield* chunked(rows, (n) => {
    const { brand, partNumber, inStock, text, msrp } = rowOf(n)
    return `${brand},${partNumber},${inStock},${text},${msrp}\n`
  })
}

function* copyLinesOf(rows: number, partyId: number): Generator<string> {
  yield* chunked(rows, (n) => {
    const { brand, partNumber, inStock, text, msrp } = rowOf(n)
    const body = `"brand":"${brand}","partNumber":"${partNumber}","inStock":${inStock},"shortDescription":"${text}","msrp":${Number(msrp)},"mapPrice":null,"upc":null}`
    return `${partyId}\t${brand}\t${partNumber}\t${inStock}\t${text}\t${msrp}\t\\N\t${body}\t1\t2026-01-01\n`
  })
}

function* chunked(rows: number, lineOf: (n: number) => string): Generator<string> {
  for (let n = 1; n <= rows; n += CHUNK_ROWS) {
    const count = Math.min(CHUNK_ROWS, rows - n + 1)
    yield Array.from({ length: count }, (_, index) => lineOf(n + index)).join('')
  }
}

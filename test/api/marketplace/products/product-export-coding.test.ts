import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect as connectTo } from 'node:net'
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  gunzipSync,
} from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createEncoder } from '../../../../src/base/compression/flushed-stream.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { addProducts } from '../../../setup/products.ts'
import { missing, sabotaged } from '../../../setup/sabotage.ts'
import { waitUntil } from '../../../setup/server-process.ts'
import { untilWaiting } from '../../../setup/turns.ts'

const COUNT = 1_500

let market: TestMarketplace
let seller: ProductParty
/** Sees first the products of the Seller, then those of another one. */
let buyer: ProductParty
let other: ProductParty
beforeAll(async () => {
  market = await startMarketplace()
  seller = await newProductParty(market)
  const products = Array.from({ length: COUNT }, (_, n) => ({
    brand: `B${n % 3}`,
    partNumber: `P-${n}`,
    inStock: n,
    shortDescription: `Ünïcode ${'text '.repeat(n % 40)}`,
  }))
  await addProducts(market.deps.pool, seller.partyId, products)
  other = await newProductParty(market)
  await addProducts(market.deps.pool, other.partyId, [{ brand: 'Other', partNumber: '1' }])
  buyer = await newProductParty(market, 'Buyer')
  await connect(market, buyer, seller)
  await connect(market, buyer, other)
})
afterAll(() => market.close())

const DECODERS = {
  identity: (bytes: Buffer) => bytes,
  gzip: (bytes: Buffer) => gunzipSync(bytes),
  br: (bytes: Buffer) => brotliDecompressSync(bytes),
}
const PARTIAL_DECODERS = {
  ...DECODERS,
  gzip: (bytes: Buffer) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  br: (bytes: Buffer) =>
    brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}
type Coding = keyof typeof DECODERS

/** An export as it comes over the wire, and whether all of it came. */
async function exported(acceptEncoding: string, query = '', { token } = seller) {
  const request = get(`${market.url}/v1/Products${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/x-ndjson',
      'accept-encoding': acceptEncoding,
    },
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => response.on('error', () => {}).on('close', resolve))
  return {
    status: response.statusCode,
    headers: response.headers,
    isWhole: response.complete,
    bytes: Buffer.concat(chunks),
  }
}

describe('an export', () => {
  test.each<[string, Coding]>([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.1, gzip', 'gzip'],
    ['zstd', 'identity'],
  ])('with Accept-Encoding: %s comes in %s with the same lines', async (header, coding) => {
    const plain = await exported('identity')
    const answer = await exported(header)
    expect(answer.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding)
    expect(answer.headers['content-type']).toBe('application/x-ndjson')
    expect(answer.isWhole).toBe(true)
    expect(DECODERS[coding](answer.bytes).equals(plain.bytes)).toBe(true)
    if (coding !== 'identity') expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 4)
  })

  test('says what its coding depends on, compressed or not', async () => {
    for (const header of ['identity', 'gzip']) {
      const { headers } = await exported(header, '?brand=B1')
      expect(headers.vary).toBe('Origin, Accept, Accept-Encoding, Authorization')
    }
  })

  test.each<Coding>(['gzip', 'br'])('without lines is a whole answer in %s', async (coding) => {
    const { bytes, isWhole } = await exported(coding, '?brand=none')
    expect(isWhole).toBe(true)
    expect(DECODERS[coding](bytes)).toHaveLength(0)
  })

  test.each<Coding>(['identity', 'gzip', 'br'])(
    'that fails in the middle is cut off, also in %s',
    async (coding) => {
      const unreadable = unreadableProducts(other.partyId)
      const answer = await sabotaged(market, unreadable, () => exported(coding, '', buyer))
      expect(answer.status).toBe(200)
      expect(answer.isWhole).toBe(false)
      const lines = PARTIAL_DECODERS[coding](answer.bytes).toString().split('\n')
      expect(lines.length).toBeGreaterThan(500)
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ partNumber: 'P-0' })
      if (coding !== 'identity') expect(() => DECODERS[coding](answer.bytes)).toThrow()
    },
  )

  test('that fails before its first line is answered with a plain problem', async () => {
    const answer = await sabotaged(market, missing('products'), () =>
      seller.send('GET', '', undefined, {
        accept: 'application/x-ndjson',
        'accept-encoding': 'gzip',
      }),
    )
    expectProblem(answer, 'internal_error')
    expect(answer.headers.get('content-encoding')).toBeNull()
  })

  test('that is asked for by HEAD has its headers and asks only whether the token is good', async () => {
    const { pool } = market.deps
    let asked = 0
    const count = () => {
      asked += 1
    }
    onTestFinished(() => void pool.off('acquire', count))
    pool.on('acquire', count)
    const { status, headers } = await seller.send('HEAD', '', undefined, {
      accept: 'application/x-ndjson',
      'accept-encoding': 'gzip',
    })
    await waitUntil(() => pool.idleCount === pool.totalCount)
    expect(status).toBe(200)
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(asked).toBeLessThan(2)
  })

  test('in gzip asks for nothing more when its client has hung up', async () => {
    const { pool } = market.deps
    const blocker = await pool.connect()
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE products IN ACCESS EXCLUSIVE MODE')
    const accepted = once(market.app.server, 'connection')
    const { hostname, port } = new URL(market.url)
    const client = connectTo({ host: hostname, port: Number(port) })
    client.write(
      `GET /v1/Products HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${seller.token}\r\naccept: application/x-ndjson\r\naccept-encoding: gzip\r\n\r\n`,
    )
    const [connection] = await accepted
    let asked = 0
    const count = () => {
      asked += 1
    }
    onTestFinished(() => void pool.off('acquire', count))
    try {
      await untilWaiting(market, 1)
      client.destroy()
      await once(connection, 'close')
      pool.on('acquire', count)
    } finally {
      await blocker.query('COMMIT')
      blocker.release()
    }
    await waitUntil(() => pool.idleCount === pool.totalCount)
    expect(asked).toBe(0)
  })
})

test.each([
  ['gzip', createGunzip],
  ['br', createBrotliDecompress],
] as const)('what is written to %s can be read before more is written', async (coding, decode) => {
  const encoder = createEncoder(coding)
  const decoded = encoder.pipe(decode()).setEncoding('utf8')
  for (const text of ['{"id":1}\n', `${'ä'.repeat(100_000)}\n`]) {
    encoder.write(text)
    let read = ''
    while (read.length < text.length) {
      const [part] = (await once(decoded, 'data')) as [string]
      read += part
    }
    expect(read).toBe(text)
  }
  encoder.destroy()
})

/** A party's products cannot be read, as on a damaged page. */
const unreadableProducts = (partyId: number) => ({
  sql: `
    ALTER TABLE products RENAME TO sound_products;
    CREATE VIEW products AS
    SELECT id, party_id, brand, part_number, in_stock, short_description, msrp, map_price, upc,
      CASE WHEN party_id = ${partyId} THEN (1 / (in_stock - in_stock))::text ELSE body END AS body,
      revision, updated_at
    FROM sound_products`,
  undo: 'DROP VIEW products; ALTER TABLE sound_products RENAME TO products',
})

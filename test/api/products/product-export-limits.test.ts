import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEncoder } from '../../../src/compression/flushed-stream.ts'
import { NDJSON_TYPE, sendLines } from '../../../src/http/bodies/ndjson.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { runPatiently } from '../../setup/database.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { newProductParty, type ProductParty } from '../../setup/product-client.ts'
import { waitUntil } from '../../setup/server-process.ts'

let market: TestMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await startMarketplace()
  seller = await newProductParty(market)
  // Far more than what sockets take in before anybody reads.
  await runPatiently(
    market.databaseUrl,
    `INSERT INTO products (party_id, brand, part_number, in_stock, body, revision, updated_at)
     SELECT $1, 'B', n, 1, '"shortDescription":"' || repeat('text ', 800) || n || '"}', 1, now()
     FROM generate_series(1, 10000) AS n`,
    [seller.partyId],
  )
})
afterAll(() => market.close())

/** A client that reads the beginning of an answer, and then no more. */
async function stoppedReader(url: string, path: string, headers: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connectTo({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`)
  const [first] = await once(socket, 'data')
  expect(String(first)).toMatch(/^HTTP\/1.1 200 /)
  socket.pause()
  return socket
}

describe('the exports of one installation', () => {
  const accept = 'application/x-ndjson'
  const reader = () =>
    stoppedReader(
      market.url,
      '/v1/Products',
      `accept: ${accept}\r\nauthorization: Bearer ${seller.token}\r\n`,
    )

  test('are at most 4 at once; the fifth is told to wait, others are not', async () => {
    const readers = await Promise.all([reader(), reader(), reader(), reader()])
    const refused = await seller.export()
    expectProblem(refused, 'too_many_requests')
    expect(refused.headers.get('retry-after')).toBe('10')
    expect((await seller.list('?limit=1')).status).toBe(200)
    const other = await newProductParty(market)
    expect((await other.export()).status).toBe(200)
    readers.pop()?.destroy()
    await waitUntil(async () => (await seller.export('?brand=none')).status === 200)
    for (const socket of readers) socket.destroy()
    await waitUntil(async () => {
      const all = await Promise.all([1, 2, 3, 4].map(() => seller.export('?brand=none')))
      return all.every(({ status }) => status === 200)
    })
  })
})

describe('a client that stops reading is cut off', () => {
  const STALLED_MS = 100
  const whole = `${'text '.repeat(10_000_000)}\n`
  /** Lines that cannot be made shorter: compressed ones fill what takes them in, too. */
  function* endless() {
    for (;;) yield `${randomBytes(7_500).toString('base64')}\n`
  }

  test.each([
    ['in the middle of the lines', () => Readable.from(endless()), undefined],
    ['in the middle of the lines, in gzip', () => Readable.from(endless()), 'gzip'],
    ['in the middle of the lines, in br', () => Readable.from(endless()), 'br'],
    ['after the last line, with much of it under way', () => Readable.from([whole]), undefined],
  ] as const)('%s', async (_where, linesOf, coding) => {
    const lines = linesOf()
    const app = Fastify()
    app.get('/', (_request, reply) => {
      const encoding = coding && { coding, encoder: createEncoder(coding) }
      sendLines(reply, lines, NDJSON_TYPE, encoding, STALLED_MS)
    })
    const { hostname, port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const connected = once(app.server, 'connection')
    // Nobody listens for 'data': the client reads no more than fills its own buffer.
    const socket = connectTo({ host: hostname, port: Number(port) })
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await connected
    const connections = () =>
      new Promise<number>((resolve) => app.server.getConnections((_error, n) => resolve(n)))
    await waitUntil(async () => (await connections()) === 0 && lines.destroyed)
    expect(lines.readableDidRead).toBe(true)
    socket.destroy()
    await app.close()
  })
})

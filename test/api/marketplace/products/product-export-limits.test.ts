import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEncoder } from '../../../../src/base/compression/flushed-stream.ts'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { NDJSON_TYPE, sendLines } from '../../../../src/http/bodies/ndjson.ts'
import { removeConnection } from '../../../../src/identity/accounts/connections-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { runPatiently } from '../../../setup/database.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { waitUntil } from '../../../setup/server-process.ts'

let market: TestMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await startMarketplace()
  seller = await newProductParty(market)
  await fill(seller)
})
afterAll(() => market.close())

/** Far more than what sockets take in before anybody reads. */
const fill = ({ partyId }: ProductParty) =>
  runPatiently(
    market.databaseUrl,
    `INSERT INTO products (party_id, brand, part_number, in_stock, body, revision, updated_at)
     SELECT $1, 'B', n, 1, '"shortDescription":"' || repeat('text ', 800) || n || '"}', 1, now()
     FROM generate_series(1, 10000) AS n`,
    [partyId],
  )

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

/** An export whose client reads its beginning only. */
const exportReader = ({ token }: ProductParty) =>
  stoppedReader(
    market.url,
    '/v1/Products',
    `accept: ${NDJSON_TYPE}\r\nauthorization: Bearer ${token}\r\n`,
  )

/** What comes when such a client goes on, and whether it is the whole rest. */
async function restOf(socket: Socket): Promise<{ text: string; isWhole: boolean }> {
  const pieces: Buffer[] = []
  socket.on('data', (piece) => {
    pieces.push(piece)
    if (piece.subarray(-5).equals(Buffer.from('0\r\n\r\n'))) socket.end()
  })
  socket.resume()
  await once(socket, 'close')
  const text = Buffer.concat(pieces).toString()
  return { text, isWhole: text.endsWith('\r\n0\r\n\r\n') }
}

describe('an export under way', () => {
  /** A moment longer than what an export goes on without asking. */
  const UNCHECKED_MS = 1_100

  test('ends without the rest when the account is suspended', async () => {
    const party = await newProductParty(market)
    await fill(party)
    const suspend = (suspendedAt: Date | null) =>
      market.deps.db.party.update({ where: { id: party.partyId }, data: { suspendedAt } })
    const whole = await restOf(await exportReader(party))
    expect(whole.isWhole).toBe(true)
    const socket = await exportReader(party)
    await suspend(new Date())
    await sleep(UNCHECKED_MS)
    const rest = await restOf(socket)
    expect(rest.isWhole).toBe(false)
    expect(rest.text.length).toBeLessThan(whole.text.length)
    await suspend(null)
    expect((await party.export('?brand=none')).status).toBe(200)
  })

  test('goes on without a Seller that the account is no longer connected with', async () => {
    const [buyer, last] = [await newProductParty(market, 'Buyer'), await newProductParty(market)]
    await connect(market, buyer, seller)
    await connect(market, buyer, last)
    await last.upsert({ brand: 'Last', partNumber: '1', inStock: 1 })
    expect((await restOf(await exportReader(buyer))).text).toContain('"brand":"Last"')
    const socket = await exportReader(buyer)
    await removeConnection(market.deps, { buyerId: buyer.partyId, sellerId: last.partyId }, SYSTEM)
    await sleep(UNCHECKED_MS)
    const rest = await restOf(socket)
    expect(rest.isWhole).toBe(true)
    expect(rest.text).not.toContain('"brand":"Last"')
  })
})

describe('the exports of one installation', () => {
  const reader = () => exportReader(seller)

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

/** Lines that cannot be made shorter: compressed ones fill what takes them in, too. */
function* endless() {
  for (;;) yield `${randomBytes(7_500).toString('base64')}\n`
}

test('a client that goes on reading for too long is cut off', async () => {
  const app = Fastify()
  const lines = Readable.from(endless())
  app.get('/', (_request, reply) => {
    sendLines(reply, lines, NDJSON_TYPE, undefined, { longestMs: 300 })
  })
  const { body } = await fetch(await app.listen({ port: 0, host: '127.0.0.1' }))
  const readAll = async () => {
    for await (const piece of body ?? []) expect(piece.length).toBeGreaterThan(0)
  }
  await expect(readAll()).rejects.toThrow()
  await waitUntil(async () => lines.destroyed)
  await app.close()
})

describe('a client that stops reading is cut off', () => {
  const STALLED_MS = 100
  const whole = `${'text '.repeat(10_000_000)}\n`

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
      sendLines(reply, lines, NDJSON_TYPE, encoding, { stalledMs: STALLED_MS })
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

import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { decodeJwt } from 'jose'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { waitUntil } from '../../../setup/server-process.ts'
import { startUpload } from '../../../setup/upload.ts'

const MAX_BYTES = 4_000_000
const HEADER = 'brand,partNumber,inStock\n'

let market: TestMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await startMarketplace({ config: { importMaxBytes: MAX_BYTES } })
  seller = await newProductParty(market)
})
afterAll(() => market.close())

const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, row) => `B,${from + row},1\n`).join('')

const upload = (importId: string, headers = {}) => startUpload(market, seller, importId, headers)

const statusOf = async (importId: string) => (await seller.imports(`/${importId}`)).body?.status

/** What an import could have left behind in the database. */
async function leftovers() {
  const { rows } = await market.deps.pool.query(
    `SELECT (SELECT count(*)::int FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%') AS transactions,
       (SELECT count(*)::int FROM pg_class WHERE relname = 'staged') AS tables,
       (SELECT count(*)::int FROM import_chunks) AS chunks,
       (SELECT count(*)::int FROM products WHERE party_id = $1) AS products`,
    [seller.partyId],
  )
  return rows[0]
}

test('an upload may take longer than other requests, as long as it keeps sending', async () => {
  const { server } = market.app
  const { requestTimeout, headersTimeout } = server
  const importId = randomUUID()
  const slow = upload(importId)
  slow.write(HEADER)
  await waitUntil(async () => (await statusOf(importId)) === 'running')
  onTestFinished(() => void Object.assign(server, { requestTimeout, headersTimeout }))
  Object.assign(server, { requestTimeout: 500, headersTimeout: 500 })
  // A later connection runs into the limit, which is looked at for all connections together.
  const other = connect(Number(new URL(market.url).port), '127.0.0.1')
  other.on('error', () => {}).resume()
  other.write('GET / HTTP/1.1\r\n')
  let parts = 0
  for (; !other.closed; parts++) {
    slow.write(rows(parts, 1))
    await sleep(20)
  }
  Object.assign(server, { requestTimeout, headersTimeout })
  expect((await seller.imports(`/${importId}`)).body).toMatchObject({
    status: 'running',
    rowsRead: expect.any(Number),
    finishedAt: null,
  })
  slow.end()
  expect(await slow.status).toBe(200)
  expect((await leftovers()).products).toBe(parts)
  await market.deps.pool.query('DELETE FROM products WHERE party_id = $1', [seller.partyId])
})

test('a client that hangs up leaves nothing behind', async () => {
  const importId = randomUUID()
  const broken = upload(importId)
  broken.write(HEADER + rows(0, 50_000))
  // Some of its rows are in the database.
  await waitUntil(async () => (await leftovers()).chunks > 0)
  expect(await statusOf(importId)).toBe('running')
  broken.destroy()
  await waitUntil(async () => (await statusOf(importId)) !== 'running')
  expect((await seller.imports(`/${importId}`)).body).toMatchObject({
    status: 'failed',
    rowsCreated: 0,
    finishedAt: expect.any(String),
  })
  // Its rows go after its record has ended.
  await expect.poll(leftovers).toEqual({ transactions: 0, tables: 0, chunks: 0, products: 0 })
  expect((await seller.import(`${HEADER}B,1,1\n`)).status).toBe(200)
  await market.deps.pool.query('DELETE FROM products WHERE party_id = $1', [seller.partyId])
})

test('a commit whose answer is lost on the way is told as it was', async () => {
  const own = await newProductParty(market)
  const undo: (() => void)[] = []
  const loseCommits = (client: PoolClient) => {
    const { query } = client
    let merges = false
    const asked = (...args: unknown[]) => {
      const answer = Reflect.apply(query, client, args)
      merges ||= String(args[0]).includes('TABLE staged')
      if (!merges || args[0] !== 'COMMIT') return answer
      return answer.then(() => {
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      })
    }
    client.query = asked as typeof query
    undo.push(() => {
      client.query = query
    })
  }
  market.deps.pool.on('acquire', loseCommits)
  const { status, body } = await own.import(HEADER + rows(0, 3)).finally(() => {
    market.deps.pool.off('acquire', loseCommits)
    for (const one of undo.reverse()) one()
  })
  expect([status, body]).toEqual([200, expect.objectContaining({ status: 'completed' })])
  expect(body).toMatchObject({ rowsRead: 3, rowsCreated: 3, rowsUpdated: 0, rowsUnchanged: 0 })
  expect((await own.imports()).body).toMatchObject([{ status: 'completed' }])
})

type Ending = (own: ProductParty) => Promise<unknown>

test.each<[string, Ending]>([
  [
    'an installation that is uninstalled',
    ({ installationId: id }) => {
      const data = { status: 'uninstalled', live: null, uninstalledAt: new Date() } as const
      return market.deps.db.installation.update({ where: { id }, data })
    },
  ],
  [
    'a suspended account',
    ({ partyId: id }) =>
      market.deps.db.party.update({ where: { id }, data: { suspendedAt: new Date() } }),
  ],
  [
    'a token that is revoked',
    ({ token }) => {
      const { jti, exp } = decodeJwt(token) as { jti: string; exp: number }
      const expiresAt = new Date(exp * 1000)
      return market.deps.db.revokedToken.create({ data: { jti, expiresAt } })
    },
  ],
])('%s during its upload imports nothing', async (_what, end) => {
  const own = await newProductParty(market)
  const late = startUpload(market, own, randomUUID())
  late.write(HEADER + rows(0, 100))
  await waitUntil(async () => (await own.imports()).body?.[0]?.status === 'running')
  await end(own)
  late.end()
  expect(await late.status).toBe(401)
  const { partyId } = own
  expect(await market.deps.db.product.count({ where: { partyId } })).toBe(0)
  const record = await market.deps.db.productImport.findFirstOrThrow({ where: { partyId } })
  expect(record).toMatchObject({
    status: 'failed',
    rowsCreated: 0n,
    problem: { code: 'invalid_token' },
  })
})

test('a body over the limit stops at the limit, compressed or not', async () => {
  const head = 'brand,partNumber,inStock,shortDescription\n'
  const row = `B,1,1,${'text '.repeat(700)}\n`
  expectProblem(await seller.import(head + row.repeat(1_500)), 'payload_too_large')
  const bomb = gzipSync(head + row.repeat(60_000))
  expect(bomb.length).toBeLessThan(500_000)
  const answer = await seller.import(bomb, 'text/csv', '', { 'content-encoding': 'gzip' })
  expectProblem(answer, 'payload_too_large')
  expect(await leftovers()).toEqual({ transactions: 0, tables: 0, chunks: 0, products: 0 })
})

test('gzip that ends too early is refused', async () => {
  const whole = gzipSync(HEADER + rows(0, 10_000))
  const answer = await seller.import(whole.subarray(0, whole.length / 2), 'text/csv', '', {
    'content-encoding': 'gzip',
  })
  expectProblem(answer, 'invalid_request')
  expect((await leftovers()).products).toBe(0)
})

test('what is wrong in gzip is told at once, whether or not more comes', async () => {
  const pausing = upload(randomUUID(), { 'content-encoding': 'gzip' })
  pausing.write(gzipSync('colour\n1\n2\n'))
  expect(await pausing.status).toBe(422)
  expect((await leftovers()).transactions).toBe(0)
  pausing.destroy()
})

test.each([
  ['letters', HEADER, 'x'],
  ['empty cells', HEADER, ','],
  ['empty cells in quotes', HEADER, '"",'],
  ['empty cells behind a stray quote', `${HEADER}B,4"0,`, ','],
  ['columns', '', ','],
])('a line of 40 MB of %s is refused before it is read', async (_what, before, unit) => {
  const file = before + unit.repeat(40_000_000 / unit.length)
  for (const query of ['', '?onError=skip']) {
    const answer = await seller.import(file, 'text/csv', query)
    expectProblem(answer, 'import_refused')
    expect(answer.body.errors.at(-1).detail).toMatch(/is longer than 1048576 bytes/)
  }
})

test('an NDJSON line of 40 MB is refused before it is read', async () => {
  const line = `{"brand":"${'x'.repeat(40_000_000)}`
  expectProblem(await seller.import(line, 'application/x-ndjson'), 'import_refused')
})

test('a row full of stray quotes is refused at the first ones', async () => {
  const answer = await seller.import(`${HEADER}B,${'x"'.repeat(50_000)},1\n`)
  expectProblem(answer, 'import_refused')
  expect(answer.body).toMatchObject({ errorCount: 2, rowsRead: 1, rowsRefused: 1 })
})

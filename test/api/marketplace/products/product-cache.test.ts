import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConnection } from '../../../../src/identity/accounts/connections-service.ts'
import { createParty } from '../../../../src/identity/accounts/parties-service.ts'
import { issueToken } from '../../../../src/identity/tokens/issue-service.ts'
import { tokenClaims } from '../../../../src/marketplace/installations/mint-token-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { installedBy } from '../../../setup/apps.ts'
import { type Answer, call, developerToken } from '../../../setup/client.ts'
import { addProducts } from '../../../setup/products.ts'
import { credentialOf } from '../../../setup/token-maker.ts'

let market: TestMarketplace
let developer: string
let sellerId: number
let seller: string
let other: pg.Client
beforeAll(async () => {
  market = await startMarketplace()
  developer = await developerToken(market)
  other = new pg.Client({ connectionString: market.databaseUrl })
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await market.close()
})
beforeEach(async () => {
  ;[sellerId, seller] = await newParty('Seller')
  await addProducts(market.deps.pool, sellerId, products(30))
})

/** A party with an installation, and a token for it. */
async function newParty(type: 'Seller' | 'Buyer'): Promise<[number, string]> {
  const { id } = await createParty(market.deps, { name: `Party ${crypto.randomUUID()}`, type })
  const appId = type === 'Seller' ? 'price-sync' : 'stock-watch'
  return [id, await tokenFor(appId, id)]
}

async function tokenFor(appId: string, partyId: number): Promise<string> {
  const { version } = await market.deps.db.app.findUniqueOrThrow({ where: { id: appId } })
  const option = await market.deps.db.purchaseOption.findFirstOrThrow({
    where: { appId, version: String(version) },
  })
  const installationId = await installedBy(market, appId, partyId, option.id)
  const body = { installationId }
  return (await call(market, 'POST', '/v1/Developer/Token', { token: developer, body })).body.token
}

const products = (count: number, brand = 'Brand') =>
  Array.from({ length: count }, (_, index) => ({
    brand,
    partNumber: `${brand}-${index}`,
    shortDescription: 'A description that is long enough for compression to pay.',
  }))
const list = (token: string, query = '', headers: Record<string, string> = {}) =>
  call(market, 'GET', `/v1/Products${query}`, {
    token,
    headers: { 'accept-encoding': 'identity', ...headers },
  })
const partNumbers = ({ body }: Answer) => body.map((one: { partNumber: string }) => one.partNumber)
const tagOf = ({ headers }: Answer) => String(headers.get('etag'))

describe('a page is as new as the last write', () => {
  test('that another process made: added, changed, deleted', async () => {
    expect((await list(seller)).body.length).toBe(30)
    const [id] = await addProducts(other, sellerId, [{ brand: 'New', partNumber: 'new' }])
    expect(partNumbers(await list(seller))).toContain('new')
    const raise = 'UPDATE parties SET catalogue_revision = catalogue_revision + 1 WHERE id = $1'
    await other.query('BEGIN')
    await other.query(raise, [sellerId])
    await other.query(`UPDATE products SET body = replace(body, 'new', 'newer') WHERE id = $1`, [
      id,
    ])
    expect(partNumbers(await list(seller))).toContain('new')
    await other.query('COMMIT')
    expect(partNumbers(await list(seller))).toContain('newer')
    await other.query('BEGIN')
    await other.query(raise, [sellerId])
    await other.query('DELETE FROM products WHERE id = $1', [id])
    await other.query('COMMIT')
    expect((await list(seller)).body.length).toBe(30)
  })

  test('that came over HTTP, of each kind', async () => {
    const send = (method: string, path: string, body?: unknown) =>
      call(market, method, path, { token: seller, ...(body === undefined ? {} : { body }) })
    const row = await market.deps.db.installation.findFirstOrThrow({ where: { partyId: sellerId } })
    const maker = await credentialOf(market.deps.db, row)
    const claims = tokenClaims(row, ['products:read', 'products:write'], maker)
    seller = (await issueToken(market.deps, claims, 900)).token
    await list(seller)
    const record = { brand: 'Web', partNumber: 'web', inStock: 1 }
    const made = await send('POST', '/v1/Products', record)
    expect(made.status).toBe(201)
    expect((await list(seller, '?brand=Web')).body).toMatchObject([record])
    await send('PATCH', `/v1/Products/${made.body.id}`, { inStock: 7 })
    expect((await list(seller, '?brand=Web')).body[0].inStock).toBe(7)
    await send('POST', '/v1/Products/Batch', [{ ...record, inStock: 8 }])
    expect((await list(seller, '?brand=Web')).body[0].inStock).toBe(8)
    await send('DELETE', `/v1/Products/${made.body.id}`)
    expect((await list(seller, '?brand=Web')).body).toEqual([])
  })

  test('for a Buyer also when its connections change or a Seller writes', async () => {
    const [buyerId, buyer] = await newParty('Buyer')
    expect((await list(buyer)).body).toEqual([])
    await createConnection(market.deps, { buyerId, sellerId })
    expect((await list(buyer)).body.length).toBe(30)
    await addProducts(other, sellerId, [{ brand: 'New', partNumber: 'new' }])
    expect((await list(buyer)).body.length).toBe(31)
    await other.query('DELETE FROM connections WHERE buyer_id = $1', [buyerId])
    expect((await list(buyer)).body).toEqual([])
  })
})

describe('who shares what', () => {
  test('installations of one party and its Buyers get the same page, each with its own cursor', async () => {
    const [buyerId, buyer] = await newParty('Buyer')
    await createConnection(market.deps, { buyerId, sellerId })
    const mine = await list(seller, '?limit=10')
    const theirs = await list(buyer, '?limit=10')
    expect(theirs.text).toBe(mine.text)
    expect(tagOf(theirs)).toBe(tagOf(mine))
    expect(theirs.headers.get('link')).not.toBe(mine.headers.get('link'))
    const path = String(mine.headers.get('link'))
      .slice(1)
      .split('>', 1)[0]
      ?.slice(market.url.length)
    expect((await call(market, 'GET', String(path), { token: buyer })).status).toBe(400)
  })

  test('nobody gets the page of another party, not even by its ETag', async () => {
    const [, stranger] = await newParty('Seller')
    const tag = tagOf(await list(seller))
    const answer = await list(stranger, '', { 'if-none-match': tag })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: [] })
  })
})

describe('ETag and If-None-Match', () => {
  test('answer 304 without a body as long as nothing changed', async () => {
    const first = await list(seller)
    expect(tagOf(first)).toMatch(/^"[\w-]{26}"$/)
    for (const condition of [tagOf(first), `W/${tagOf(first)}`, `"x", ${tagOf(first)}`, '*']) {
      const again = await list(seller, '', { 'if-none-match': condition })
      expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' })
      expect(tagOf(again)).toBe(tagOf(first))
      expect(again.headers.get('vary')).toBe('Origin, Accept, Accept-Encoding, Authorization')
    }
    await addProducts(other, sellerId, [{ brand: 'New', partNumber: 'new' }])
    const changed = await list(seller, '', { 'if-none-match': tagOf(first) })
    expect({ status: changed.status, count: changed.body.length }).toEqual({
      status: 200,
      count: 31,
    })
  })

  test('tell pages, filters and codings apart', async () => {
    const answers = await Promise.all([
      list(seller),
      list(seller, '?limit=10'),
      list(seller, '?brand=Brand'),
      list(seller, '', { 'accept-encoding': 'br' }),
      list(seller, '', { 'accept-encoding': 'gzip' }),
    ])
    expect(new Set(answers.map(tagOf)).size).toBe(5)
  })

  test('HEAD answers the same headers', async () => {
    const { headers } = await list(seller, '?limit=10')
    const head = await call(market, 'HEAD', '/v1/Products?limit=10', { token: seller })
    for (const name of ['link', 'content-type', 'cache-control', 'vary']) {
      expect(head.headers.get(name)).toBe(headers.get(name))
    }
  })
})

describe('compression', () => {
  test.each(['br', 'gzip'])('%s gives the same text in fewer bytes', async (coding) => {
    const plain = await list(seller)
    const answer = await list(seller, '', { 'accept-encoding': coding })
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(plain.text.length / 3)
    expect(answer.text).toBe(plain.text)
  })

  test('is not for small pages', async () => {
    const answer = await list(seller, '?limit=1', { 'accept-encoding': 'br, gzip' })
    expect(answer.headers.get('content-encoding')).toBeNull()
  })
})

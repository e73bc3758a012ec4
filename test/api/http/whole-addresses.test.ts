import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { newProductParty, type ProductParty } from '../../setup/product-client.ts'
import { addProducts } from '../../setup/products.ts'

let market: TestMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await startMarketplace()
  seller = await newProductParty(market)
  const products = ['1', '2'].map((partNumber) => ({ brand: 'B', partNumber }))
  await addProducts(market.deps.pool, seller.partyId, products)
})
afterAll(() => market.close())

/** `fetch` would send path and query alone. */
async function ask(target: string, headers: Record<string, string> = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(market.url, { path: target, headers }, resolve)
    sent.on('error', reject).end()
  })
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

describe.each([
  'http://elsewhere.example',
  'HTTPS://elsewhere.example:1',
  'http://user@[:x',
  'http://',
])('a request whose target is an address of %s', (origin) => {
  test.each(['/v1/Products?limit=1', '/api/v1/Products?limit=1'])(
    'has the answer of its path and query alone: %s',
    async (path) => {
      const headers = { authorization: `Bearer ${seller.token}` }
      const answer = await ask(origin + path, headers)
      expect(answer.status, answer.body).toBe(200)
      const alone = await ask(path, headers)
      expect(answer.headers.link).toMatch(/^<[^<>]+\/v1\/Products\?[^<>]+>; rel="next"$/)
      expect(answer.headers.link).toBe(alone.headers.link)
    },
  )

  test('leads from a page through the sign-in back to the same page of this server', async () => {
    const answer = await ask(`${origin}/Installed?x=1`, { accept: 'text/html' })
    expect(answer.headers.location).toBe(`/login?next=${encodeURIComponent('/Installed?x=1')}`)
  })

  test('leads to the first page without a path', async () => {
    const answers = [await ask(origin), await ask('/')]
    expect(answers[0]?.status).toBe(answers[1]?.status)
    expect(answers[0]?.headers.location).toBe(answers[1]?.headers.location)
  })
})

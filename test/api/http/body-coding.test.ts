import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { call, developerToken } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { newProductParty, type ProductParty } from '../../setup/product-client.ts'

let market: SharedMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await sharedMarketplace()
  seller = await newProductParty(market)
})

const RECORD = { brand: 'B', partNumber: '1', inStock: 1 }

describe('a body in a content coding that its address does not take (RFC 9110, 15.5.16)', () => {
  test.each(['gzip', 'x-gzip', 'br', 'gzip, identity', 'nonsense'])(
    'is refused by its coding, not as broken JSON: %s',
    async (coding) => {
      const answer = await seller.send('POST', '', gzipSync(JSON.stringify(RECORD)), {
        'content-type': 'application/json',
        'content-encoding': coding,
      })
      expectProblem(answer, 'unsupported_media_type')
      expect(answer.headers.get('accept-encoding')).toBe('identity')
      expect(answer.body.detail).toMatch(/Content-Encoding/)
    },
  )

  test('is refused on every kind of address', async () => {
    const developer = await developerToken(market)
    const headers = { 'content-encoding': 'gzip' }
    for (const [method, path, token] of [
      ['PATCH', `/v1/Products/1`, seller.token],
      ['DELETE', `/v1/Products/1`, seller.token],
      ['PUT', '/v1/Developer/Apps/stock-watch/TermsDocument', developer],
      ['POST', '/v1/Developer/Token', developer],
      ['POST', '/v1/Auth', undefined],
    ] as const) {
      const options = { headers, body: gzipSync('{}'), ...(token && { token }) }
      const answer = await call(market, method, path, options)
      expectProblem(answer, 'unsupported_media_type')
      expect(answer.headers.get('accept-encoding'), path).toBe('identity')
    }
    const page = await call(market, 'POST', '/Login', {
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: gzipSync('a=b'),
    })
    expect(page.status).toBe(415)
  })

  test('is told what an import takes', async () => {
    const answer = await seller.import('x', 'text/csv', '', { 'content-encoding': 'br' })
    expectProblem(answer, 'unsupported_media_type')
    expect(answer.headers.get('accept-encoding')).toBe('gzip, identity')
  })

  test('is told only to who may call the address', async () => {
    const answer = await call(market, 'POST', '/v1/Products', {
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync('{}'),
    })
    expectProblem(answer, 'missing_token')
  })
})

test('identity is no coding, and no body has none', async () => {
  const identity = { 'content-encoding': 'identity' }
  expect((await seller.send('POST', '', RECORD, identity)).status).toBe(201)
  const gzip = { 'content-encoding': 'gzip' }
  expect((await seller.send('GET', '', undefined, gzip)).status).toBe(200)
  expectProblem(await seller.send('DELETE', '/999999', undefined, gzip), 'not_found')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, demoInstallation, installationToken } from '../../setup/client.ts'

let market: TestMarketplace
let token: string
let product: string
beforeAll(async () => {
  market = await startMarketplace()
  token = await installationToken(market, demoInstallation(market, 'price-sync'))
  const { body } = await call(market, 'GET', '/v1/Products?limit=1', { token })
  product = `/v1/Products/${body[0].id}`
})
afterAll(() => market.close())

const PUBLIC = [
  '/v1/Apps',
  '/v1/Apps/price-sync',
  '/v1/Apps/price-sync/PurchaseOptions/free/Quote',
  '/v1/Apps/price-sync/TermsDocument',
  '/v1/Permissions',
  '/v1/EventTypes',
  '/openapi.json',
  '/docs',
]

async function expectNotModified(path: string, asked: { token?: string } = {}): Promise<void> {
  const first = await call(market, 'GET', path, asked)
  const etag = first.headers.get('etag') ?? ''
  expect([path, first.status, etag]).toEqual([path, 200, expect.stringContaining('"')])
  for (const method of ['GET', 'HEAD']) {
    const { status, text, headers } = await call(market, method, path, {
      ...asked,
      headers: { 'if-none-match': etag },
    })
    expect([method, status, text, headers.get('etag')]).toEqual([method, 304, '', etag])
    expect([method, headers.get('content-length')]).toEqual([method, null])
  }
}

test.each(PUBLIC)('GET and HEAD of %s are 304 without a length to who has it', (path) =>
  expectNotModified(path),
)

test('GET and HEAD of products are 304 without a length to who has them', async () => {
  await expectNotModified('/v1/Products?limit=2', { token })
  await expectNotModified(product, { token })
})

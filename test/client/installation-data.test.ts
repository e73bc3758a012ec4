import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openInstallation } from '../../client/src/browser.ts'
import { createApp, deleteProduct, upsertProduct } from '../../client/src/generated/index.ts'
import type { InstallationData, Paged, ProductQuery } from '../../client/src/index.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { demoInstallation, installationToken } from '../setup/client.ts'
import { clientOf, notingFetch } from '../setup/marketplace-client.ts'

let market: TestMarketplace
let data: InstallationData
let total: number
beforeAll(async () => {
  market = await startMarketplace()
  const { id } = demoInstallation(market, 'catalog-sync', 'Seller')
  data = clientOf(market, 'catalog-sync').installation(id)
  total = (await Array.fromAsync(data.products())).length
})
afterAll(() => market.close())

async function firstPage<Item>(list: Paged<Item>) {
  for await (const page of list.pages()) return page
  throw new Error('there is no page')
}

test('products come page by page, each once', async () => {
  const ids = (await Array.fromAsync(data.products({ limit: 7 }))).map(({ id }) => id)
  expect(ids).toHaveLength(total)
  expect(new Set(ids).size).toBe(total)
})

test('a product that fields narrow may lack the others, and its type says so', async () => {
  const query: ProductQuery = { limit: 1, fields: 'inStock' }
  const { items } = await firstPage(data.products(query))
  const [narrow] = items
  const brand: string | undefined = narrow?.brand
  expect([brand, Object.keys(narrow ?? {})]).toEqual([undefined, ['id', 'inStock']])
  const { items: wholes } = await firstPage(data.products({ limit: 1 }))
  const whole: string[] = wholes.map((product) => product.brand)
  expect(whole).toEqual([expect.any(String)])
  const exported = await Array.fromAsync(data.exportProducts())
  const brands: string[] = exported.map((product) => product.brand)
  expect(brands).toHaveLength(total)
})

test('a list continues at the cursor of a page', async () => {
  const { items, cursor } = await firstPage(data.products({ limit: 5 }))
  const rest = await Array.fromAsync(data.products({ limit: 1000, cursor: cursor ?? '' }))
  expect(items.length + rest.length).toBe(total)
})

test('changes continue at the cursor of the last page, and include deletions', async () => {
  let last: string | undefined
  for await (const { cursor } of data.changes().pages()) last = cursor
  const product = { brand: 'Acme', partNumber: 'C-1', inStock: 1 }
  const { data: written } = await upsertProduct({ client: data.client, body: product })
  expect(await Array.fromAsync(data.changes({ cursor: last }))).toMatchObject([
    { type: 'upsert', id: written.id, product: { brand: 'Acme' } },
  ])
  await deleteProduct({ client: data.client, path: { id: written.id } })
  expect(await Array.fromAsync(data.changes({ cursor: last }))).toEqual([
    { type: 'delete', id: written.id },
  ])
})

test('an export has all products', async () => {
  const exported = await Array.fromAsync(data.exportProducts())
  expect(exported).toHaveLength(total)
  expect(exported[0]).toMatchObject({ id: expect.any(Number), brand: expect.any(String) })
})

describe('an import', () => {
  const row = (part: number) =>
    JSON.stringify({ brand: 'Acme', partNumber: `I-${part}`, inStock: 1 })

  test('takes effect as a whole, compressed or not', async () => {
    const file = new Blob([new Uint8Array(gzipSync(`${row(1)}\n${row(2)}\n`))])
    const type = 'application/x-ndjson'
    expect(await data.importProducts({ file, type, gzip: true })).toMatchObject({ rowsCreated: 2 })
    expect(await data.importProducts({ file: row(1), type })).toMatchObject({ rowsUnchanged: 1 })
  })

  test('reports its progress until it ends', async () => {
    const statuses: string[] = []
    const rows = Array.from({ length: 20_000 }, (_, part) => row(part)).join('\n')
    const { id } = demoInstallation(market, 'catalog-sync', 'Seller')
    const eager = clientOf(market, 'catalog-sync', { wait: async () => undefined })
    await eager.installation(id).importProducts({
      file: rows,
      type: 'application/x-ndjson',
      onProgress: ({ status }) => statuses.push(status),
    })
    expect(statuses.length).toBeGreaterThan(0)
    expect(new Set(statuses).size).toBeLessThanOrEqual(2)
  })

  test('that is refused has each problem with its line', async () => {
    const refusal = data.importProducts({ file: 'brand\nAcme\n', type: 'text/csv' })
    await expect(refusal).rejects.toMatchObject({
      name: 'MarketplaceError',
      status: 422,
      errors: expect.arrayContaining([expect.objectContaining({ line: expect.any(Number) })]),
    })
  })
})

test('an error of the marketplace has its code, its problems and the name of the request', async () => {
  const { client } = clientOf(market, 'catalog-sync')
  // What a program without types sends.
  const body = { id: 'x y' } as never
  await expect(createApp({ client, body })).rejects.toMatchObject({
    status: expect.any(Number),
    code: expect.stringMatching(/^(invalid_request|unprocessable)$/),
    requestId: expect.stringMatching(/^[\w-]{36}$/),
    errors: expect.arrayContaining([{ pointer: expect.any(String), detail: expect.any(String) }]),
  })
})

test('wrong credentials are an error with its code', async () => {
  const marketplace = clientOf(market, 'catalog-sync', { password: 'wrong' })
  await expect(Array.fromAsync(marketplace.installations())).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
})

test('a front end asks for another token when the former one is refused', async () => {
  const installation = demoInstallation(market, 'price-sync', 'Seller')
  const noted = notingFetch()
  const made: string[] = []
  const page = openInstallation({
    baseUrl: market.url,
    fetch: noted.fetch,
    async token() {
      const token = await installationToken(market, installation)
      made.push(token)
      return token
    },
  })
  await Promise.all([page.profile(), page.profile()])
  expect(made).toHaveLength(1)
  await clientOf(market, 'price-sync').client.post({
    url: '/v1/Developer/Token/Revoke',
    body: { token: made[0] },
    headers: { 'content-type': 'application/json' },
  })
  const profiles = await Promise.all(Array.from({ length: 10 }, () => page.profile()))
  expect(profiles.map(({ installationId }) => installationId)).toEqual(
    Array(10).fill(installation.id),
  )
  expect(made).toHaveLength(2)
})

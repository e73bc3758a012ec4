import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import type { CursorKeys } from '../../../../src/base/values/cursors.ts'
import { createParty } from '../../../../src/identity/accounts/parties-service.ts'
import {
  type AnswerPage,
  createPageAnswers,
} from '../../../../src/marketplace/products/pages/page-answers.ts'
import { createProductPages } from '../../../../src/marketplace/products/pages/product-pages-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { addProducts } from '../../../setup/products.ts'

const PUBLIC_URL = 'https://market.example'
const PRODUCTS = 30

let market: SharedMarketplace
type Ask = (asked?: Partial<Parameters<AnswerPage>[0]>) => Promise<Awaited<ReturnType<AnswerPage>>>
let ask: Ask
/** The same question to a server with another SECRET_KEY. */
let askOtherKey: Ask
beforeAll(async () => {
  market = await sharedMarketplace()
  const { pool, cursorKeys } = market.deps
  const { id: partyId } = await createParty(market.deps, { name: 'Answered', type: 'Seller' })
  await addProducts(
    pool,
    partyId,
    Array.from({ length: PRODUCTS }, (_, index) => ({
      brand: 'Brand',
      partNumber: `Brand-${index}`,
      shortDescription: 'A description that is long enough for compression to pay.',
    })),
  )
  const pages = createProductPages(market.deps, 1_000_000)
  const askWith =
    (answerPage: AnswerPage): Ask =>
    async (asked = {}) => {
      const text = 'SELECT catalogue_revision AS revision FROM parties WHERE id = $1'
      const { rows } = await pool.query(text, [partyId])
      const catalogue = `${partyId}:${rows[0].revision}`
      return answerPage({
        viewer: { installationId: 'one', partyId, partyType: 'Seller', catalogue },
        filters: {},
        limit: 20,
        cursor: undefined,
        url: '/v1/Products?limit=20',
        headers: {},
        ...asked,
      })
    }
  const answersWith = (keys: CursorKeys) =>
    createPageAnswers(pages, { cursorKeys: keys, publicUrl: PUBLIC_URL })
  ask = askWith(answersWith(cursorKeys))
  askOtherKey = askWith(answersWith(['another key']))
})

const productsOf = (body: Buffer | undefined) => JSON.parse(String(body)) as unknown[]
const cursorOf = (link = '') => new URL(/<(.*)>/.exec(link)?.[1] ?? '').searchParams.get('cursor')

test('a page links to the next one, and the last page to none; each time the same bytes', async () => {
  for (let time = 0; time < 3; time++) {
    const first = await ask()
    expect(first.status).toBe(200)
    expect(productsOf(first.body)).toHaveLength(20)
    expect(first.headers.link).toContain(`<${PUBLIC_URL}/v1/Products?limit=20&cursor=`)
    const cursor = cursorOf(first.headers.link) ?? undefined
    const second = await ask({ cursor, url: `/v1/Products?limit=20&cursor=${cursor}` })
    expect(productsOf(second.body)).toHaveLength(PRODUCTS - 20)
    expect(second.headers.link).toBeUndefined()
  }
})

test('a cursor of another question is refused', async () => {
  const cursor = cursorOf((await ask()).headers.link) ?? undefined
  await expect(ask({ cursor, filters: { brand: 'Brand' } })).rejects.toMatchObject({
    code: 'invalid_cursor',
  })
})

test('a 304 repeats no link: that of the page stays good', async () => {
  const { headers } = await ask()
  const again = await ask({ headers: { 'if-none-match': headers.etag } })
  expect([again.status, again.headers.link]).toEqual([304, undefined])
  const next = await ask({ cursor: cursorOf(headers.link) ?? undefined })
  expect(productsOf(next.body)).toHaveLength(PRODUCTS - 20)
})

test('where SECRET_KEY was changed a client gets the page again, with a link that is good', async () => {
  const kept = await ask()
  const cursor = cursorOf(kept.headers.link) ?? undefined
  await expect(askOtherKey({ cursor })).rejects.toMatchObject({ code: 'invalid_cursor' })
  for (const coding of [undefined, 'br', 'gzip']) {
    const { headers } = await ask({ headers: { 'accept-encoding': coding } })
    const again = await askOtherKey({ headers: { 'if-none-match': headers.etag } })
    expect(again.status).toBe(200)
    const next = await askOtherKey({ cursor: cursorOf(again.headers.link) ?? undefined })
    expect(productsOf(next.body)).toHaveLength(PRODUCTS - 20)
    const unchanged = await askOtherKey({ headers: { 'if-none-match': again.headers.etag } })
    expect(unchanged.status).toBe(304)
  }
})

test('a client that has the page gets 304 without a body, in whatever coding it has it', async () => {
  for (const coding of [undefined, 'br', 'gzip']) {
    const { headers } = await ask({ headers: { 'accept-encoding': coding } })
    const { etag } = headers
    const again = await ask({ headers: { 'if-none-match': etag } })
    expect(again).toMatchObject({ status: 304, headers: { etag }, body: undefined })
  }
})

test('a page in a coding has its own ETag and says so', async () => {
  const plain = await ask()
  const coded = await ask({ headers: { 'accept-encoding': 'br' } })
  expect(coded.headers).toMatchObject({
    'content-encoding': 'br',
    etag: plain.headers.etag?.replace(/"$/, '-br"'),
  })
  expect(brotliDecompressSync(coded.body ?? Buffer.alloc(0)).equals(plain.body as Buffer)).toBe(
    true,
  )
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConnection } from '../../../../src/identity/accounts/connections-service.ts'
import { createParty } from '../../../../src/identity/accounts/parties-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Answer, call, demoInstallation, installationToken } from '../../../setup/client.ts'
import { expectProblem, pointersOf, withoutRequestId } from '../../../setup/expect-problem.ts'
import { addProducts } from '../../../setup/products.ts'
import { redirectToken } from '../../../setup/redirect.ts'

type Seen = { id: number; brand: string; partNumber: string; upc: string | null }

let market: TestMarketplace
let seller: string
let buyer: string
let sandbox: string
beforeAll(async () => {
  market = await startMarketplace()
  seller = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
  buyer = await installationToken(market, demoInstallation(market, 'stock-watch', 'Buyer'))
  sandbox = await installationToken(market, demoInstallation(market, 'price-sync', 'None'))
})
afterAll(() => market.close())

const list = (token: string, query = '') => call(market, 'GET', `/v1/Products${query}`, { token })
const read = (token: string, id: unknown) => call(market, 'GET', `/v1/Products/${id}`, { token })
const idsOf = ({ body }: Answer): number[] => body.map(({ id }: Seen) => id)
const partyNamed = (name: string) => market.deps.db.party.findFirstOrThrow({ where: { name } })

async function ownIds(partyName: string): Promise<number[]> {
  const { id: partyId } = await partyNamed(partyName)
  const rows = await market.deps.db.product.findMany({ where: { partyId }, orderBy: { id: 'asc' } })
  return rows.map(({ id }) => Number(id))
}

/** Products with every extreme of the columns, owned by a party. */
async function addExtremes(partyName: string): Promise<void> {
  const { id: partyId } = await partyNamed(partyName)
  const brand = 'Extreme'
  await addProducts(market.deps.pool, partyId, [
    { brand, partNumber: 'nulls', inStock: 0 },
    {
      brand,
      partNumber: 'high',
      inStock: 2_147_483_647,
      shortDescription: '"\u{1f600}" \u2028 </script>',
      msrp: 999_999_999_999.99,
      mapPrice: 0.01,
      upc: '000000000000',
    },
    { brand, partNumber: 'zero', inStock: 1, msrp: 0, mapPrice: 0.1 },
  ])
}

describe('who sees what', () => {
  test('a Seller sees its own products', async () => {
    expect(idsOf(await list(seller))).toEqual(await ownIds('Keyline Electronics'))
  })

  test('a sandbox sees its own products', async () => {
    expect(idsOf(await list(sandbox))).toEqual(await ownIds('Northwind Tools (sandbox)'))
  })

  test('a Buyer sees those of the Sellers it is connected with, from the moment it is', async () => {
    expect(idsOf(await list(buyer))).toEqual(await ownIds('Keyline Electronics'))
    const homewell = await partyNamed('Homewell Supplies')
    const { id: buyerId } = await partyNamed('Fairmarket Stores')
    await createConnection(market.deps, { buyerId, sellerId: homewell.id })
    const both = [
      ...(await ownIds('Keyline Electronics')),
      ...(await ownIds('Homewell Supplies')),
    ].sort((a, b) => a - b)
    expect(idsOf(await list(buyer))).toEqual(both)
    await market.deps.db.connection.deleteMany({ where: { sellerId: homewell.id } })
    expect(idsOf(await list(buyer))).toEqual(await ownIds('Keyline Electronics'))
  })

  test("another Buyer's connection counts for nobody else", async () => {
    const homewell = await partyNamed('Homewell Supplies')
    const other = await createParty(market.deps, { name: 'Other Buyer', type: 'Buyer' })
    await createConnection(market.deps, { buyerId: other.id, sellerId: homewell.id })
    expect(idsOf(await list(buyer))).toEqual(await ownIds('Keyline Electronics'))
  })

  test('a connection gives the Seller nothing in return', async () => {
    const { id: partyId } = await partyNamed('Fairmarket Stores')
    await addProducts(market.deps.pool, partyId, [{ brand: 'Buyers own', partNumber: '1' }])
    expect((await list(seller, '?brand=Buyers%20own')).body).toEqual([])
    expect((await list(buyer, '?brand=Buyers%20own')).body).toEqual([])
  })
})

describe('the record', () => {
  test('has all eight fields, nulls among them, text as it is and money as numbers', async () => {
    await addExtremes('Keyline Electronics')
    const { headers, body, text } = await list(seller, '?brand=Extreme')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const rest = { id: expect.any(Number), brand: 'Extreme' }
    const empty = { shortDescription: null, msrp: null, mapPrice: null, upc: null }
    expect(body).toEqual([
      { ...rest, ...empty, partNumber: 'nulls', inStock: 0 },
      {
        ...rest,
        partNumber: 'high',
        inStock: 2_147_483_647,
        shortDescription: '"\u{1f600}" \u2028 </script>',
        msrp: 999_999_999_999.99,
        mapPrice: 0.01,
        upc: '000000000000',
      },
      { ...rest, ...empty, partNumber: 'zero', inStock: 1, msrp: 0, mapPrice: 0.1 },
    ])
    expect(text).toContain('"msrp":999999999999.99')
  })

  test('money has at most two decimals in every product', async () => {
    const { text } = await list(seller)
    const amounts = [...text.matchAll(/"(?:msrp|mapPrice)":([^,}]+)/g)].map(([, amount]) => amount)
    expect(amounts.length).toBeGreaterThan(60)
    for (const amount of amounts) expect(amount).toMatch(/^(null|\d+(\.\d{1,2})?)$/)
  })

  test('read by id is the one of the list', async () => {
    const { body } = await list(seller, '?limit=1')
    const one = await read(seller, body[0].id)
    expect({ status: one.status, body: one.body }).toEqual({ status: 200, body: body[0] })
  })
})

describe('an id that is not to be seen is 404 with one and the same body', () => {
  test('unknown, foreign, malformed and beyond the column', async () => {
    const [foreign] = await ownIds('Homewell Supplies')
    const unknown = await read(seller, 1_000_000_000)
    expectProblem(unknown, 'not_found')
    const ids = [
      foreign,
      0,
      -1,
      1.5,
      2 ** 31,
      '9007199254740993',
      '99999999999999999999',
      '1e3',
      'abc',
      '%00',
      '%20',
      '1%00',
      'null',
      '__proto__',
      '%F0%9F%98%80',
      "1'--",
    ]
    for (const id of ids) {
      const answer = await read(seller, id)
      expectProblem(answer, 'not_found')
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(unknown))
    }
  })

  test("for a Buyer that is not connected with the product's Seller", async () => {
    const [foreign] = await ownIds('Homewell Supplies')
    const [visible] = await ownIds('Keyline Electronics')
    expectProblem(await read(buyer, foreign), 'not_found')
    expect((await read(buyer, visible)).status).toBe(200)
  })
})

describe('filters', () => {
  test('brand, partNumber and upc match exactly, also together', async () => {
    const all: Seen[] = (await list(seller)).body
    const wanted = all.find(({ upc }) => upc !== null) as Seen
    const query = (filters: Record<string, string>) => `?${new URLSearchParams(filters)}`
    const matching = (test: (one: Seen) => boolean) => all.filter(test).map(({ id }) => id)
    const { id, brand, partNumber, upc } = wanted
    expect(idsOf(await list(seller, query({ brand })))).toEqual(
      matching((one) => one.brand === brand),
    )
    expect(idsOf(await list(seller, query({ partNumber })))).toEqual(
      matching((one) => one.partNumber === partNumber),
    )
    expect(idsOf(await list(seller, query({ upc: String(upc) })))).toContain(id)
    expect(idsOf(await list(seller, query({ brand, partNumber, upc: String(upc) })))).toEqual([id])
    expect(idsOf(await list(seller, query({ brand, partNumber: 'other' })))).toEqual([])
    expect(idsOf(await list(seller, query({ brand: brand.toLowerCase() })))).toEqual([])
    expect(idsOf(await list(seller, query({ brand: `${brand.slice(0, 2)}%` })))).toEqual([])
  })

  test.each([
    ['an unknown one', 'colour=red', '/colour'],
    ['a repeated one', 'brand=a&brand=b', '/brand'],
    ['an empty one', 'upc=', '/upc'],
    ['one of 201 characters', `brand=${'x'.repeat(201)}`, '/brand'],
    ['a NUL character', 'partNumber=a%00b', '/partNumber'],
    ['a limit of 0', 'limit=0', '/limit'],
    ['a limit of 1001', 'limit=1001', '/limit'],
  ])('%s is 400 with a pointer', async (_name, query, pointer) => {
    const answer = await list(seller, `?${query}`)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })
})

describe('pages', () => {
  const nextOf = ({ headers }: Answer) =>
    headers
      .get('link')
      ?.match(/^<([^>]+)>; rel="next"$/)?.[1]
      ?.slice(market.url.length)

  test('of any size make up the whole list, in the order of the ids', async () => {
    const whole = idsOf(await list(seller))
    expect(whole).toEqual([...whole].sort((a, b) => a - b))
    for (const limit of [1, 10, whole.length]) {
      const ids: number[] = []
      for (let path: string | undefined = `/v1/Products?limit=${limit}`; path; ) {
        const page = await call(market, 'GET', path, { token: seller })
        expect(page.body.length).toBeLessThanOrEqual(limit)
        ids.push(...idsOf(page))
        path = nextOf(page)
      }
      expect(ids).toEqual(whole)
    }
  })

  test('a cursor of another installation, or of other filters, is 400 and shows nothing', async () => {
    const cursor = (await list(seller, '?limit=1')).headers
      .get('link')
      ?.match(/cursor=([^>&]+)/)?.[1]
    expect((await list(seller, `?cursor=${cursor}`)).status).toBe(200)
    expectProblem(await list(buyer, `?cursor=${cursor}`), 'invalid_cursor')
    expectProblem(await list(sandbox, `?cursor=${cursor}`), 'invalid_cursor')
    expectProblem(await list(seller, `?brand=Wahl&cursor=${cursor}`), 'invalid_cursor')
  })
})

test('without the permission products:read it is 403 with the scope that is needed', async () => {
  const installation = demoInstallation(market, 'price-sync', 'Seller')
  const token = await installationToken(market, installation, { permissions: ['profile:read'] })
  for (const answer of [await list(token), await read(token, 1)]) {
    expectProblem(answer, 'insufficient_scope')
    expect(answer.body).toMatchObject({ required: ['products:read'], granted: ['profile:read'] })
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="App Marketplace", error="insufficient_scope", scope="products:read"',
    )
  }
})

describe('the profile', () => {
  const profile = (token: string, path = '/v1/User/Profile') => call(market, 'GET', path, { token })

  test('says whom a token acts for; user is null when a developer made it', async () => {
    const { id, partyId } = demoInstallation(market, 'price-sync', 'Seller')
    const { status, body } = await profile(seller)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        partyId,
        partyName: 'Keyline Electronics',
        partyType: 'Seller',
        installationId: id,
        appId: 'price-sync',
        user: null,
      },
    })
    expect((await profile(seller, '/api/v1/user/profile')).body).toEqual(body)
    expect((await profile(sandbox)).body).toMatchObject({ partyType: 'None' })
  })

  test('names the person when the token came from the redirect', async () => {
    const { id } = demoInstallation(market, 'price-sync', 'Seller')
    const email = 'kim@keyline.example'
    const user = await market.deps.db.user.findUniqueOrThrow({ where: { email } })
    const token = await redirectToken(market, id, user.id)
    expect((await profile(token)).body.user).toEqual({ id: user.id, name: 'Kim Keyline', email })
  })

  test('needs the permission profile:read', async () => {
    const installation = demoInstallation(market, 'price-sync', 'Seller')
    const token = await installationToken(market, installation, { permissions: ['products:read'] })
    const answer = await profile(token)
    expectProblem(answer, 'insufficient_scope')
    expect(answer.headers.get('www-authenticate')).toContain('scope="profile:read"')
  })
})

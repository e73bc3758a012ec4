import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import {
  connect,
  newProductParty,
  type ProductParty,
  productClient,
} from '../../setup/product-client.ts'
import { randomOf } from '../../setup/random.ts'
import { type ServerProcess, serverProcesses } from '../../setup/server-process.ts'

const STEPS = 60
const KEYS = 8

type Product = { id: number; brand: string; partNumber: string; inStock: number }

const processes = serverProcesses()
let market: TestMarketplace
let servers: ServerProcess[]
beforeAll(async () => {
  market = await startMarketplace()
  const env = {
    DATABASE_URL: market.databaseUrl,
    SECRET_KEY: market.deps.secretKey,
    PUBLIC_URL: market.url,
    RATE_LIMIT_PER_MINUTE: '0',
  }
  servers = await Promise.all([processes.start({ env }), processes.start({ env })])
  await Promise.all(servers.map((server) => server.ready()))
})
afterAll(async () => {
  await processes.endAll()
  await processes.cleanUp()
  await market.close()
})

/** A party through one of the two servers. */
const through = (party: ProductParty, server: number) =>
  productClient(servers[server] as ServerProcess, party.token)

/** A Seller that writes at random, and what it must have after each acknowledged write. */
function modelOf(seller: ProductParty, seed: number) {
  const random = randomOf(seed)
  const brand = `S${seller.partyId}`
  const products = new Map<string, Product>()
  let stock = 0
  const record = () => {
    stock += 1
    return { brand, partNumber: `P${random(KEYS)}`, inStock: stock }
  }
  const keep = (body: Product) => products.set(body.partNumber, body)
  const empty = { shortDescription: null, msrp: null, mapPrice: null, upc: null }

  const writes = {
    async upsert(client: ReturnType<typeof through>) {
      const given = record()
      const { body } = await client.upsert(given)
      expect(body).toEqual({ id: body.id, ...given, ...empty })
      keep(body)
    },
    async patch(client: ReturnType<typeof through>) {
      const [known] = products.values()
      if (known === undefined) return
      const { body } = await client.patch(known.id, { inStock: record().inStock })
      keep(body)
    },
    async remove(client: ReturnType<typeof through>) {
      const [known] = products.values()
      if (known === undefined) return
      expect((await client.remove(known.id)).status).toBe(204)
      products.delete(known.partNumber)
    },
    async batch(client: ReturnType<typeof through>) {
      const rows = [record(), record()].filter(
        ({ partNumber }, index, all) =>
          all.findIndex((row) => row.partNumber === partNumber) === index,
      )
      const { body } = await client.batch(rows)
      for (const [index, row] of rows.entries()) keep({ id: body[index].id, ...row, ...empty })
    },
    async import(client: ReturnType<typeof through>) {
      const row = record()
      const { body } = await client.import(JSON.stringify(row), 'application/x-ndjson')
      expect(body.status).toBe('completed')
      const { body: found } = await client.list(`?partNumber=${row.partNumber}`)
      expect(found).toEqual([{ id: found[0].id, ...row, ...empty }])
      keep(found[0])
    },
  }
  const names = Object.keys(writes) as (keyof typeof writes)[]
  return {
    brand,
    random,
    write: () =>
      writes[names[random(names.length)] as keyof typeof writes](through(seller, random(2))),
    expected: () => [...products.values()].sort((a, b) => a.id - b.id),
  }
}

test('no read is older than the last acknowledged write, and each party sees exactly its own', async () => {
  const sellers = await Promise.all([1, 2, 3].map(() => newProductParty(market)))
  const [both, one] = await Promise.all([1, 2].map(() => newProductParty(market, 'Buyer')))
  const [first, second, third] = sellers as [ProductParty, ProductParty, ProductParty]
  await connect(market, both as ProductParty, first)
  await connect(market, both as ProductParty, second)
  await connect(market, one as ProductParty, second)
  const readersOf = new Map([
    [first, [first, both]],
    [second, [second, both, one]],
    [third, [third]],
  ]) as Map<ProductParty, ProductParty[]>
  const parties = [...sellers, both, one] as ProductParty[]
  const brandsOf = (party: ProductParty) =>
    sellers
      .filter((seller) => readersOf.get(seller)?.includes(party))
      .map((seller) => `S${seller.partyId}`)

  const models = sellers.map((seller, index) => modelOf(seller, index + 1))
  await Promise.all(
    models.map(async (model, index) => {
      for (let step = 0; step < STEPS; step++) {
        await model.write()
        const readers = readersOf.get(sellers[index] as ProductParty) as ProductParty[]
        await Promise.all(
          readers.flatMap((reader) =>
            [0, 1].map(async (server) => {
              const { body } = await through(reader, server).list()
              const seen = (body as Product[]).filter(({ brand }) => brand === model.brand)
              expect(seen).toEqual(model.expected())
              const brands = new Set((body as Product[]).map(({ brand }) => brand))
              expect([...brands].filter((brand) => !brandsOf(reader).includes(brand))).toEqual([])
            }),
          ),
        )
      }
    }),
  )

  for (const party of parties) {
    const expected = models
      .filter(({ brand }) => brandsOf(party).includes(brand))
      .flatMap((model) => model.expected())
      .sort((a, b) => a.id - b.id)
    for (const server of [0, 1]) {
      expect((await through(party, server).list()).body).toEqual(expected)
      const { text } = await through(party, server).export()
      const lines = text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Product)
      expect(lines.sort((a, b) => a.id - b.id)).toEqual(expected)
    }
  }
})

test('a reader never sees a stock go back while another writes', async () => {
  const seller = await newProductParty(market)
  const { body } = await seller.upsert({ brand: 'Clock', partNumber: '1', inStock: 0 })
  let acknowledged = 0
  const readers = [0, 1, 0, 1].map(async (server) => {
    while (acknowledged < 150) {
      const floor = acknowledged
      const [product] = (await through(seller, server).list('?brand=Clock')).body as Product[]
      expect(product?.inStock).toBeGreaterThanOrEqual(floor)
    }
  })
  for (let inStock = 1; inStock <= 150; inStock++) {
    const { status } = await through(seller, inStock % 2).patch(body.id, { inStock })
    expect(status).toBe(200)
    acknowledged = inStock
  }
  await Promise.all(readers)
})

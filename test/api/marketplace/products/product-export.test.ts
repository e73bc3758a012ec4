import { connect as connectTo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'
import { waitUntil } from '../../../setup/server-process.ts'

const COUNT = 12_000

let market: SharedMarketplace
let seller: ProductParty
let buyer: ProductParty
beforeAll(async () => {
  market = await sharedMarketplace()
  seller = await newProductParty(market)
  buyer = await newProductParty(market, 'Buyer')
  const other = await newProductParty(market)
  await connect(market, buyer, seller)
  await connect(market, buyer, other)
  await other.upsert({ brand: 'Other', partNumber: '1', inStock: 1, shortDescription: 'a\nb' })
  const rows = Array.from(
    { length: COUNT },
    (_, row) => `B${row % 3},P-${row},${row},${'text '.repeat(40)},1.5,,`,
  )
  await seller.import(
    `brand,partNumber,inStock,shortDescription,msrp,mapPrice,upc\n${rows.join('\n')}`,
  )
})

const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('an export', () => {
  test('has every product that is seen, one per line', async () => {
    const own = await seller.export()
    expect(own.headers.get('content-type')).toBe('application/x-ndjson')
    expect(own.headers.get('vary')).toBe('Origin, Accept, Accept-Encoding, Authorization')
    const products = linesOf(own.text)
    expect(products.map(({ inStock }) => inStock)).toEqual(
      Array.from({ length: COUNT }, (_, i) => i),
    )
    expect(products.slice(0, 1000)).toEqual((await seller.list()).body)

    const all = linesOf((await buyer.export()).text)
    expect(all).toHaveLength(COUNT + 1)
    expect(all.at(-1)).toMatchObject({ brand: 'Other', shortDescription: 'a\nb' })
  })

  test('takes the filters and fields of the list', async () => {
    const { text } = await buyer.export('?brand=B1&fields=inStock&inStockMin=11990')
    const [first] = linesOf(text)
    expect(first).toEqual({ id: expect.any(Number), inStock: 11_992 })
    expect(linesOf(text)).toHaveLength(3)
    expect((await buyer.export('?brand=none')).text).toBe('')
  })

  test.each([
    ['application/x-ndjson, */*;q=0.5', 'application/x-ndjson'],
    ['application/x-ndjson;q=0.5, */*', 'application/json; charset=utf-8'],
    ['application/json, application/X-NDJSON', 'application/json; charset=utf-8'],
    ['application/json;q=0.9, application/X-NDJSON', 'application/x-ndjson'],
    ['application/x-ndjson;q=0.1, application/json', 'application/json; charset=utf-8'],
    ['application/x-ndjson; q=0', 'application/json; charset=utf-8'],
  ])('Accept: %s is answered with %s', async (accept, type) => {
    const { headers } = await seller.send('GET', '', undefined, { accept })
    expect(headers.get('content-type')).toBe(type)
  })

  test('takes no limit, cursor or unknown filter', async () => {
    expectProblem(await seller.export('?limit=5'), 'invalid_request')
    expectProblem(await seller.export('?colour=red'), 'invalid_request')
  })

  test('waits for a client that reads slowly, and ends when it hangs up', async () => {
    const { hostname, port } = new URL(market.url)
    const socket = connectTo({ host: hostname, port: Number(port) })
    socket.write(
      `GET /v1/Products HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${seller.token}\r\naccept: application/x-ndjson\r\n\r\n`,
    )
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    const idle = () => market.deps.pool.idleCount === market.deps.pool.totalCount
    await waitUntil(idle)
    expect(socket.bytesRead).toBeLessThan(COUNT * 200)
    socket.destroy()
    await waitUntil(idle)
    expect(linesOf((await seller.export('?brand=B1')).text)).toHaveLength(COUNT / 3)
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { newProductParty, type ProductParty } from '../../../setup/product-client.ts'

let market: SharedMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await sharedMarketplace()
  seller = await newProductParty(market)
})

const record = (partNumber: string, inStock = 1) => ({ brand: 'B', partNumber, inStock })

describe('a batch', () => {
  test('takes the good rows and tells of every row what became of it', async () => {
    await seller.batch([record('there'), record('same')])
    const { status, body } = await seller.batch([
      record('new'),
      record('there', 2),
      record('same'),
      record('new', 9),
      { ...record('bad', -1), colour: 'red' },
      null,
      { ...record('upc'), upc: '043917795165' },
    ])
    expect(status).toBe(200)
    const id = expect.any(Number)
    expect(body).toEqual([
      { index: 0, status: 'created', id },
      { index: 1, status: 'updated', id },
      { index: 2, status: 'unchanged', id },
      {
        index: 3,
        status: 'refused',
        errors: [{ pointer: '', detail: 'repeats the brand and part number of the record at 0' }],
      },
      {
        index: 4,
        status: 'refused',
        errors: [
          { pointer: '/colour', detail: 'is not a known attribute' },
          { pointer: '/inStock', detail: 'must be at least 0' },
        ],
      },
      { index: 5, status: 'refused', errors: [{ pointer: '', detail: 'must be an object' }] },
      {
        index: 6,
        status: 'created',
        id,
        warnings: [{ pointer: '/upc', detail: 'has a wrong check digit' }],
      },
    ])
    const products = (await seller.list()).body
    expect(
      products.map(({ partNumber, inStock }: ReturnType<typeof record>) => [partNumber, inStock]),
    ).toEqual([
      ['there', 2],
      ['same', 1],
      ['new', 1],
      ['upc', 1],
    ])
    for (const { index, id: of } of body.filter((row: { id?: number }) => row.id)) {
      expect((await seller.read(of)).body.partNumber).toBe(
        ['new', 'there', 'same', '', '', '', 'upc'][index],
      )
    }
  })

  test('leaves an audit entry of its counts, and none when nothing changed', async () => {
    const entries = () =>
      market.deps.db.auditEvent.findMany({
        where: { action: 'products.batch_written', partyId: seller.partyId },
        orderBy: { id: 'desc' },
      })
    await seller.batch([record('audited'), record('x', -1)])
    const [entry, ...others] = await entries()
    expect(entry).toMatchObject({
      actorKind: 'installation',
      after: { created: 1, updated: 0, unchanged: 0, refused: 1 },
    })
    await seller.batch([record('audited')])
    expect(await entries()).toHaveLength(others.length + 1)
  })

  test('has 1 to 1,000 rows', async () => {
    expectProblem(await seller.batch([]), 'unprocessable')
    expectProblem(await seller.batch({}), 'invalid_request')
    const rows = Array.from({ length: 1001 }, (_, row) => record(`many-${row}`))
    expectProblem(await seller.batch(rows), 'unprocessable')
    const { body } = await seller.batch(rows.slice(1))
    expect(body).toHaveLength(1000)
    expect(new Set(body.map(({ id }: { id: number }) => id)).size).toBe(1000)
  })

  test('and others at once make every product once', async () => {
    const rows = Array.from({ length: 50 }, (_, row) => record(`race-${row}`))
    const answers = await Promise.all([rows, rows.toReversed(), rows, rows].map(seller.batch))
    const created = answers.flatMap(({ body }) =>
      body.filter(({ status }: { status: string }) => status === 'created'),
    )
    expect(created).toHaveLength(50)
  })
})

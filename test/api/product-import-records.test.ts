import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { newProductParty, type ProductParty } from '../setup/product-client.ts'
import { expectProblem } from './expect-problem.ts'

const DAY_MS = 86_400_000
const NDJSON = 'application/x-ndjson'
const FILE = 'brand,partNumber,inStock\nB,1,1\n'

let market: TestMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await startMarketplace()
  seller = await newProductParty(market)
})
afterAll(() => market.close())

const recordOf = async (importId: string) => (await seller.imports(`/${importId}`)).body

describe('the record of an import', () => {
  test('says why it failed, as the answer does', async () => {
    const importId = randomUUID()
    const answer = await seller.import('no gzip', 'text/csv', `?importId=${importId}`, {
      'content-encoding': 'gzip',
    })
    expectProblem(answer, 'invalid_request')
    const { code, detail } = answer.body
    expect(await recordOf(importId)).toMatchObject({
      status: 'failed',
      problem: { code, detail },
      finishedAt: expect.any(String),
    })
  })

  test('of a server that died says so, and ended with its last sign of life', async () => {
    const importId = randomUUID()
    const lastSign = new Date(market.deps.now().getTime() - 61_000)
    await market.deps.db.productImport.create({
      data: { id: importId, partyId: seller.partyId, startedAt: lastSign, updatedAt: lastSign },
    })
    expect(await recordOf(importId)).toMatchObject({
      status: 'failed',
      problem: { code: 'unavailable', detail: expect.stringMatching(/server stopped/) },
      finishedAt: lastSign.toISOString(),
    })
  })

  test('is kept for 30 days; a later import of the account removes it', async () => {
    const other = await newProductParty(market)
    const age = async (party: ProductParty, days: number) => {
      const time = new Date(market.deps.now().getTime() - days * DAY_MS)
      const { id } = await market.deps.db.productImport.create({
        data: { partyId: party.partyId, status: 'completed', startedAt: time, updatedAt: time },
      })
      return id
    }
    const [old, young, foreign] = [
      await age(seller, 31),
      await age(seller, 29),
      await age(other, 31),
    ]
    expect((await seller.import(FILE)).status).toBe(200)
    expectProblem(await seller.imports(`/${old}`), 'not_found')
    expect((await seller.imports(`/${young}`)).status).toBe(200)
    expect((await other.imports(`/${foreign}`)).status).toBe(200)
  })
})

describe('a file of which nearly nothing is right', () => {
  test.each([
    ['lines that are no JSON', NDJSON, '', 'x\n'],
    ['lines that are no object', NDJSON, '', '1\n'],
    ['rows with too few cells', 'text/csv', 'brand,partNumber,inStock\n', 'x\n'],
    ['rows with a stray quote', 'text/csv', 'brand,partNumber,inStock\n', 'x",1,1\n'],
  ])('such as %s is not read beyond 100,000 bad rows', async (_what, type, head, row) => {
    const importId = randomUUID()
    const file = head + row.repeat(20_000_000 / row.length)
    const answer = await seller.import(file, type, `?onError=skip&importId=${importId}`)
    expectProblem(answer, 'import_refused')
    const line = 100_001 + (head === '' ? 0 : 1)
    const { detail, errors } = answer.body
    expect(answer.body).toMatchObject({ rowsRead: 100_001, rowsRefused: 100_001 })
    expect(detail).toContain(`cannot be read beyond line ${line}`)
    expect(errors).toHaveLength(100)
    expect(errors.at(-1)).toMatchObject({ line, detail: expect.stringMatching(/100000/) })
    expect(await recordOf(importId)).toMatchObject({
      status: 'refused',
      errors,
      problem: { code: 'import_refused', detail },
    })
  })
})

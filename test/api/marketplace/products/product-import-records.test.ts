import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ImportResult } from '../../../../src/marketplace/products/import/import-record.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { newProductParty, type ProductParty } from '../../../setup/product-client.ts'

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

  test('counts the rows that changed nothing, so that the counts sum up', async () => {
    const party = await newProductParty(market)
    await party.import(FILE)
    const importId = randomUUID()
    const file = `${FILE}B,2,1\nB,2,1\nB,3,-1\n`
    const answer = await party.import(file, 'text/csv', `?onError=skip&importId=${importId}`)
    const counts = { rowsRead: 4, rowsCreated: 1, rowsUpdated: 0, rowsUnchanged: 1, rowsRefused: 2 }
    expect(answer.body).toMatchObject(counts)
    expect((await party.imports(`/${importId}`)).body).toMatchObject(counts)
    expect((await party.imports()).body[0]).toMatchObject(counts)
  })

  test('and its example sum up', () => {
    const { rowsRead, rowsCreated, rowsUpdated, rowsUnchanged, rowsRefused } = ImportResult.shape
    const parts = [rowsCreated, rowsUpdated, rowsUnchanged, rowsRefused]
    const examples = parts.map((part) => Number(part.meta()?.example))
    expect(examples.reduce((sum, example) => sum + example, 0)).toBe(rowsRead.meta()?.example)
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

  test('stands in a list whose page has no more than a megabyte of problems', async () => {
    const party = await newProductParty(market)
    const problem = { line: 1, pointer: '/brand', detail: 'x'.repeat(400_000) }
    const ids: string[] = []
    for (let age = 0; age < 5; age++) {
      const time = new Date(market.deps.now().getTime() - age * 1000)
      const { id } = await market.deps.db.productImport.create({
        data: {
          ...{ partyId: party.partyId, status: 'completed', startedAt: time, updatedAt: time },
          ...(age % 2 === 0 ? { errors: [problem] } : { warnings: [problem] }),
        },
      })
      ids.push(id)
    }
    const seen: string[][] = []
    let query: string | undefined = ''
    while (query !== undefined) {
      const page = await party.imports(query)
      seen.push(page.body.map(({ importId }: { importId: string }) => importId))
      query = /<[^>]*(\?[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
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

describe('empty lines', () => {
  const RECORD = '{"brand":"B","partNumber":"1","inStock":1}\n'
  test.each([
    ['line ends in CSV', 'text/csv', FILE, '\n'],
    ['line ends in NDJSON', NDJSON, RECORD, '\n'],
    ['CRLF in CSV', 'text/csv', FILE, '\r\n'],
    ['CRLF in NDJSON', NDJSON, RECORD, '\r\n'],
    ['spaces in NDJSON', NDJSON, RECORD, ' \t\n'],
  ])('of %s are skipped, and not read beyond 10,000', async (_what, type, file, empty) => {
    const good = await seller.import(file + empty.repeat(10_000), type)
    expect(good.body).toMatchObject({ rowsRead: 1, rowsRefused: 0 })
    const packed = gzipSync(file + empty.repeat(1_000_000))
    const headers = { 'content-encoding': 'gzip' }
    const answer = await seller.import(packed, type, '?onError=skip', headers)
    expectProblem(answer, 'import_refused')
    expect(answer.body.errors).toMatchObject([
      { detail: expect.stringMatching(/10000 empty lines/) },
    ])
  })

  test('a JSON text that no record can be as long as is not taken apart', async () => {
    const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}\n`
    const answer = await seller.import(deep + RECORD, NDJSON, '?onError=skip')
    expect(answer.body).toMatchObject({
      rowsRead: 2,
      rowsRefused: 1,
      errors: [{ line: 1, detail: 'is longer than 65536 bytes' }],
    })
  })
})

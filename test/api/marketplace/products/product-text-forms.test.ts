import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { newProductParty, type ProductParty } from '../../../setup/product-client.ts'

let market: SharedMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await sharedMarketplace()
})
const startAnew = async () => {
  seller = await newProductParty(market)
}
const query = (filters: Record<string, string>) => `?${new URLSearchParams(filters)}`
const countOf = async (filters: Record<string, string>) =>
  (await seller.list(query(filters))).body.length

const TWINS = [
  [
    { brand: 'Cafe\u0301', partNumber: 'T-1' },
    { brand: 'Caf\u00e9', partNumber: 'T-1' },
  ],
  [
    { brand: 'Black\u00a0Bird', partNumber: 'T-2' },
    { brand: 'Black Bird', partNumber: 'T-2' },
  ],
  [
    { brand: 'Kestrel', partNumber: 'T\u30003' },
    { brand: 'Kestrel', partNumber: 'T 3' },
  ],
] as const

describe('products that look alike are one product', () => {
  beforeAll(startAnew)

  test.each(TWINS)('%j and %j', async (written, kept) => {
    const created = await seller.upsert({ ...written, inStock: 5 })
    expect([created.status, created.body]).toMatchObject([201, kept])
    expect((await seller.upsert({ ...kept, inStock: 6 })).status).toBe(200)
    const { body } = await seller.batch([
      { ...written, inStock: 7 },
      { ...kept, inStock: 8 },
    ])
    expect(body).toMatchObject([
      { status: 'updated', id: created.body.id },
      { status: 'refused', errors: [{ pointer: '' }] },
    ])
    for (const [type, row] of [
      ['text/csv', `brand,partNumber,inStock\n${written.brand},${written.partNumber},9\n`],
      ['application/x-ndjson', JSON.stringify({ ...written, inStock: 10 })],
    ] as const) {
      expect((await seller.import(row, type)).body).toMatchObject({ rowsUpdated: 1 })
    }
    const patched = await seller.patch(created.body.id, { ...written, inStock: 11 })
    expect([patched.status, patched.body]).toMatchObject([200, kept])
    for (const filters of [written, kept]) expect(await countOf({ ...filters })).toBe(1)
  })

  const CODES = ['200B', '00AD', '202E', '2066', 'E0041', '200D', '200C', '2060', '034F', 'FE0F']
  test.each(CODES)('U+%s is refused, with its place', async (code) => {
    const hidden = `T-4${String.fromCodePoint(Number.parseInt(code, 16))}x`
    const detail = `must not contain invisible characters; it has U+${code}`
    for (const [field, record] of [
      ['brand', { brand: hidden, partNumber: 'T-4', inStock: 1 }],
      ['partNumber', { brand: 'Kestrel', partNumber: hidden, inStock: 1 }],
    ] as const) {
      const errors = [{ pointer: `/${field}`, detail }]
      const answer = await seller.upsert(record)
      expectProblem(answer, 'unprocessable')
      expect(answer.body.errors).toEqual(errors)
      expect((await seller.batch([record])).body[0]).toMatchObject({ status: 'refused', errors })
      const csv = `brand,partNumber,inStock\n${record.brand},${record.partNumber},1\n`
      const lines = [
        [csv, 'text/csv', 2],
        [JSON.stringify(record), 'application/x-ndjson', 1],
      ] as const
      for (const [file, type, line] of lines) {
        const refused = await seller.import(file, type)
        expectProblem(refused, 'import_refused')
        expect(refused.body.errors).toEqual([{ line, ...errors[0] }])
      }
    }
    const plain = await seller.upsert({ brand: 'Kestrel', partNumber: `P-${code}`, inStock: 1 })
    const patched = await seller.patch(plain.body.id, { brand: hidden })
    expectProblem(patched, 'unprocessable')
    expect(patched.body.errors).toEqual([{ pointer: '/brand', detail }])
  })

  test('what a script or an emoji needs is taken', async () => {
    for (const brand of [
      '\u0645\u06cc\u200c\u062e',
      '\u{1f469}\u200d\u{1f52c} Lab',
      'Wahl\u00ae',
    ]) {
      expect((await seller.upsert({ brand, partNumber: '1', inStock: 1 })).status).toBe(201)
    }
  })
})

describe('a search finds a word in either normal form', () => {
  beforeAll(async () => {
    await startAnew()
    await seller.batch([
      { brand: 'Cafe\u0301', partNumber: 'A', inStock: 1, shortDescription: 'Gru\u0308n' },
      { brand: 'Caf\u00e9', partNumber: 'B', inStock: 1, shortDescription: 'gr\u00fcn' },
    ])
  })

  test.each([
    'caf\u00e9',
    'cafe\u0301',
    'CAFE\u0301',
    'caf\u00e9\u200b',
    '\u200fcaf\u00e9',
    'gru\u0308n',
    'gr\u00fc',
  ])('%j', async (q) => {
    expect(await countOf({ q })).toBe(2)
  })

  test('one that shows nothing is none', async () => {
    expectProblem(await seller.list(query({ q: '\u200b' })), 'invalid_request')
    expect(await countOf({ brand: '\u200b' })).toBe(0)
  })
})

describe('UPCs', () => {
  beforeAll(startAnew)

  test('are compared in 14 digits', async () => {
    const upcs = ['043917795164', '0043917795164', '00043917795164', '96385074', '10012345678902']
    await seller.batch(upcs.map((upc) => ({ brand: 'U', partNumber: upc, inStock: 1, upc })))
    for (const upc of [...upcs.slice(0, 3), '43917795164', ' 043917795164 ']) {
      expect(await countOf({ upc })).toBe(3)
    }
    expect(await countOf({ upc: '0000096385074' })).toBe(1)
    expect(await countOf({ upc: '10012345678902' })).toBe(1)
    for (const upc of ['0012345678902', '1', '\u200b', 'a,"{}', '123456789012345']) {
      expect(await countOf({ upc })).toBe(0)
    }
  })

  test.each(['43917795164', '4.39178E+10', '4,39178E+10', '6e11'])(
    'that a spreadsheet has cut: %s',
    async (upc) => {
      const answer = await seller.upsert({ brand: 'U', partNumber: '1', inStock: 1, upc })
      expect(answer.body.errors).toEqual([
        {
          pointer: '/upc',
          detail:
            'must have 8, 12, 13 or 14 digits; a spreadsheet has cut it: format the column as text',
        },
      ])
    },
  )
})

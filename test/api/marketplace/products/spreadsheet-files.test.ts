import { gzipSync } from 'node:zlib'
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

const NDJSON = 'application/x-ndjson'
const HEADER = 'brand,partNumber,inStock'
const ROW = '{"brand":"K","partNumber":"N","inStock":1}\n'
const utf16 = (text: string, bom = '\ufeff') => Buffer.from(bom + text, 'utf16le')
const UTF_16 = /^is in UTF-16: save the file in UTF-8$/
const NUL = /^has NUL bytes, as a file in UTF-16 has: save the file in UTF-8$/
const GZIP = /^is compressed with gzip, and nothing says so/
const WORKBOOK = /^is a zip file or a workbook \(\.xlsx\): save the sheet as CSV UTF-8/

describe('a file that is no CSV says what to do', () => {
  test.each([
    ['semicolons', 'brand;partNumber;inStock\r\nK;1;5\r\n', /^is separated by semicolons: save/],
    ['quoted cells', '"brand";"partNumber";"inStock"\r\n', /^is separated by semicolons: save/],
    ['a byte order mark', '\ufeffbrand;partNumber;inStock\r\n', /^is separated by semicolons/],
    ['an empty line before', '\r\n\nbrand;partNumber;inStock\r\n', /^is separated by semicolons/],
    ['semicolons, without rows', 'brand;partNumber;inStock', /^is separated by semicolons/],
    ['tabs', 'brand\tpartNumber\tinStock\nK\t1\t5\n', /^is separated by tabs: save/],
    ['vertical bars', 'brand|partNumber|inStock\n', /^is separated by vertical bars: save/],
    ['sep=', `sep=,\r\n${HEADER}\r\n`, /^only says how cells are separated.*delete it/],
    ['sep=;', '\ufeffsep=;\r\nbrand;partNumber\r\n', /^only says how cells are separated/],
    ['"sep=;"', '"sep=;"\r\nbrand;partNumber\r\n', /^only says how cells are separated/],
    ['UTF-16', utf16(`${HEADER}\r\nK,1,5\r\n`), UTF_16],
    ['UTF-16, the other way round', utf16(`${HEADER}\r\n`).swap16(), UTF_16],
    ['UTF-16 without a mark', utf16(`${HEADER}\r\nK,1,5\r\n`, ''), NUL],
    ['a zip file', Buffer.from('PK\u0003\u0004\u0014\0\u0006\0', 'latin1'), WORKBOOK],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /^is a workbook \(\.xls\)/],
    ['gzip', gzipSync(`${HEADER}\nK,1,5\n`), GZIP],
    ['one byte', 'b', /^names unknown columns: "b"/],
    ['nothing', '', /^must name the columns$/],
  ])('%s', async (_what, file, sentence) => {
    for (const onError of ['refuse', 'skip']) {
      const answer = await seller.import(file, 'text/csv', `?onError=${onError}`)
      expectProblem(answer, 'import_refused')
      expect(answer.body.errors).toEqual([
        { line: expect.any(Number), pointer: '', detail: expect.stringMatching(sentence) },
      ])
    }
  })

  test('an unknown column names those that there are', async () => {
    const { body } = await seller.import(`${HEADER},colour\nK,1,5,red\n`)
    expect(body.errors[0].detail).toBe(
      'names unknown columns: "colour"; there are id, brand, partNumber, inStock, shortDescription, msrp, mapPrice, upc',
    )
  })
})

test.each([
  ['UTF-16', utf16(ROW), UTF_16],
  ['UTF-16 without a mark', utf16(ROW, ''), NUL],
  ['gzip', gzipSync(ROW), GZIP],
  ['a zip file', Buffer.from('PK\u0003\u0004\u0014\0', 'latin1'), WORKBOOK],
])('neither is NDJSON %s', async (_what, file, sentence) => {
  const answer = await seller.import(file, NDJSON)
  expectProblem(answer, 'import_refused')
  expect(answer.body.errors).toMatchObject([{ line: 1, detail: expect.stringMatching(sentence) }])
})

test('a byte order mark of UTF-8 is taken', async () => {
  for (const [file, type] of [
    [`\ufeff${HEADER}\nK,bom,1\n`, 'text/csv'],
    [`\ufeff${ROW}`, NDJSON],
  ] as const) {
    expect((await seller.import(file, type)).body).toMatchObject({ rowsCreated: 1 })
  }
})

describe('what a spreadsheet writes around a table', () => {
  test.each([
    ['columns without a name', `${HEADER},,\r\nK,a1,5,,\r\nK,a2,5,a note,\r\n`, 2],
    ['one between others', `brand,,partNumber,inStock\nK,x,b1,5\nK,,b2,5\n`, 2],
    ['rows of empty cells', `,,\n${HEADER}\n,,\nK,c1,5\n , ,\n"","",\n,\nK,c2,5\n,,\n,,`, 2],
    ['empty cells behind the last column', `${HEADER}\nK,d1,5,,\nK,d2,5\n`, 2],
    ['left out cells without a name', `${HEADER},,\nK,e1,5\nK,e2,5,\n`, 2],
    ['many empty rows', `${HEADER}\nK,f1,5\n${',,\n'.repeat(20_000)}`, 1],
  ])('is passed over: %s', async (_what, file, rows) => {
    const answer = await seller.import(file)
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { rowsRead: rows, rowsCreated: rows, errorCount: 0 },
    ])
  })

  test('cells that are too few or too many are not', async () => {
    const { body } = await seller.import(`${HEADER},\nK,g1\nK,g2,5,,x\n`)
    expect(body.errors).toEqual([
      { line: 2, pointer: '', detail: 'must have 4 cells, not 2' },
      { line: 3, pointer: '', detail: 'must have 4 cells, not 5' },
    ])
  })
})

describe('prices as databases write them', () => {
  const zeros = '0'.repeat(500)
  test.each([
    ['.99', 0.99],
    ['12.', 12],
    ['1.25E+01', 12.5],
    ['+5', 5],
    [`12.50${zeros}`, 12.5],
    [' 26.99 ', 26.99],
    ['0E+00', 0],
  ])('%s is %d', async (cell, msrp) => {
    expect((await seller.import(`${HEADER},msrp,mapPrice\nK,p,1,${cell},${cell}\n`)).status).toBe(
      200,
    )
    const { body } = await seller.list('?partNumber=p')
    expect(body).toMatchObject([{ msrp, mapPrice: msrp }])
  })

  test.each([
    ['.999', 'must have at most 2 decimals'],
    ['1E+12', 'must be less than 1000000000000'],
    ['-1', 'must be at least 0'],
    ['1E+999', 'must be a number or null'],
    ['1E-999', 'must be a number or null'],
    ['12.500000000000000000001', 'must be a number or null'],
    ['"12,50"', 'must be a number or null'],
    ['\u0661', 'must be a number or null'],
  ])('%s is refused', async (cell, detail) => {
    const { body } = await seller.import(`${HEADER},msrp\nK,q,1,${cell}\n`)
    expect(body.errors).toEqual([{ line: 2, pointer: '/msrp', detail }])
  })

  test.each(['\u0661', '1E+02', '+5', '.5'])('stock stays in digits: %s', async (cell) => {
    const { body } = await seller.import(`${HEADER}\nK,r,${cell}\n`)
    expect(body.errors).toMatchObject([{ line: 2, pointer: '/inStock' }])
  })
})

test('a moment whose + became a space says how to write it', async () => {
  const answer = await seller.send('GET', '?updatedSince=2026-11-21T09:30:00+02:00')
  expectProblem(answer, 'invalid_request')
  expect(answer.body.errors).toEqual([
    {
      pointer: '/updatedSince',
      detail: 'has a space before its offset: write + as %2B in a query',
    },
  ])
  const encoded = await seller.send('GET', '?updatedSince=2026-11-21T09:30:00%2B02:00')
  expect(encoded.status).toBe(200)
})

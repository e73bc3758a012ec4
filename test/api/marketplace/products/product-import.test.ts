import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { connect, newProductParty, type ProductParty } from '../../../setup/product-client.ts'

let market: SharedMarketplace
let seller: ProductParty
beforeAll(async () => {
  market = await sharedMarketplace()
  seller = await newProductParty(market)
})

const HEADER = 'brand,partNumber,inStock,shortDescription,msrp,mapPrice,upc\n'

async function stored(brand: string) {
  const { body } = await seller.list(`?brand=${brand}`)
  return body.map(({ id: _id, ...record }: { id: number }) => record)
}

describe('importing', () => {
  test('CSV with columns in any order, quotes, CRLF and a byte order mark', async () => {
    const file =
      '\ufeffupc, InStock ,partNumber,brand,shortDescription,msrp\r\n' +
      '043917795164,5,A-1,Csv,"Says ""hi"", twice\nand \\ more\t😀",19.9\r\n' +
      ',0,A-2,Csv,,\r\n\r\n'
    const answer = await seller.import(file)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      importId: expect.any(String),
      status: 'completed',
      rowsRead: 2,
      rowsCreated: 2,
      rowsUpdated: 0,
      rowsUnchanged: 0,
      rowsRefused: 0,
      errorCount: 0,
      errors: [],
    })
    expect(answer.headers.get('location')).toBe(`/v1/Products/Imports/${answer.body.importId}`)
    expect(await stored('Csv')).toEqual([
      {
        brand: 'Csv',
        partNumber: 'A-1',
        inStock: 5,
        shortDescription: 'Says "hi", twice\nand \\ more\t😀',
        msrp: 19.9,
        mapPrice: null,
        upc: '043917795164',
      },
      {
        brand: 'Csv',
        partNumber: 'A-2',
        inStock: 0,
        shortDescription: null,
        msrp: null,
        mapPrice: null,
        upc: null,
      },
    ])
  })

  test('NDJSON, compressed, creates, updates and leaves alone', async () => {
    const record = (partNumber: string, inStock: number) =>
      JSON.stringify({ brand: 'Nd', partNumber, inStock })
    await seller.import([record('1', 1), record('2', 2)].join('\n'), 'application/x-ndjson')
    const body = gzipSync([record('1', 1), record('2', 20), '', record('3', 3), ''].join('\r\n'))
    const answer = await seller.import(body, 'application/x-ndjson', '', {
      'content-encoding': 'gzip',
    })
    expect(answer.body).toMatchObject({
      rowsRead: 3,
      rowsCreated: 1,
      rowsUpdated: 1,
      rowsUnchanged: 1,
      rowsRefused: 0,
    })
    expect((await stored('Nd')).map(({ inStock }: { inStock: number }) => inStock)).toEqual([
      1, 20, 3,
    ])
  })

  test('that changes nothing leaves the revision, so that pages stay the same', async () => {
    const party = await newProductParty(market)
    const file = 'brand,partNumber,inStock\nSame,1,1\nSame,2,2\n'
    expect((await party.import(file)).body).toMatchObject({ rowsCreated: 2 })
    const etag = (await party.list()).headers.get('etag')
    const again = await party.import(file)
    expect(again.body).toMatchObject({
      status: 'completed',
      rowsRead: 2,
      rowsCreated: 0,
      rowsUpdated: 0,
      rowsUnchanged: 2,
    })
    expect((await party.list()).headers.get('etag')).toBe(etag)
  })

  test('is seen at once by a connected Buyer, and written to the audit trail by its counts', async () => {
    const buyer = await newProductParty(market, 'Buyer')
    await connect(market, buyer, seller)
    expect((await buyer.list('?brand=Seen')).body).toEqual([])
    const { body } = await seller.import(`${HEADER}Seen,1,1,,,,\n`)
    expect((await buyer.list('?brand=Seen')).body).toHaveLength(1)
    const event = await market.deps.db.auditEvent.findFirst({ where: { subjectId: body.importId } })
    expect(event).toMatchObject({
      action: 'products.imported',
      actorKind: 'installation',
      partyId: seller.partyId,
      after: { rowsRead: 1, rowsCreated: 1 },
    })
  })

  test('has a record that others can watch, under an id of choice, which is used once', async () => {
    const importId = randomUUID()
    const query = `?importId=${importId}`
    expect((await seller.import(`${HEADER}Rec,1,1,,,,\n`, 'text/csv', query)).status).toBe(200)
    const record = await seller.imports(`/${importId}`)
    expect(record.body).toMatchObject({ importId, status: 'completed', rowsRead: 1 })
    expect((await seller.imports()).body[0]).toEqual(record.body)
    expectProblem(await seller.import(HEADER, 'text/csv', query), 'already_exists')
    const other = await newProductParty(market)
    expectProblem(await other.imports(`/${importId}`), 'not_found')
    expect((await other.imports()).body).toEqual([])
  })
})

const BAD = [
  'Bad,ok-1,1,,,,',
  'Bad,,1,,,,',
  'Bad,neg,-1,,,,',
  'Bad,price,1,,1.005,,',
  'Bad,upc,1,,,,12x',
  'Bad,cells,1',
  'Bad,ok-1,2,,,,',
  'Bad,text,many,,,,',
  'Bad,check,1,,,,043917795165',
]
const BAD_LINES = [
  { line: 3, pointer: '/partNumber', detail: 'must not be empty' },
  { line: 4, pointer: '/inStock', detail: 'must be at least 0' },
  { line: 5, pointer: '/msrp', detail: 'must have at most 2 decimals' },
  { line: 6, pointer: '/upc', detail: 'must have 8, 12, 13 or 14 digits' },
  { line: 7, pointer: '', detail: 'must have 7 cells, not 3' },
  { line: 9, pointer: '/inStock', detail: 'must be a whole number' },
  { line: 8, pointer: '', detail: 'repeats the brand and part number of line 2' },
]

test('a line of JSON that has a name twice is refused', async () => {
  const line = '{"brand":"Twice","brand":"Other","partNumber":"d-1","inStock":1}'
  const answer = await seller.import(line, 'application/x-ndjson')
  expectProblem(answer, 'import_refused')
  expect(answer.body.errors).toEqual([{ line: 1, pointer: '', detail: 'has a name twice' }])
})

test('stock is a whole number however a program writes it', async () => {
  const cells = ['5.00000000000000000000', '5.', '5.0', '5']
  const rows = cells.map((cell, index) => `Written,w-${index},${cell},,,,`)
  expect((await seller.import(HEADER + rows.join('\n'))).status).toBe(200)
  const written: { inStock: number }[] = await stored('Written')
  expect(written.map(({ inStock }) => inStock)).toEqual(cells.map(() => 5))
})

describe('a file with problems', () => {
  test('is refused as a whole, with every line', async () => {
    const answer = await seller.import(HEADER + BAD.join('\n'))
    expectProblem(answer, 'import_refused')
    expect(answer.body.errors).toEqual(BAD_LINES)
    expect(answer.body).toMatchObject({ errorCount: 7, rowsRead: 9, rowsRefused: 7 })
    expect(await stored('Bad')).toEqual([])
    const { body } = await seller.send('GET', answer.headers.get('location')?.slice(12) as string)
    const { code, detail, errors, errorCount, rowsRead, rowsRefused } = answer.body
    expect(body).toMatchObject({ errors, errorCount, rowsRead, rowsRefused })
    expect(body).toMatchObject({
      status: 'refused',
      problem: { code, detail },
      warnings: [{ line: 10, pointer: '/upc', detail: 'has a wrong check digit' }],
    })
  })

  test('with onError=skip loses only the bad rows; a wrong check digit is a warning', async () => {
    const answer = await seller.import(HEADER + BAD.join('\r\n'), 'text/csv', '?onError=skip')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ rowsRead: 9, rowsCreated: 2, rowsRefused: 7 })
    expect(answer.body.errors).toEqual(BAD_LINES)
    expect(answer.body.warnings).toEqual([
      { line: 10, pointer: '/upc', detail: 'has a wrong check digit' },
    ])
    const record = (await seller.imports(`/${answer.body.importId}`)).body
    expect(record).toMatchObject({ ...answer.body, problem: null })
    expect(await stored('Bad')).toMatchObject([{ partNumber: 'ok-1', inStock: 1 }, {}])
  })

  test('names the first 100 problems and counts all', async () => {
    const rows = Array.from({ length: 250 }, (_, row) => `Many,${row},-1,,,,`)
    const answer = await seller.import(HEADER + rows.join('\n'))
    expect(answer.body.errors).toHaveLength(100)
    expect(answer.body.errorCount).toBe(250)
  })

  const broken = Buffer.from(`${HEADER}Lat,caf\u00e9,1,,,,\n`, 'latin1')
  test.each([
    ['broken UTF-8', broken, 2, /UTF-8/],
    [
      'a quote left open',
      `${HEADER}Q,1,1,"open,,,\nQ,2,1,,,,\n`,
      3,
      /quote since line 2 that is never closed/,
    ],
    ['an unknown column', 'brand,partNumber,inStock,colour\n', 1, /unknown columns: "colour"/],
    ['a missing column', 'brand,partNumber\nA,B\n', 1, /must name the columns inStock/],
    ['a column twice', 'brand,partNumber,inStock,Brand\n', 1, /twice: brand/],
    ['nothing in it', '', 1, /must name the columns/],
    ['a line over 1 MiB', `${HEADER}L,1,1,"${'x'.repeat(1_100_000)}"\n`, 2, /longer than/],
  ])('such as %s says where', async (_what, file, line, detail) => {
    const answer = await seller.import(file)
    expectProblem(answer, 'import_refused')
    expect(answer.body.errors[0]).toMatchObject({ line, detail: expect.stringMatching(detail) })
  })

  test('a stray quote costs its row only, and counts once', async () => {
    const file = 'brand,partNumber,inStock\nStray,5" x 6",1\nStray,two,1\nStray,"three",1\n'
    const answer = await seller.import(file, 'text/csv', '?onError=skip')
    expect(answer.body).toMatchObject({ rowsRead: 3, rowsCreated: 2, rowsRefused: 1 })
    expect(answer.body.errors).toEqual([
      { line: 2, pointer: '', detail: expect.stringMatching(/quote inside a cell/) },
    ])
  })

  test.each([
    ['text behind a closing quote', '"5" disk",1,1\nLost,2,1\nLost,"3",1\n', 3],
    ['a quote left open', 'Lost,"1,1\nLost,2,1\nLost,3,1\n', 5],
  ])(
    'is refused even with onError=skip when %s hides where its rows end',
    async (_what, rows, line) => {
      const file = `brand,partNumber,inStock\nLost,0,1\n${rows}`
      const answer = await seller.import(file, 'text/csv', '?onError=skip')
      expectProblem(answer, 'import_refused')
      expect(answer.body.errors).toMatchObject([
        { line, detail: expect.stringMatching(/since line 3/) },
      ])
      expect(await stored('Lost')).toEqual([])
    },
  )

  test('names the line where the row begins that hides its end, behind a stray quote too', async () => {
    const file = 'brand,partNumber,inStock\nLost"1,1,1\nLost,"2"x,1\n'
    const answer = await seller.import(file, 'text/csv', '?onError=skip')
    expect(answer.body.errors).toMatchObject([
      { line: 2, detail: expect.stringMatching(/quote inside a cell/) },
      { line: 3, detail: expect.stringMatching(/in the row since line 3/) },
    ])
  })

  test.each([
    ['no JSON', 'nope', 'is not JSON'],
    ['no object', '[1]', 'must be an object'],
    [
      'an unknown attribute',
      '{"brand":"a","partNumber":"b","inStock":1,"__proto__":1}',
      'is not a known attribute',
    ],
    ['a line over 1 MiB', 'x'.repeat(1_100_000), 'is longer than 1048576 bytes'],
  ])('of NDJSON, such as %s, says where', async (_what, row, detail) => {
    const answer = await seller.import(`\n${row}\n`, 'application/x-ndjson', '')
    expectProblem(answer, 'import_refused')
    expect(answer.body.errors[0]).toMatchObject({ line: 2, detail })
  })

  test.each([
    ['NUL', 'x\\u0000y', '/x\ufffdy'],
    ['half a pair of surrogates', '\\ud800', '/\ufffd'],
    ['a pair that is cut in two', `${'a'.repeat(199)}\u{1f600}`, `/${'a'.repeat(199)}\ufffd`],
  ])(
    'of NDJSON with an unknown name with %s is refused, and its record ends',
    async (_what, name, pointer) => {
      const row = `{"brand":"a","partNumber":"b","inStock":1,"${name}":1}`
      for (const query of ['', '?onError=skip']) {
        const answer = await seller.import(row, 'application/x-ndjson', query)
        expect(answer.body.errors[0]).toMatchObject({ line: 1, pointer })
      }
      const records = (await seller.imports('')).body
      expect(records.map(({ status }: { status: string }) => status)).not.toContain('running')
    },
  )
})

describe('an import is refused', () => {
  test.each([
    ['of another type', 'application/json', {}, 'unsupported_media_type'],
    ['of another charset', 'text/csv; charset=latin1', {}, 'unsupported_media_type'],
    ['of another coding', 'text/csv', { 'content-encoding': 'br' }, 'unsupported_media_type'],
    ['that is not the gzip it says', 'text/csv', { 'content-encoding': 'gzip' }, 'invalid_request'],
  ] as const)('%s', async (_what, type, headers, code) => {
    expectProblem(await seller.import(HEADER, type, '', headers), code)
  })

  test('with an unknown parameter', async () => {
    expectProblem(await seller.import(HEADER, 'text/csv', '?onErr=skip'), 'invalid_request')
  })

  test('from a Buyer or without the permission', async () => {
    const buyer = await newProductParty(market, 'Buyer')
    expectProblem(await buyer.import(HEADER), 'seller_required')
    const reader = await newProductParty(market, 'Seller', ['products:read'])
    expectProblem(await reader.import(HEADER), 'insufficient_scope')
  })
})

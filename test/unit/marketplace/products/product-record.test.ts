import { Decimal } from '@prisma/client/runtime/client'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyLine } from '../../../../src/marketplace/products/import/copy-text.ts'
import { productBody } from '../../../../src/marketplace/products/product.ts'
import { checkRecord } from '../../../../src/marketplace/products/product-checks.ts'
import { hasRightCheckDigit } from '../../../../src/marketplace/products/upc.ts'

const GOOD = { brand: 'Wahl', partNumber: '79520-500', inStock: 49 }
const problemsOf = (input: unknown) =>
  (checkRecord(input).errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`)

describe('a product record', () => {
  test('needs brand, part number and stock; the others are null when left out', () => {
    expect(checkRecord(GOOD)).toEqual({
      record: { ...GOOD, shortDescription: null, msrp: null, mapPrice: null, upc: null },
      warnings: [],
    })
    expect(problemsOf({})).toEqual([
      '/brand is required',
      '/partNumber is required',
      '/inStock is required',
    ])
  })

  test.each([
    [null, ' must be an object'],
    [[GOOD], ' must be an object'],
    [{ ...GOOD, brand: ' \t ' }, '/brand must not be empty'],
    [{ ...GOOD, brand: 'a\u0007b' }, '/brand must not contain control characters'],
    [{ ...GOOD, brand: 'a\u2028b' }, '/brand must not contain control characters'],
    [{ ...GOOD, brand: 5 }, '/brand must be a string'],
    [{ ...GOOD, partNumber: 'x'.repeat(201) }, '/partNumber must be at most 200 characters long'],
    [
      { ...GOOD, partNumber: '\ud800' },
      '/partNumber must be well-formed Unicode: it has a lone surrogate',
    ],
    [{ ...GOOD, inStock: -1 }, '/inStock must be at least 0'],
    [{ ...GOOD, inStock: 1.5 }, '/inStock must be a whole number'],
    [{ ...GOOD, inStock: 2_147_483_648 }, '/inStock must be at most 2147483647'],
    [
      { ...GOOD, shortDescription: 'x'.repeat(4001) },
      '/shortDescription must be at most 4000 characters long',
    ],
    [{ ...GOOD, shortDescription: '\0' }, '/shortDescription must not contain control characters'],
    [
      { ...GOOD, shortDescription: 'caf\ufffd' },
      '/shortDescription must be text in UTF-8: it holds broken or replaced characters',
    ],
    [{ ...GOOD, msrp: -0.01 }, '/msrp must be at least 0'],
    [{ ...GOOD, msrp: 0.001 }, '/msrp must have at most 2 decimals'],
    [{ ...GOOD, mapPrice: 1e12 }, '/mapPrice must be less than 1000000000000'],
    [{ ...GOOD, mapPrice: Number.NaN }, '/mapPrice must be a number or null'],
    [{ ...GOOD, upc: '123' }, '/upc must have 8, 12, 13 or 14 digits'],
    [{ ...GOOD, upc: 43917795164 }, '/upc must be a string of digits or null'],
    [{ ...GOOD, id: 7 }, '/id is given by the server'],
    [{ ...GOOD, 'a/b': 7 }, '/a~1b is not a known attribute'],
    [
      JSON.parse('{"brand":"a","partNumber":"b","inStock":1,"__proto__":{}}'),
      '/__proto__ is not a known attribute',
    ],
  ])('%j is refused', (input, problem) => {
    expect(problemsOf(input)).toEqual([problem])
  })

  test('counts characters as JSON Schema does: an emoji is one', () => {
    const of = (name: number, description: number) => ({
      ...GOOD,
      brand: '🔌'.repeat(name),
      shortDescription: '🔌'.repeat(description),
    })
    expect(problemsOf(of(200, 4000))).toEqual([])
    expect(problemsOf(of(201, 4001))).toEqual([
      '/brand must be at most 200 characters long',
      '/shortDescription must be at most 4000 characters long',
    ])
  })

  test('takes every price of whole cents and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999_999 }), (cents) => {
        const msrp = Number(new Decimal(cents).div(100).toString())
        expect(checkRecord({ ...GOOD, msrp }).record?.msrp).toBe(msrp)
      }),
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 1, max: 9 }),
        (cents, tenth) => {
          const msrp = Number(`${new Decimal(cents).div(100).toFixed(2)}${tenth}`)
          expect(checkRecord({ ...GOOD, msrp }).errors).toHaveLength(1)
        },
      ),
    )
  })

  test('a wrong check digit is a warning', () => {
    expect(checkRecord({ ...GOOD, upc: '043917795165' })).toMatchObject({
      record: { upc: '043917795165' },
      warnings: [{ pointer: '/upc', detail: 'has a wrong check digit' }],
    })
  })

  test.each([
    '043917795164',
    '96385074',
    '4006381333931',
    '10012345678902',
    '04252614',
    '01234565',
    '01234747',
  ])('%s has the right check digit', (upc) => {
    expect(hasRightCheckDigit(upc)).toBe(true)
    const wrong = `${upc.slice(0, -1)}${(Number(upc.at(-1)) + 1) % 10}`
    expect(hasRightCheckDigit(wrong)).toBe(false)
  })
})

test('a line of COPY gives back every text', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 20 })
  fc.assert(
    fc.property(texts, texts, (brand, shortDescription) => {
      const record = { ...GOOD, brand, shortDescription, msrp: 1.5, mapPrice: null, upc: null }
      const line = copyLine(7, record)
      expect(line.endsWith('\n')).toBe(true)
      const cells = line.slice(0, -1).split('\t')
      const plain = cells.map((cell) =>
        cell === '\\N'
          ? null
          : cell.replace(/\\(.)/g, (_all, c) => ({ n: '\n', r: '\r', t: '\t' })[c as string] ?? c),
      )
      expect(plain).toEqual([
        '7',
        null,
        brand,
        GOOD.partNumber,
        '49',
        shortDescription,
        '1.5',
        null,
        null,
        productBody(record),
      ])
      expect(line.slice(0, -1)).not.toMatch(/[\n\r]/)
    }),
  )
})

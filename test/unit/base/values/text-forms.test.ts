import { describe, expect, test } from 'vitest'
import {
  canonicalLine,
  canonicalText,
  invisibleProblem,
  keyProblem,
  searchForm,
} from '../../../../src/base/values/text-forms/canonical.ts'
import { asciiDigits } from '../../../../src/base/values/text-forms/digits.ts'
import { exactNumber, typedNumber } from '../../../../src/base/values/text-forms/numbers.ts'

describe('a line has one form', () => {
  test.each([
    ['Cafe\u0301', 'Caf\u00e9'],
    ['\u1100\u1161', '\uac00'],
    ['\u212b', '\u00c5'],
    ['Black\u00a0Bird', 'Black Bird'],
    ['\u3000Black\u202fBird\u2009', 'Black Bird'],
    ['A  B', 'A  B'],
  ])('%j is kept as %j', (typed, kept) => {
    expect(canonicalLine(typed)).toBe(kept)
    expect(canonicalLine(kept)).toBe(kept)
  })

  test.each([
    ['Kes\u200btrel\u00ad', 'Kestrel'],
    ['\u202aCafe\u0301\u202c \ufeff', 'Caf\u00e9'],
    ['\u200b', ''],
    ['\u0645\u06cc\u200c\u062e', '\u0645\u06cc\u200c\u062e'],
    ['\ud800', '\ud800'],
  ])('%j is searched as %j', (typed, searched) => {
    expect(searchForm(typed)).toBe(searched)
  })

  test('a text with more marks than any script writes takes no time', () => {
    const marks = `a${'\u0301\u0316'.repeat(500_000)}`
    expect(canonicalText(marks)).toBe(marks)
    expect(invisibleProblem(marks)).toBe('must not have more than 30 combining marks in a row')
    expect(canonicalText(`e${'\u0301'.repeat(30)}`)).toBe(`\u00e9${'\u0301'.repeat(29)}`)
  })
})

describe('joiners', () => {
  test.each([
    ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['Persian, over a mark', '\u0645\u06cc\u0650\u200c\u062e'],
    ['Sinhala', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
    ['Malayalam', '\u0d28\u0d4d\u200d'],
    ['Hindi', '\u0915\u094d\u200c\u0937'],
    ['Bengali', '\u09b0\u200d\u09cd\u09af\u09be\u09ae'],
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} Family'],
    ['a profession', '\u{1f469}\u{1f3fd}\u200d\u{1f52c}'],
    ['a flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['a flag without a selector', '\u{1f3f3}\u200d\u{1f308}'],
    ['a burning heart without a selector', '\u2764\u200d\u{1f525}'],
    ['a detective without a selector', '\u{1f575}\u200d\u2642\ufe0f'],
  ])('are taken where they are needed: %s', (_what, name) => {
    expect(invisibleProblem(canonicalLine(name))).toBeNull()
    expect(keyProblem(canonicalLine(name))).toBeNull()
    expect(searchForm(name)).toBe(name)
  })

  test.each([
    ['In\u200dside', '200D'],
    ['In\u200cside', '200C'],
    ['\u200cA', '200C'],
    ['\u0645\u200c', '200C'],
    ['\u0645\u200c\u200c\u062e', '200C'],
    ['\u0645\u200d\u062e', '200D'],
    // The letter before joins nothing behind it.
    ['\u062f\u200c\u062e', '200C'],
    ['\u{1f468}\u200d', '200D'],
    ['a\u200d\u{1f467}', '200D'],
    ['\u00a9\u200d\u00ae', '200D'],
  ])('are refused elsewhere: %j', (name, code) => {
    expect(invisibleProblem(name)).toBe(`must not contain invisible characters; it has U+${code}`)
  })

  test('a key has no selector of a look behind what has one look', () => {
    expect(keyProblem('T-3\ufe0f')).toBe('must not contain invisible characters; it has U+FE0F')
    expect(keyProblem('\u2764\ufe0f 3\ufe0f\u20e3')).toBeNull()
  })
})

test.each([
  ['\u0661\u0662\u0663', '123'],
  ['\u06f4\u06f5\u06f6', '456'],
  ['\u0967\u096f', '19'],
  ['\u{1d7ce}\u{1d7d7}\u{1d7d8}\u{1d7ff}', '0909'],
  ['\u{1e950}-a', '0-a'],
])('the digits of %j are %s', (text, digits) => {
  expect(asciiDigits(text)).toBe(digits)
})

describe('numbers as databases write them', () => {
  test.each([
    ['.99', 0.99],
    ['12.', 12],
    ['1.25E+01', 12.5],
    ['125e-1', 12.5],
    ['+5', 5],
    ['-0', 0],
    [`12.5${'0'.repeat(1000)}`, 12.5],
    ['0e999', 0],
    ['999999999999.99', 999999999999.99],
  ])('%s is %d', (text, value) => {
    expect(exactNumber(text)).toBe(value)
  })

  test.each(['', '.', 'e5', '1,5', '0x10', '1e', '--1', '1 0', 'NaN', 'Infinity', '\u0661'])(
    '%j is none',
    (text) => {
      expect(exactNumber(text)).toBeUndefined()
    },
  )

  test.each(['1e999', '1e-999', '12.340000000000000000001', '0.10000000000000001', '1e9999'])(
    '%s is not another one',
    (text) => {
      expect(exactNumber(text)).toBeUndefined()
    },
  )
})

describe('numbers as people type them', () => {
  test.each([
    ['\u0661\u0662\u066b\u0665', 12.5],
    ['\u22125', -5],
    ['1 500', 1500],
    ['1\u00a0234\u202f567,5', 1234567.5],
    ['1\u066c500', 1500],
    ['\u200f42', 42],
    ['\uff11\uff12', 12],
  ])('%j is %d', (text, value) => {
    expect(typedNumber(text)).toBe(value)
  })

  test.each(['1 50', '12 34', '1500 000', '1,500', '\u0661,\u0665\u0660\u0660', 'a', ''])(
    '%j is none',
    (text) => {
      expect(typedNumber(text)).toBeUndefined()
    },
  )
})

import { describe, expect, test } from 'vitest'
import {
  factorCodeOf,
  newRecoveryCodes,
} from '../../../../src/identity/auth/second-factor/factor-code.ts'

describe('a code is read as people type it', () => {
  test.each([
    ['in two groups', '123 456'],
    ['with a hyphen', '123-456'],
    ['with a space that does not break', '123\u00a0456'],
    ['in the wide digits of a Japanese keyboard', '１２３４５６'],
    ['in those and a wide space', '１２３　４５６'],
    ['in Arabic digits', '١٢٣٤٥٦'],
    ['in Persian digits', '۱۲۳۴۵۶'],
    ['in Devanagari digits', '१२३४५६'],
    ['with a mark of direction, as it is copied', '\u200f123456'],
    ['isolated in other text', '\u2066123\u2069456'],
    ['with a soft hyphen and a byte order mark', '\ufeff123\u00ad456'],
  ])('%s', (_how, typed) => {
    expect(factorCodeOf(typed)).toEqual({ kind: 'app', code: '123456' })
  })

  test.each([
    ['as it is shown', (shown: string) => shown],
    ['in capital letters', (shown: string) => shown.toUpperCase()],
    ['with the dashes of a text program', (shown: string) => shown.replaceAll('-', '–')],
    ['with hyphens that do not break', (shown: string) => shown.replaceAll('-', '\u2011')],
    ['with minus signs', (shown: string) => shown.replaceAll('-', '\u2212')],
    [
      'with what a Japanese keyboard writes for hyphens',
      (shown: string) => shown.replaceAll('-', 'ー'),
    ],
    ['without hyphens', (shown: string) => shown.replaceAll('-', '')],
    ['between marks of direction', (shown: string) => `\u202a${shown}\u202c`],
    [
      'with Arabic digits',
      (shown: string) =>
        shown.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
    ],
  ])('a recovery code %s', (_how, write) => {
    const [code] = newRecoveryCodes()
    if (code === undefined) throw new Error('there are no codes')
    expect(factorCodeOf(write(code.shown))).toEqual({ kind: 'recovery', sha256: code.sha256 })
  })

  test.each(['12345', '1234567', '12345a', '', '٠١٢٣٤', '1'.repeat(65)])('%j is none', (typed) => {
    expect(factorCodeOf(typed)).toBeUndefined()
  })
})

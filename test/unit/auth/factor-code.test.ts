import { describe, expect, test } from 'vitest'
import { factorCodeOf, newRecoveryCodes } from '../../../src/auth/second-factor/factor-code.ts'

describe('a code is read as people type it', () => {
  test.each([
    ['in two groups', '123 456'],
    ['with a hyphen', '123-456'],
    ['with a space that does not break', '123\u00a0456'],
    ['in the wide digits of a Japanese keyboard', '１２３４５６'],
    ['in those and a wide space', '１２３　４５６'],
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
  ])('a recovery code %s', (_how, write) => {
    const [code] = newRecoveryCodes()
    if (code === undefined) throw new Error('there are no codes')
    expect(factorCodeOf(write(code.shown))).toEqual({ kind: 'recovery', sha256: code.sha256 })
  })

  test.each(['12345', '1234567', '12345a', '', '٠١٢٣٤٥', '1'.repeat(65)])('%j is none', (typed) => {
    expect(factorCodeOf(typed)).toBeUndefined()
  })
})

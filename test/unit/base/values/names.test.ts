import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameKey } from '../../../../src/base/values/names.ts'

describe('nameKey', () => {
  it.each([
    'ACME',
    'acme',
    ' Acme ',
    'Acme\u00a0',
    'Acme\u3000',
    'Ａｃｍｅ',
    'Ac\u200bme',
    'Acme\u200b',
    '\ufeffAcme',
    'A\u00adcme',
    'Acme\u2060',
    'Acme\u202e',
    '𝐀𝐜𝐦𝐞',
  ])('%j is Acme', (name) => {
    expect(nameKey(name)).toBe(nameKey('Acme'))
  })

  it.each([
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['é', 'e\u0301'],
    ['PRİCE SYNC', 'Price Sync'],
    ['İstanbul', 'ISTANBUL'],
    ['Price  Sync', 'Price Sync'],
    ['Price\tSync', 'price sync'],
    ['ﬁx', 'FIX'],
  ])('%j and %j are one', (a, b) => {
    expect(nameKey(a)).toBe(nameKey(b))
  })

  it('leaves a text alone that is longer than any name', () => {
    const marks = '\u0301\u0316'.repeat(200)
    expect(nameKey(marks)).not.toBe(marks)
    expect(nameKey(`${marks}a`)).toBe(`${marks}a`)
  })

  it('keeps different names apart', () => {
    expect(nameKey('Price Sync')).not.toBe(nameKey('PriceSync'))
    expect(nameKey('Acme')).not.toBe(nameKey('Acmé'))
  })

  it.each(['', ' ', '\u200b', '\u3164', '\u2800 \u00ad'])('%j shows nothing', (name) => {
    expect(nameKey(name)).toBe('')
  })

  it('is stable: a key is its own key, in any case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const key = nameKey(name)
        expect(nameKey(key)).toBe(key)
        expect(nameKey(` ${name}\u200b`)).toBe(key)
        expect(nameKey(name.normalize('NFD'))).toBe(key)
      }),
      { numRuns: 1000 },
    )
  })

  it('is stable for every single character', () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code)
      const key = nameKey(character)
      if (nameKey(key) !== key || nameKey(character.toUpperCase()) !== key) {
        expect.fail(`U+${code.toString(16)}`)
      }
    }
  })
})

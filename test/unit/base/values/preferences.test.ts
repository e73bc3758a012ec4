import { describe, expect, test } from 'vitest'
import { chooseCoding } from '../../../../src/base/compression/content-coding.ts'
import { weightsOf } from '../../../../src/base/values/preferences.ts'

describe('a list of preferences', () => {
  test('gives each name its weight', () => {
    expect([...weightsOf('BR;q=0.5, gzip ; Q = 0.4,identity, *;q=x')]).toEqual([
      ['br', 0.5],
      ['gzip', 0.4],
      ['identity', 1],
      ['*', 0],
    ])
  })

  test('is read up to its 50th name', () => {
    const filler = 'a,'.repeat(49)
    expect(weightsOf(`${filler}b`).get('b')).toBe(1)
    expect(weightsOf(`a,${filler}b`).get('b')).toBeUndefined()
    expect(chooseCoding(`${filler}br`)).toBe('br')
    expect(chooseCoding(`a,${filler}br`)).toBeUndefined()
  })

  test('is read up to the ninth parameter of a name', () => {
    expect(weightsOf(`a${';b=c'.repeat(8)};q=0.5`).get('a')).toBe(0.5)
    expect(weightsOf(`a${';b=c'.repeat(9)};q=0.5`).get('a')).toBe(1)
  })
})

test.each([
  ['gzip, br', 'br'],
  ['gzip;q=0.5, br;q=0.4', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
])('Accept-Encoding %s: the coding is %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding)
})

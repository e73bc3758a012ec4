import { expect, test } from 'vitest'
import { createHoldings } from '../../../../src/base/concurrency/holdings.ts'

test('a caller holds so much; what becomes shorter or ends makes room', () => {
  const holdings = createHoldings<string>({ eachMaxBytes: 10, allMaxBytes: 1_000 })
  expect(holdings.resize('a', 0, 6)).toBe(true)
  expect(holdings.resize('a', 0, 4)).toBe(true)
  expect(holdings.resize('a', 0, 1)).toBe(false)
  expect(holdings.resize('b', 0, 10)).toBe(true)
  expect(holdings.resize('a', 6, 5)).toBe(true)
  expect(holdings.resize('a', 4, 5)).toBe(true)
  expect(holdings.resize('a', 5, 6)).toBe(false)
  expect(holdings.resize('a', 5, 0)).toBe(true)
  expect(holdings.resize('a', 0, 5)).toBe(true)
})

test('a caller never has more than it leaves to others, however many there are', () => {
  const holdings = createHoldings<number>({ eachMaxBytes: 16, allMaxBytes: 48 })
  const taken = Array.from({ length: 100 }, (_, caller) => {
    let bytes = 0
    while (holdings.resize(caller, bytes, bytes + 1)) bytes += 1
    return bytes
  })
  expect(taken.slice(0, 6)).toEqual([16, 16, 8, 4, 2, 1])
  expect(taken.reduce((sum, bytes) => sum + bytes)).toBeLessThan(48)
})

test('something may always become shorter, also when all is held', () => {
  const holdings = createHoldings<string>({ eachMaxBytes: 100, allMaxBytes: 100 })
  expect(holdings.resize('a', 0, 50)).toBe(true)
  expect(holdings.resize('b', 0, 25)).toBe(true)
  expect(holdings.resize('a', 50, 49)).toBe(true)
  expect(holdings.resize('b', 25, 1)).toBe(true)
})

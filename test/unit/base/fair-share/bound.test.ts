import { expect, test } from 'vitest'
import { createBound } from '../../../../src/base/fair-share/bound.ts'

test('each caller has so many; one that is given back can be taken again', () => {
  const bound = createBound<string>({ each: 2 })
  const [first, second] = [bound.take('a'), bound.take('a')]
  expect([typeof first, typeof second, bound.take('a')]).toEqual([
    'function',
    'function',
    undefined,
  ])
  expect(bound.take('b')).toBeTypeOf('function')
  first?.()
  expect(bound.take('a')).toBeTypeOf('function')
  expect(bound.take('a')).toBeUndefined()
})

test('what is given back twice frees nothing of somebody else', () => {
  const bound = createBound<string>({ each: 1 })
  const former = bound.take('a')
  former?.()
  expect(bound.take('a')).toBeTypeOf('function')
  former?.()
  expect(bound.take('a')).toBeUndefined()
})

test('what becomes less or ends makes room', () => {
  const bytes = createBound<string>({ each: 10, all: 1_000 })
  expect(bytes.resize('a', 0, 6)).toBe(true)
  expect(bytes.resize('a', 0, 4)).toBe(true)
  expect(bytes.resize('a', 0, 1)).toBe(false)
  expect(bytes.resize('b', 0, 10)).toBe(true)
  expect(bytes.resize('a', 6, 5)).toBe(true)
  expect(bytes.resize('a', 4, 5)).toBe(true)
  expect(bytes.resize('a', 5, 6)).toBe(false)
  expect(bytes.resize('a', 5, 0)).toBe(true)
  expect(bytes.resize('a', 0, 5)).toBe(true)
})

test('a caller never has more than it leaves to others, however many there are', () => {
  const bound = createBound<number>({ each: 16, all: 48 })
  const taken = Array.from({ length: 100 }, (_, caller) => {
    let own = 0
    while (bound.resize(caller, own, own + 1)) own += 1
    return own
  })
  expect(taken.slice(0, 8)).toEqual([16, 16, 8, 4, 2, 1, 1, 0])
})

test('something may always become less, also when all is taken', () => {
  const bytes = createBound<string>({ each: 100, all: 100 })
  expect(bytes.resize('a', 0, 50)).toBe(true)
  expect(bytes.resize('b', 0, 50)).toBe(true)
  expect(bytes.resize('a', 50, 49)).toBe(true)
  expect(bytes.resize('b', 50, 1)).toBe(true)
})

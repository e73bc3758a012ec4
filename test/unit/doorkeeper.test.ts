import { expect, test } from 'vitest'
import { createDoorkeeper } from '../../src/products/doorkeeper.ts'

const forLong = () => Number.POSITIVE_INFINITY

test('a key is let in from the second time on', () => {
  const wasSeen = createDoorkeeper(forLong)
  expect([wasSeen('a'), wasSeen('b'), wasSeen('a'), wasSeen('a'), wasSeen('b')]).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
})

test('of 10,000 keys few are taken for others, and all are known again', () => {
  const wasSeen = createDoorkeeper(forLong)
  const keys = Array.from({ length: 10_000 }, (_, n) => `17|100|${n * 100}|`)
  expect(keys.filter((key) => wasSeen(key)).length).toBeLessThan(600)
  expect(keys.every((key) => wasSeen(key))).toBe(true)
})

test('what was seen longer ago than the window is forgotten', () => {
  const wasSeen = createDoorkeeper(() => 32)
  wasSeen('old')
  for (let n = 0; n < 32; n++) wasSeen(`key ${n}`)
  expect(wasSeen('old')).toBe(false)
})

test('without a window what is new is told apart for tens of thousands of keys, not for ever', () => {
  const wasSeen = createDoorkeeper(forLong)
  const keys = Array.from({ length: 200_000 }, (_, n) => `key ${n}`)
  const taken = keys.filter((key) => wasSeen(key)).length
  expect(taken).toBeLessThan(keys.length / 2)
})

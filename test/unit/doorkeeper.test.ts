import { expect, test } from 'vitest'
import { createDoorkeeper } from '../../src/products/doorkeeper.ts'

test('a key is let in from the second time on', () => {
  const wasSeen = createDoorkeeper()
  expect([wasSeen('a'), wasSeen('b'), wasSeen('a'), wasSeen('a'), wasSeen('b')]).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
})

test('of 10,000 keys few are taken for others, and all are known again', () => {
  const wasSeen = createDoorkeeper()
  const keys = Array.from({ length: 10_000 }, (_, n) => `17|100|${n * 100}|`)
  expect(keys.filter((key) => wasSeen(key)).length).toBeLessThan(600)
  expect(keys.every((key) => wasSeen(key))).toBe(true)
})

test('what was seen long ago is forgotten', () => {
  const wasSeen = createDoorkeeper(64)
  wasSeen('old')
  for (let n = 0; n < 200; n++) wasSeen(`key ${n}`)
  const known = Array.from({ length: 200 }, (_, n) => `key ${n}`).filter((key) => wasSeen(key))
  expect(known.length).toBeLessThan(150)
})

import { expect, test } from 'vitest'
import { createPopularity } from '../../../../src/marketplace/products/pages/popularity.ts'

const few = () => 10

test('what is asked for often is told from what is asked for seldom', () => {
  const popularity = createPopularity(few)
  const often = popularity.slotOf('often')
  const seldom = popularity.slotOf('seldom')
  for (let n = 0; n < 20; n++) popularity.count(often)
  popularity.count(seldom)
  expect([popularity.of(often), popularity.of(seldom)]).toEqual([20, 1])
  expect(popularity.of(popularity.slotOf('never'))).toBe(0)
})

test('of 5,000 names few are taken for others', () => {
  const popularity = createPopularity(few)
  const slots = Array.from({ length: 5_000 }, (_, n) => popularity.slotOf(`17|100|${n * 100}|`))
  expect(new Set(slots).size).toBeGreaterThan(4_600)
})

test('what was asked for long ago fades', () => {
  const popularity = createPopularity(few)
  const old = popularity.slotOf('old')
  for (let n = 0; n < 200; n++) popularity.count(old)
  for (let n = 0; n < 600_000; n++) popularity.count(popularity.slotOf(`name ${n}`))
  expect(popularity.of(old)).toBeLessThan(30)
})

test('no count runs over', () => {
  const popularity = createPopularity(few)
  const slot = popularity.slotOf('name')
  for (let n = 0; n < 1_000; n++) popularity.count(slot)
  expect(popularity.of(slot)).toBe(255)
})

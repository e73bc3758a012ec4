import { expect, test } from 'vitest'
import { createPaceCheck } from '../../src/http/long-body.ts'

const SECOND_MS = 1000

test('a byte every 59 seconds is too slow', () => {
  const isTooSlow = createPaceCheck()
  expect([isTooSlow(1, 59 * SECOND_MS), isTooSlow(1, 59 * SECOND_MS)]).toEqual([false, true])
})

test('a slow connection may take hours', () => {
  const isTooSlow = createPaceCheck()
  for (let n = 0; n < 10_000; n++) expect(isTooSlow(1_500, SECOND_MS)).toBe(false)
})

test('it is the last minute that counts, not what came before', () => {
  const isTooSlow = createPaceCheck()
  isTooSlow(1_000_000_000, SECOND_MS)
  expect(isTooSlow(1, 59 * SECOND_MS)).toBe(false)
  for (let n = 0; n < 59; n++) expect(isTooSlow(1, SECOND_MS)).toBe(false)
  expect(isTooSlow(1, SECOND_MS)).toBe(true)
})

test('pieces that are there at once are never too slow, however small', () => {
  const isTooSlow = createPaceCheck()
  for (let n = 0; n < 10_000; n++) expect(isTooSlow(1, 0)).toBe(false)
})

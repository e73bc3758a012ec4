import { expect, test } from 'vitest'
import { createPaceCheck } from '../../../src/http/bodies/long-body.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

/** The check, for a client that does nothing but send. */
function paceCheck() {
  const problemOf = createPaceCheck()
  let sinceStartMs = 0
  return (bytes: number, waitedMs: number) => {
    sinceStartMs += waitedMs
    return problemOf(bytes, waitedMs, sinceStartMs)
  }
}

test('a byte every 59 seconds is too slow', () => {
  const problemOf = paceCheck()
  expect(problemOf(1, 59 * SECOND_MS)).toBeUndefined()
  expect(problemOf(1, 59 * SECOND_MS)).toMatch(/1048576 bytes a minute/)
})

test('2.4 kB a second are too slow, and 20 are not', () => {
  const [trickle, slow] = [paceCheck(), paceCheck()]
  for (let n = 0; n < 59; n++) expect(trickle(2_400, SECOND_MS)).toBeUndefined()
  expect(trickle(2_400, SECOND_MS)).toMatch(/bytes a minute/)
  for (let n = 0; n < 3_600; n++) expect(slow(20_000, SECOND_MS)).toBeUndefined()
})

test('it is the last minute that counts, not what came before', () => {
  const problemOf = paceCheck()
  problemOf(1_000_000_000, SECOND_MS)
  expect(problemOf(1, 59 * SECOND_MS)).toBeUndefined()
  for (let n = 0; n < 59; n++) expect(problemOf(1, SECOND_MS)).toBeUndefined()
  expect(problemOf(1, SECOND_MS)).toMatch(/bytes a minute/)
})

test('pieces that are there at once are never too slow, however small', () => {
  const problemOf = paceCheck()
  for (let n = 0; n < 10_000; n++) expect(problemOf(1, 0)).toBeUndefined()
})

test('a body that takes more than an hour is too long, whoever was waited for', () => {
  const problemOf = createPaceCheck()
  expect(problemOf(1_000_000_000, 0, HOUR_MS)).toBeUndefined()
  expect(problemOf(1_000_000_000, 0, HOUR_MS + 1)).toMatch(/within 60 minutes/)
})

import { expect, test } from 'vitest'
import { createRequestCounter } from '../../../src/http/rate-limits/request-counter.ts'

function counterAt(consumersMax = 100) {
  const clock = { ms: 1_000_000 }
  return { clock, count: createRequestCounter(60_000, consumersMax, () => clock.ms) }
}

test('each consumer has a window of its own, which begins with its first request', () => {
  const { clock, count } = counterAt()
  expect(count('a', 2)).toEqual({ remaining: 1, ttlInSeconds: 60, isExceeded: false })
  clock.ms += 30_500
  expect(count('a', 2)).toEqual({ remaining: 0, ttlInSeconds: 30, isExceeded: false })
  expect(count('b', 2)).toEqual({ remaining: 1, ttlInSeconds: 60, isExceeded: false })
  expect(count('a', 2)).toEqual({ remaining: 0, ttlInSeconds: 30, isExceeded: true })
})

test('a window ends after its length, not a millisecond before', () => {
  const { clock, count } = counterAt()
  count('a', 1)
  clock.ms += 59_999
  expect(count('a', 1)).toEqual({ remaining: 0, ttlInSeconds: 1, isExceeded: true })
  clock.ms += 1
  expect(count('a', 1)).toEqual({ remaining: 0, ttlInSeconds: 60, isExceeded: false })
})

test('requests beyond the limit do not make the window longer', () => {
  const { clock, count } = counterAt()
  for (let second = 0; second < 60; second++) {
    count('a', 5)
    clock.ms += 1000
  }
  expect(count('a', 5).isExceeded).toBe(false)
})

test('a clock that is set back locks nobody out for longer than a window', () => {
  const { clock, count } = counterAt()
  count('a', 1)
  clock.ms -= 3_600_000
  expect(count('a', 1)).toEqual({ remaining: 0, ttlInSeconds: 60, isExceeded: false })
})

test('no more consumers are kept than the bound, the oldest windows go first', () => {
  const { clock, count } = counterAt(3)
  for (const key of ['a', 'b', 'c', 'd']) {
    count(key, 1)
    clock.ms += 1
  }
  expect(['c', 'd'].map((key) => count(key, 1).isExceeded)).toEqual([true, true])
  expect(count('a', 1).isExceeded).toBe(false)
})

test('windows that have ended are forgotten as new ones begin', () => {
  const { clock, count } = counterAt(3)
  for (const key of ['a', 'b', 'c']) count(key, 1)
  clock.ms += 60_000
  for (const key of ['d', 'e', 'f']) expect(count(key, 1).isExceeded).toBe(false)
  for (const key of ['d', 'e', 'f']) expect(count(key, 1).isExceeded).toBe(true)
})

import { expect, test } from 'vitest'
import { createHeldUsage } from '../../../../src/marketplace/usage/held-usage.ts'

const DAY_MS = 86_400_000
/** 2026-11-22 at noon. */
const NOON = 20_779.5 * DAY_MS

test('requests of one permission on one day are one count', () => {
  const held = createHeldUsage(10)
  held.add('a', 'products:read', 100, null, NOON)
  held.add('a', 'products:read', 50, null, NOON + 1)
  held.add('a', 'products:read', 0, 'too_many_requests', NOON + 2)
  held.add('a', 'products:read', 0, 'too_many_requests', NOON + 3)
  expect(held.take()).toEqual([
    {
      installationId: 'a',
      day: 20_779,
      permission: 'products:read',
      requests: 4,
      records: 150,
      refusals: { too_many_requests: 2 },
      usedAtMs: NOON + 1,
    },
  ])
  expect(held.take()).toEqual([])
})

test('a request that needs no permission is counted as none', () => {
  const held = createHeldUsage(10)
  held.add('a', null, 0, null, NOON)
  expect(held.take()).toMatchObject([{ permission: 'none', requests: 1 }])
})

test('what was only refused was never used', () => {
  const held = createHeldUsage(10)
  held.add('a', 'products:write', 0, 'insufficient_scope', NOON)
  expect(held.take()).toMatchObject([{ requests: 1, usedAtMs: null }])
})

test('a day ends at midnight UTC, also for counts that are not written yet', () => {
  const held = createHeldUsage(10)
  const midnight = 20_780 * DAY_MS
  held.add('a', null, 1, null, midnight - 1)
  held.add('a', null, 2, null, midnight)
  held.add('a', null, 4, null, midnight + 1)
  expect(held.take()).toMatchObject([
    { day: 20_779, records: 1 },
    { day: 20_780, records: 6 },
  ])
})

test('a clock that goes back over midnight loses nothing', () => {
  const held = createHeldUsage(10)
  const midnight = 20_780 * DAY_MS
  for (const at of [midnight, midnight - 1, midnight, midnight - 1])
    held.add('a', null, 1, null, at)
  expect(held.take().map(({ day, records }) => [day, records])).toEqual([
    [20_779, 2],
    [20_780, 2],
  ])
  expect(held.size()).toBe(0)
})

test('counts come in the order of installation, day and permission', () => {
  const held = createHeldUsage(10)
  held.add('b', 'x', 0, null, NOON)
  held.add('a', 'y', 0, null, NOON)
  held.add('a', 'x', 0, null, NOON + DAY_MS)
  held.add('a', 'x', 0, null, NOON)
  const keys = held.take().map((one) => `${one.installationId}${one.day}${one.permission}`)
  expect(keys).toEqual(['a20779x', 'a20779y', 'a20780x', 'b20779x'])
})

test('what could not be written is added to what came meanwhile', () => {
  const held = createHeldUsage(10)
  held.add('a', 'x', 5, 'too_many_requests', NOON)
  const taken = held.take()
  held.add('a', 'x', 3, null, NOON + 1)
  held.giveBack(taken)
  expect(held.take()).toMatchObject([
    { requests: 2, records: 8, refusals: { too_many_requests: 1 }, usedAtMs: NOON + 1 },
  ])
})

test('it holds no more than its bound, and goes on counting what it holds', () => {
  const held = createHeldUsage(2)
  for (const id of ['a', 'b', 'c', 'a']) held.add(id, null, 1, null, NOON)
  expect(held.size()).toBe(2)
  const taken = held.take()
  expect(taken.map(({ installationId, records }) => [installationId, records])).toEqual([
    ['a', 2],
    ['b', 1],
  ])
  held.add('d', null, 1, null, NOON)
  held.giveBack(taken)
  expect(held.size()).toBe(2)
})

import { describe, expect, test } from 'vitest'
import {
  countedPauseMs,
  DELAYS_SECONDS,
  failingStep,
  nextAttemptAt,
  restSeconds,
} from '../../../../src/marketplace/webhooks/attempts/retry-schedule.ts'

const NOW = new Date('2026-11-22T10:00:00.000Z')
const DAY_MS = 86_400_000

/** The wait after the first attempt of a schedule of a minute, in seconds. */
const waitAfter = (retryAfterSeconds: number | undefined, random = 0) =>
  ((nextAttemptAt([60], 1, NOW, retryAfterSeconds, random)?.getTime() ?? 0) - NOW.getTime()) / 1000

describe('the next attempt', () => {
  test('comes after the wait of the schedule, and none after the last', () => {
    const waits = [1, 2, 9, 10].map((tries) => {
      const at = nextAttemptAt(DELAYS_SECONDS, tries, NOW, undefined, 0)
      return at && (at.getTime() - NOW.getTime()) / 1000
    })
    expect(waits).toEqual([5, 300, 86_400, undefined])
    expect(nextAttemptAt(DELAYS_SECONDS, 10, NOW, 60, 0)).toBeUndefined()
  })

  test('comes up to a tenth later, so that what failed together is spread', () => {
    expect([0, 0.5, 1].map((random) => waitAfter(undefined, random))).toEqual([60, 63, 66])
  })

  test('waits longer for Retry-After, and never shorter', () => {
    expect([0, 30, 61, 86_400].map((seconds) => waitAfter(seconds))).toEqual([60, 60, 61, 86_400])
  })
})

test.each([
  [9, 0],
  [10, 1],
  [11, 2],
  [15, 32],
  [16, 60],
  [10_000, 60],
])('after %i failures in a row an endpoint rests for %i seconds', (failures, seconds) => {
  expect(restSeconds(failures)).toBe(seconds)
})

test.each([
  [2.4, 0, undefined],
  [2.5, 0, 50],
  [2.6, 50, undefined],
  [3.5, 50, 70],
  [4.5, 50, 90],
  [4.9, 90, undefined],
  [5, 90, 'disable'],
])('after %d days of failing, %i percent noticed: %s', (days, noticed, step) => {
  expect(failingStep(new Date(NOW.getTime() - days * DAY_MS), NOW, noticed)).toBe(step)
})

test.each([
  ['the usual waits', DELAYS_SECONDS, 28.8],
  ['short waits: a receiver may ask for a day', [5], 28.8],
  ['waits of two days', [172_800], 57.6],
  ['waits of a week: half of the five days, so that there is a notice first', [604_800], 60],
])('after %s, a pause counts up to a bound', (_what, delays, hours) => {
  expect(countedPauseMs(delays) / 3_600_000).toBeCloseTo(hours, 6)
})

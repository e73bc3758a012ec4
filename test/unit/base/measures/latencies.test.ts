import { expect, test } from 'vitest'
import {
  addLatencies,
  createLatencies,
  observe,
  percentile,
} from '../../../../src/base/measures/latencies.ts'

const BOUNDS = [0.1, 1]

test('a duration is counted in the first bucket that it is not over', () => {
  const latencies = createLatencies(BOUNDS)
  for (const seconds of [0.1, 0.2, 1, 1.5]) observe(latencies, seconds)
  expect(latencies.counts).toEqual([1, 2, 1])
  expect(latencies.sum).toBeCloseTo(2.8)
})

test('a percentile is the bound of its bucket', () => {
  expect(percentile([98, 1, 1], BOUNDS, 0.98)).toBe(0.1)
  expect(percentile([98, 1, 1], BOUNDS, 0.99)).toBe(1)
})

test('a percentile of nothing, or beyond the last bound, is not known', () => {
  expect(percentile([0, 0, 0], BOUNDS, 0.99)).toBeUndefined()
  expect(percentile([0, 0, 1], BOUNDS, 0.99)).toBeUndefined()
})

test('latencies of several processes add up', () => {
  const all = createLatencies(BOUNDS)
  const one = createLatencies(BOUNDS)
  observe(one, 0.5)
  addLatencies(all, one)
  addLatencies(all, one)
  expect(all).toEqual({ bounds: BOUNDS, counts: [0, 2, 0], sum: 1 })
})

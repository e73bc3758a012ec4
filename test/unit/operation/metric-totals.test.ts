import { expect, test } from 'vitest'
import type { Metric } from '../../../src/operation/metrics/metric.ts'
import { createMetricTotals } from '../../../src/operation/metrics/metric-totals.ts'

const counter = (value: number) =>
  [{ name: 'requests', help: '', type: 'counter', values: [{ value, labels: {} }] }] as Metric[]

test('a total is what all processes have counted, also those that answer no more', () => {
  const totals = createMetricTotals()
  totals.add({ pid: 1 }, counter(5))
  const second = { pid: 2 }
  totals.add(second, counter(2))
  totals.add(second, counter(3))
  expect(totals.all()[0]?.values[0]?.value).toBe(8)
})

test('what rises and falls has no total', () => {
  const totals = createMetricTotals()
  totals.add({}, [
    { name: 'open', help: '', type: 'gauge', values: [{ value: 5, labels: {} }] },
  ] as unknown as Metric[])
  expect(totals.all()).toEqual([])
})

test('a total never falls: of two answers of a process, the older one may come last', () => {
  const totals = createMetricTotals()
  const worker = {}
  for (const value of [4, 9, 7]) totals.add(worker, counter(value))
  expect(totals.all()[0]?.values[0]?.value).toBe(9)
  totals.add(worker, counter(10))
  expect(totals.all()[0]?.values[0]?.value).toBe(10)
})

test.each(Array.from({ length: 50 }, (_, index) => (index + 1) / 7))(
  'a total stays as it is when nothing was counted since: %f and a third',
  (fraction) => {
    const totals = createMetricTotals()
    const [one, other] = [{}, {}]
    const look = () => {
      totals.add(one, counter(fraction))
      totals.add(other, counter(1 / 3))
      return totals.all()[0]?.values[0]?.value
    }
    const first = look()
    expect(look()).toBe(first)
  },
)

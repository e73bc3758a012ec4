import type { Metric } from './metric.ts'

type Value = Metric['values'][number]
type Total = Omit<Metric, 'values'> & { values: Map<string, Value> }

/** What several processes have counted together. */
export type MetricTotals = {
  /** Adds what a process has counted since it was last asked. */
  add(process: object, metrics: readonly Metric[]): void
  all(): Metric[]
}

/** Counters and histograms only rise; Prometheus takes a lower number for a new start from 0. */
export function isCount({ type }: Metric): boolean {
  return ['counter', 'histogram'].includes(String(type))
}

/**
 * Adds up the counts of several processes so that no total falls when one is silent or has ended:
 * what it had counted stays in the total.
 */
export function createMetricTotals(): MetricTotals {
  const totals = new Map<string, Total>()
  const seen = new WeakMap<object, Map<string, number>>()

  const addMetric = ({ values, ...metric }: Metric, counted: Map<string, number>) => {
    const total = totals.get(metric.name) ?? { ...metric, values: new Map<string, Value>() }
    totals.set(metric.name, total)
    for (const value of values) {
      const series = JSON.stringify([value.metricName ?? metric.name, value.labels])
      const sum = total.values.get(series)?.value ?? 0
      const before = counted.get(series) ?? 0
      // Two scrapes at once: what one of them read first may come last.
      const latest = Math.max(before, value.value)
      total.values.set(series, { ...value, value: sum + (latest - before) })
      counted.set(series, latest)
    }
  }
  return {
    add(process, metrics) {
      const counted = seen.get(process) ?? new Map<string, number>()
      seen.set(process, counted)
      for (const metric of metrics.filter(isCount)) addMetric(metric, counted)
    },
    all: () =>
      [...totals.values()].map((total) => ({ ...total, values: [...total.values.values()] })),
  }
}

import type { MetricObjectWithValues, MetricValueWithName } from '@prometheus-io/client'
import type { Latencies } from '../../base/measures/latencies.ts'

/** A metric with its values, as `Registry.aggregate` takes it. */
export type Metric = Omit<MetricObjectWithValues<MetricValueWithName<string>>, 'collect'>

/** A label of a series: its name, and its value from a closed list. */
type Labels = Readonly<Record<string, string>>
type Value = readonly [labels: Labels, value: number]

/** A number that only rises. */
export function counter(name: string, help: string, values: readonly Value[]): Metric {
  return metric('counter', name, help, values)
}

/** A number that rises and falls. */
export function gauge(name: string, help: string, values: readonly Value[]): Metric {
  return metric('gauge', name, help, values)
}

/** Durations in seconds, counted in buckets. */
export function histogram(
  name: string,
  help: string,
  series: readonly (readonly [Labels, Latencies])[],
): Metric {
  return {
    name,
    help,
    type: 'histogram' as Metric['type'],
    aggregator: 'sum',
    values: series.flatMap(([labels, latencies]) => histogramValues(name, labels, latencies)),
  }
}

function metric(type: string, name: string, help: string, values: readonly Value[]): Metric {
  return {
    name,
    help,
    type: type as Metric['type'],
    aggregator: 'sum',
    values: values.map(([labels, value]) => ({ labels, value })),
  }
}

/** Each bucket counts all durations up to its bound, so it includes the buckets before it. */
function histogramValues(name: string, labels: Labels, { bounds, counts, sum }: Latencies) {
  let within = 0
  const buckets = counts.map((count, index) => {
    within += count
    const le = bounds[index] ?? '+Inf'
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: within }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: within },
  ]
}

/** The values of an object, each with its name as a label. */
export function byLabel(
  label: string,
  counts: Readonly<Record<string, number | undefined>>,
): Value[] {
  return Object.entries(counts).map(([name, count = 0]) => [{ [label]: name }, count])
}

import type { Registry } from '@prometheus-io/client'
import { linesLost } from '../../base/log/output.ts'
import { counter, gauge, type Metric } from './metric.ts'

let registry: Promise<Registry> | undefined

/**
 * Processor time, memory, file descriptors, garbage collection, event-loop delay and lost lines of
 * this process.
 */
export async function processMetrics(): Promise<Metric[]> {
  registry ??= startCollecting()
  const metrics = await (await registry).getMetricsAsJSON()
  return [
    ...metrics.map(asItIs),
    gauge('marketplace_largest_process_bytes', 'Resident memory of the process.', [
      [{}, process.memoryUsage.rss()],
    ]),
    counter(
      'marketplace_log_lines_lost_total',
      'Lines of the log that were lost because nothing took them.',
      [[{}, linesLost()]],
    ),
  ]
}

/** What writes the text would leave out when the process started. */
function asItIs(metric: Metric): Metric {
  return { ...metric, aggregator: 'sum' }
}

/** From the first look on, as much code that a server without a scraper does not need. */
async function startCollecting(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('@prometheus-io/client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

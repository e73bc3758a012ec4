import type { Registry } from '@prometheus-io/client'
import type { Metric } from './metric.ts'

let registry: Promise<Registry> | undefined

/**
 * Processor time, memory, file descriptors, garbage collection and event-loop delay of this
 * process.
 */
export async function processMetrics(): Promise<Metric[]> {
  registry ??= startCollecting()
  return (await registry).getMetricsAsJSON()
}

/** From the first look on, as much code that a server without a scraper does not need. */
async function startCollecting(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('@prometheus-io/client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

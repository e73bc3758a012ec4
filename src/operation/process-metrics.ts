import { collectDefaultMetrics, Registry } from '@prometheus-io/client'
import type { Metric } from './metric.ts'

let registry: Registry | undefined

/**
 * Processor time, memory, file descriptors, garbage collection and event-loop delay of this
 * process.
 */
export async function processMetrics(): Promise<Metric[]> {
  if (registry === undefined) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry })
  }
  return registry.getMetricsAsJSON()
}

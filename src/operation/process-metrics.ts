import { collectDefaultMetrics, Registry } from '@prometheus-io/client'
import type { Metric } from './metric.ts'

let registry: Registry | undefined

/** Processor time, memory, descriptors, garbage and the delay of the event loop of this process. */
export async function processMetrics(): Promise<Metric[]> {
  if (registry === undefined) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry })
  }
  return registry.getMetricsAsJSON()
}

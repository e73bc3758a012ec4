import type { Deps } from '../../deps.ts'
import { createDatabaseMetrics } from './database-metrics-service.ts'
import type { Metric } from './metric.ts'
import { ownMetrics } from './own-metrics.ts'
import { processMetrics } from './process-metrics.ts'

/** The media type of the text format of Prometheus, as its client writes it. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Makes a function that gathers all metrics of this process. */
export function createMetrics(
  deps: Pick<Deps, 'pool' | 'now' | 'jobs' | 'log' | 'measures' | 'passwords'>,
  version: string,
): () => Promise<Metric[]> {
  const readDatabase = createDatabaseMetrics(deps)
  const build = { version, node: process.version }
  return async () => {
    const { measures, passwords } = deps
    const [database, ofProcess] = await Promise.all([readDatabase(), processMetrics()])
    return [...ownMetrics(measures, passwords.gate(), build), ...database, ...ofProcess]
  }
}

/** Metrics as the text that Prometheus reads. */
export async function metricsText(metrics: readonly Metric[]): Promise<string> {
  // Much code, which a server without a scraper does not need.
  const { Registry } = await import('@prometheus-io/client')
  return Registry.aggregate([metrics] as Parameters<typeof Registry.aggregate>[0]).metrics()
}

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

/** The metrics of one or more processes as one text; the numbers of several are added up. */
export async function metricsText(processes: readonly Metric[][]): Promise<string> {
  // Much code, which a server without a scraper does not need.
  const { Registry } = await import('@prometheus-io/client')
  return Registry.aggregate(processes as Parameters<typeof Registry.aggregate>[0]).metrics()
}

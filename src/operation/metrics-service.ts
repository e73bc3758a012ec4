import { Registry } from '@prometheus-io/client'
import type { Deps } from '../deps.ts'
import { createDatabaseMetrics } from './database-metrics-service.ts'
import type { Metric } from './metric.ts'
import { ownMetrics } from './own-metrics.ts'
import { processMetrics } from './process-metrics.ts'

/** The media type of the text format of Prometheus. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

/** Makes a function that gathers all metrics of this process. */
export function createMetrics(
  deps: Pick<Deps, 'pool' | 'now' | 'log' | 'measures' | 'passwords'>,
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
export function metricsText(processes: readonly Metric[][]): Promise<string> {
  return Registry.aggregate(processes as Parameters<typeof Registry.aggregate>[0]).metrics()
}

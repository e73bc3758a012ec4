import { createBatch } from '../../../base/concurrency/batch.ts'
import type { SharedCounter } from '../../../http/rate-limits/rate-limit.ts'
import type { RequestCount } from '../../../http/rate-limits/request-counter.ts'
import type { Metric } from '../../../operation/metrics/metric.ts'
import { createPeer } from './peer.ts'

/** Longer than the supervisor waits for a worker that hangs. */
const METRICS_PATIENCE_MS = 5_000

/** One request to be counted. */
export type Counted = Parameters<SharedCounter>

/** What a worker asks its supervisor, which knows all workers. */
export type SupervisorLink = {
  count: SharedCounter
  /** The metrics of all workers. */
  metrics(): Promise<string>
}

/**
 * Connects a worker to its supervisor.
 *
 * Requests are counted in one message for all that come in the same tick of the event loop. One that
 * cannot be counted passes, as with a Redis that is away.
 *
 * @param readMetrics the metrics of this worker
 */
export function linkToSupervisor(readMetrics: () => Promise<Metric[]>): SupervisorLink {
  const supervisor = createPeer(process, { metrics: readMetrics })
  const count = createBatch<Counted, RequestCount>((requests) => supervisor.ask('count', requests))
  return {
    count: (consumer, max) => count([consumer, max]).catch(() => undefined),
    metrics: () => supervisor.ask('metrics', undefined, METRICS_PATIENCE_MS),
  }
}

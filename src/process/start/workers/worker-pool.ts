import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { createCounters } from '../../../http/rate-limits/rate-limit.ts'
import type { Metric } from '../../../operation/metrics/metric.ts'
import { createMetricTotals, isCount } from '../../../operation/metrics/metric-totals.ts'
import { metricsText } from '../../../operation/metrics/metrics-service.ts'
import { createPeer, type Peer } from './peer.ts'
import type { Counted } from './supervisor-link.ts'

const FIRST_WAIT_MS = 250
const WAIT_MAX_MS = 30_000
/** A worker that lived for so long was well: the next wait is the first again. */
const WELL_AFTER_MS = 60_000

/** The processes that serve the port. */
export type WorkerPool = {
  /** Resolves when all listen; rejects when one ends before. */
  listening: Promise<void>
  /** The counts of all workers, also of those that have ended; the rest of those that answer. */
  metrics(): Promise<string>
  /** Passes a signal on and waits until all have ended, which are not started again. */
  stop(signal: NodeJS.Signals): Promise<number>
  /** Ends all at once. */
  kill(): void
}

/**
 * Starts workers and starts again what dies.
 *
 * @param settings their variables, beside those of this process
 */
export function startWorkers(
  count: number,
  settings: Record<string, string>,
  log: Logger,
): WorkerPool {
  // Workers accept connections themselves. Where the supervisor hands them over, those on their way
  // to a worker that is killed are never closed (node:cluster waits for the worker's word).
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const peers = new Map<Worker, Peer>()
  const waits = new Set<NodeJS.Timeout>()
  const counted = createCounters()
  const totals = createMetricTotals()
  const ended = Promise.withResolvers<number>()
  const listening = Promise.withResolvers<void>()
  let listeners = 0
  let worstCode = 0
  let isStopping = false

  const metrics = async () => {
    const answers = await Promise.allSettled(
      [...peers.values()].map(async (peer) => {
        const ofWorker = await peer.ask<Metric[]>('metrics')
        totals.add(peer, ofWorker)
        return ofWorker.filter((metric) => !isCount(metric))
      }),
    )
    const others = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    return metricsText([totals.all(), ...others])
  }
  const answers = {
    count: (requests: unknown) => (requests as Counted[]).map((request) => counted(...request)),
    metrics,
  }
  const start = (formerWaitMs: number) => {
    const startedAtMs = performance.now()
    const worker = cluster.fork(settings)
    peers.set(worker, createPeer(worker, answers))
    worker.once('listening', () => {
      listeners += 1
      if (listeners === count) listening.resolve()
      if (listeners > count) log.info({ pid: worker.process.pid }, 'another worker listens')
    })
    // A channel that breaks belongs to a worker that ends.
    worker.on('error', (error) => log.warn({ err: error }, 'the channel of a worker failed'))
    worker.once('exit', (code: number | null, signal: string | null) => {
      peers.delete(worker)
      // Without a code it was ended by a signal: by ours, while it was starting, or by somebody's.
      if (code !== 0 && signal !== 'SIGTERM') worstCode = 1
      if (isStopping) {
        if (peers.size === 0) ended.resolve(worstCode)
        return
      }
      if (listeners < count) {
        listening.reject(new Error('a worker ended before it listened'))
        return
      }
      const waitMs = restartWaitMs(formerWaitMs, performance.now() - startedAtMs)
      log.error(
        { pid: worker.process.pid, code, signal, waitMs },
        'a worker ended; starting another',
      )
      const timer = setTimeout(() => {
        waits.delete(timer)
        start(waitMs)
      }, waitMs)
      waits.add(timer)
    })
  }
  for (let index = 0; index < count; index += 1) start(0)
  return {
    listening: listening.promise,
    metrics,
    stop(signal) {
      isStopping = true
      worstCode = 0
      for (const timer of waits) clearTimeout(timer)
      for (const worker of peers.keys()) worker.process.kill(signal)
      if (peers.size === 0) ended.resolve(0)
      return ended.promise
    },
    kill() {
      isStopping = true
      for (const worker of peers.keys()) worker.process.kill('SIGKILL')
    },
  }
}

/**
 * How long to wait before a worker is started again: twice as long each time that it dies soon.
 *
 * @param formerMs the wait before, 0 for none
 * @param livedMs how long it lived
 */
export function restartWaitMs(formerMs: number, livedMs: number): number {
  if (formerMs === 0 || livedMs >= WELL_AFTER_MS) return FIRST_WAIT_MS
  return Math.min(WAIT_MAX_MS, formerMs * 2)
}

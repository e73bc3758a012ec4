import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'

const FIRST_WAIT_MS = 250
const WAIT_MAX_MS = 30_000
/** A worker that lived for so long was well: the next wait is the first again. */
const WELL_AFTER_MS = 60_000

/** The processes that serve the port. */
export type WorkerPool = {
  /** Resolves when all listen; rejects when one ends before. */
  listening: Promise<void>
  /** Asks all to end, and waits until they have; they are not started again. */
  stop(): Promise<number>
  /** Ends all at once. */
  kill(): void
}

/**
 * Starts workers and starts again what dies.
 *
 * @param settingsOf the variables of one, by its number from 0, beside those of this process
 */
export function startWorkers(
  count: number,
  settingsOf: (index: number) => Record<string, string>,
  log: Logger,
): WorkerPool {
  // Workers accept connections themselves. Where the supervisor hands them over, those on their way
  // to a worker that is killed are never closed (node:cluster waits for the worker's word).
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const workers = new Set<Worker>()
  const waits = new Set<NodeJS.Timeout>()
  const ended = Promise.withResolvers<number>()
  const listening = Promise.withResolvers<void>()
  let listeners = 0
  let worstCode = 0
  let isStopping = false

  const start = (index: number, formerWaitMs: number) => {
    const startedAtMs = performance.now()
    const worker = cluster.fork(settingsOf(index))
    workers.add(worker)
    const { pid } = worker.process
    worker.once('listening', () => {
      listeners += 1
      if (listeners === count) listening.resolve()
      if (listeners > count) log.info({ pid }, 'another worker listens')
    })
    // A channel that breaks belongs to a worker that ends.
    worker.on('error', (error) => log.warn({ err: error }, 'the channel of a worker failed'))
    worker.once('exit', (code: number | null, signal: string | null) => {
      workers.delete(worker)
      // Without a code it was ended by a signal: by ours, while it was starting, or by somebody's.
      if (code !== 0 && signal !== 'SIGTERM') worstCode = 1
      if (isStopping) {
        if (workers.size === 0) ended.resolve(worstCode)
        return
      }
      if (listeners < count) {
        listening.reject(new Error('a worker ended before it listened'))
        return
      }
      const waitMs = restartWaitMs(formerWaitMs, performance.now() - startedAtMs)
      log.error({ pid, code, signal, waitMs }, 'a worker ended; starting another')
      const timer = setTimeout(() => {
        waits.delete(timer)
        start(index, waitMs)
      }, waitMs)
      waits.add(timer)
    })
  }
  for (let index = 0; index < count; index += 1) start(index, 0)
  return {
    listening: listening.promise,
    stop() {
      isStopping = true
      worstCode = 0
      for (const timer of waits) clearTimeout(timer)
      for (const worker of workers) worker.process.kill('SIGTERM')
      if (workers.size === 0) ended.resolve(0)
      return ended.promise
    },
    kill() {
      isStopping = true
      for (const worker of workers) worker.process.kill('SIGKILL')
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

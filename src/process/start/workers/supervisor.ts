import type { Logger } from 'pino'
import { poolOfWorker } from '../../../base/database/connection-count.ts'
import { type Config, fileVariable } from '../../../config.ts'
import { OperatorError } from '../../../errors.ts'
import { endProcess } from '../end-process.ts'
import { prepareDemo } from '../first-start.ts'
import { requirePorts } from '../free-ports.ts'
import { greet } from '../greeting.ts'
import { openDatabaseUrl, openRuntime } from '../runtime.ts'
import { shutdownOnSignals } from '../shutdown.ts'
import { startWorkers, type WorkerPool } from './worker-pool.ts'

/** Workers end by themselves within the grace time; this is for one that hangs. */
const AFTER_GRACE_MS = 500

/** A worker could not start, and has said why. */
class WorkersError extends OperatorError {}

/**
 * Does what must be done once (the embedded Postgres, migrations, the key, the demo), then starts the
 * workers, each a replica, and starts again what dies. It serves no request itself.
 *
 * @param version of this release, for the log
 * @returns the exit code
 */
export async function supervise(config: Config, log: Logger, version: string): Promise<number> {
  let pool: WorkerPool | undefined
  const graceMs = config.shutdownGraceSeconds * 1000 + AFTER_GRACE_MS
  const shutdown = shutdownOnSignals(log, graceMs, () => {
    pool?.kill()
    void endProcess(1)
  })
  await requirePorts(config)
  const database = await openDatabaseUrl(config, {
    onRestart: (detail) => log.error({ detail }, 'the embedded database ended; starting it again'),
    onExit(detail) {
      log.fatal({ detail }, 'the embedded database ended')
      shutdown.request('the embedded database ended', 1)
    },
  })
  try {
    if (shutdown.isRequested()) return await shutdown.requested
    const { secretKey, banner } = await prepareOnce(config, log, database.url)
    if (shutdown.isRequested()) return await shutdown.requested
    const made = { url: database.url, secretKey }
    pool = startWorkers(config.workers, (index) => workerSettings(config, made, index), log)
    const started = pool.listening.catch((cause: unknown) => {
      if (!shutdown.isRequested()) throw new WorkersError('A worker could not start.', { cause })
    })
    await Promise.race([started, shutdown.requested])
    if (!shutdown.isRequested()) {
      if (banner !== undefined) greet(banner)
      log.info({ url: config.publicUrl, version, workers: config.workers }, 'listening')
    }
    const requested = await shutdown.requested
    return Math.max(requested, await pool.stop())
  } finally {
    await pool?.stop()
    await database.close()
  }
}

/** The work of a first start, on connections that are given back. */
async function prepareOnce(config: Config, log: Logger, url: string) {
  const runtime = await openRuntime(config, log, { url, close: async () => {} })
  try {
    return { secretKey: runtime.deps.secretKey, banner: await prepareDemo(config, runtime) }
  } finally {
    await runtime.close()
  }
}

/**
 * The variables of a worker that differ from its supervisor's: the database that runs already, the
 * key that was made, its share of connections and hashes, and a port of its own for metrics. The demo
 * is the supervisor's.
 *
 * @param index of the worker, from 0
 */
export function workerSettings(
  { workers, databasePoolSize, argon2Concurrency, metricsPort }: Config,
  { url, secretKey }: { url: string; secretKey: string },
  index: number,
): Record<string, string> {
  const own = { DATABASE_URL: url, SECRET_KEY: secretKey }
  // The supervisor may have them from files; empty counts as unset.
  const files = Object.keys(own).map((name) => [String(fileVariable(name)), ''])
  return {
    ...own,
    ...Object.fromEntries(files),
    DEMO: 'false',
    WORKERS: '1',
    DATABASE_POOL_SIZE: String(poolOfWorker(workers, databasePoolSize)),
    ARGON2_CONCURRENCY: String(Math.max(1, Math.floor(argon2Concurrency / workers))),
    ...(metricsPort !== undefined && { METRICS_PORT: String(metricsPort + index) }),
  }
}

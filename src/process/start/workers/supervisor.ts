import type { Logger } from 'pino'
import { poolOfWorker } from '../../../base/database/connection-count.ts'
import { type Config, fileVariable } from '../../../config.ts'
import { OperatorError } from '../../../errors.ts'
import { endProcess } from '../end-process.ts'
import { prepareDemo } from '../first-start.ts'
import { requirePorts } from '../free-ports.ts'
import { greet } from '../greeting.ts'
import { startMetricsServer } from '../metrics-server.ts'
import { openDatabaseUrl, openRuntime } from '../runtime.ts'
import { type Shutdown, shutdownOnSignals } from '../shutdown.ts'
import { startWorkers, type WorkerPool } from './worker-pool.ts'

/** Workers end by themselves within the grace time; this is for one that hangs. */
const AFTER_GRACE_MS = 500

/** A worker could not start, and has said why. */
class WorkersError extends OperatorError {}

/**
 * Does what must be done once (the embedded Postgres, migrations, the key, the demo), then starts the
 * workers and looks after them. It serves no request itself.
 *
 * @param version of this release, for the log
 * @returns the exit code
 */
export async function supervise(config: Config, log: Logger, version: string): Promise<number> {
  let pool: WorkerPool | undefined
  const shutdown = shutdownOnSignals(
    log,
    config.shutdownGraceSeconds * 1000 + AFTER_GRACE_MS,
    () => {
      pool?.kill()
      void endProcess(1)
    },
  )
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
    pool = startWorkers(
      config.workers,
      workerSettings(config, { url: database.url, secretKey }),
      log,
    )
    return await lookAfter(pool, config, log, shutdown, () =>
      announce(config, log, version, banner),
    )
  } finally {
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

async function lookAfter(
  pool: WorkerPool,
  { metricsPort, host, metricsHost = host }: Config,
  log: Logger,
  shutdown: Shutdown,
  onListening: () => void,
): Promise<number> {
  const failure = await Promise.race([
    pool.listening.then(
      () => undefined,
      (error: unknown) => error,
    ),
    shutdown.requested.then(() => undefined),
  ])
  if (failure !== undefined && !shutdown.isRequested()) {
    await pool.stop('SIGTERM')
    throw new WorkersError('A worker could not start.', { cause: failure })
  }
  const metricsServer =
    metricsPort && !shutdown.isRequested()
      ? await startMetricsServer({ port: metricsPort, host: metricsHost }, pool.metrics, log)
      : undefined
  if (!shutdown.isRequested()) onListening()
  const requested = await shutdown.requested
  const ended = await pool.stop('SIGTERM')
  await metricsServer?.close()
  return Math.max(requested, ended)
}

function announce(
  { publicUrl: url, workers }: Config,
  log: Logger,
  version: string,
  banner: string | undefined,
): void {
  if (banner !== undefined) greet(banner)
  log.info({ url, version, workers }, 'listening')
}

/**
 * The variables of a worker that differ from its supervisor's: the database that runs already, the
 * key that was made, and its share of connections and hashes. The demo is the supervisor's.
 */
export function workerSettings(
  { workers, databasePoolSize, argon2Concurrency }: Config,
  { url, secretKey }: { url: string; secretKey: string },
): Record<string, string> {
  const own = { DATABASE_URL: url, SECRET_KEY: secretKey }
  // The supervisor may have them from files; empty counts as unset.
  const files = Object.keys(own).map((name) => [String(fileVariable(name)), ''])
  return {
    ...own,
    ...Object.fromEntries(files),
    DEMO: 'false',
    DATABASE_POOL_SIZE: String(poolOfWorker(workers, databasePoolSize)),
    ARGON2_CONCURRENCY: String(Math.max(1, Math.floor(argon2Concurrency / workers))),
  }
}

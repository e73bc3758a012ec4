import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { openPool } from './base/database/client.ts'
import { createServerLogger } from './base/log/logger.ts'
import { type Config, loadConfig } from './config.ts'
import { watchConnections } from './http/open-sockets.ts'
import { startHourlyFigures } from './operation/metrics/hourly-figures-service.ts'
import { createMetrics, metricsText } from './operation/metrics/metrics-service.ts'
import { startBackground } from './process/start/background.ts'
import { buildVersion } from './process/start/build.ts'
import { drain } from './process/start/drain.ts'
import { endProcess, endWithSupervisor } from './process/start/end-process.ts'
import { prepareDemo } from './process/start/first-start.ts'
import { requirePorts } from './process/start/free-ports.ts'
import { greet } from './process/start/greeting.ts'
import { writeLastRecords } from './process/start/last-records.ts'
import { startMetricsServer } from './process/start/metrics-server.ts'
import { openReadiness } from './process/start/readiness.ts'
import { openDatabaseUrl, openRuntime, type Runtime } from './process/start/runtime.ts'
import { type Shutdown, shutdownOnSignals } from './process/start/shutdown.ts'
import { startupFailure } from './process/start/startup-failure.ts'
import { supervise } from './process/start/workers/supervisor.ts'

/** Resolves with the exit code. A failure is told on standard error. */
async function main(): Promise<number> {
  let config: Config | undefined
  try {
    config = loadConfig()
    return await run(config)
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const message = startupFailure(error, config) ?? `The server could not start: ${stack}`
    process.stderr.write(`${message}\n`)
    return 1
  }
}

/** Serves alone, or as one of several workers, or looks after those. Resolves with the exit code. */
async function run(config: Config): Promise<number> {
  const log = createServerLogger(config, cluster.isWorker || config.workers > 1)
  endOnFailure(log)
  if (cluster.isWorker) endWithSupervisor()
  const version = await buildVersion(config.buildCommit)
  if (cluster.isPrimary && config.workers > 1) return supervise(config, log, version)
  return serve(config, log, version)
}

/**
 * Config -> database -> application -> listen, and back again when a signal comes. A signal
 * during the start takes effect after the step that is under way, so that nothing is left running.
 *
 * @returns the exit code
 */
async function serve(config: Config, log: Logger, version: string): Promise<number> {
  // Whatever hangs, the process ends in time.
  const shutdown = shutdownOnSignals(log, config.shutdownGraceSeconds * 1000)
  try {
    // Before anything is made. A worker shares a port that is its supervisor's.
    if (cluster.isPrimary) await requirePorts(config)
    const database = await openDatabaseUrl(config, {
      onRestart: (detail) =>
        log.error({ detail }, 'the embedded database ended; starting it again'),
      onExit(detail) {
        log.fatal({ detail }, 'the embedded database ended')
        shutdown.request('the embedded database ended', 1)
      },
    })
    try {
      if (!shutdown.isRequested()) {
        const runtime = await openRuntime(config, log, database)
        try {
          if (!shutdown.isRequested()) await serveWith(runtime, version, shutdown)
        } finally {
          await runtime.close()
        }
      }
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!shutdown.isRequested()) throw error
    log.warn({ err: error }, 'stopped with a failure')
  }
  return shutdown.requested
}

/** What nobody caught is a bug, and the process in an unknown state: it ends, and the log says why. */
function endOnFailure(log: Logger): void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected failure')
    void endProcess(1)
  }
  process.on('uncaughtException', end).on('unhandledRejection', end)
}

/** Listens until the shutdown is requested, then lets the requests in flight finish. */
async function serveWith(runtime: Runtime, version: string, shutdown: Shutdown): Promise<void> {
  const { config, log } = runtime.deps
  const { port, metricsPort, host, metricsHost = host, publicUrl: url } = config
  // A connection of their own: the figures are needed most when requests have taken all others.
  const ofMetrics = openPool({
    connectionString: runtime.connectionString,
    poolSize: 1,
    onIdleError: () => {},
  })
  const read = createMetrics({ ...runtime.deps, pool: ofMetrics }, version)
  const metrics = async () => metricsText(await read())
  const readiness = openReadiness(runtime)
  // Most of the code: a supervisor never needs it, nor does a start that fails before.
  const { buildApp } = await import('./app.ts')
  const app = await buildApp({
    deps: runtime.deps,
    version,
    readiness: async () =>
      shutdown.isRequested() ? 'The server is shutting down.' : readiness.problem(),
    metrics,
  })
  const connections = watchConnections(app.server)
  // The supervisor has done it for its workers, and says it once.
  const banner = cluster.isPrimary ? await prepareDemo(config, runtime) : undefined
  if (shutdown.isRequested()) return
  const metricsServer =
    metricsPort === undefined
      ? undefined
      : await startMetricsServer({ port: metricsPort, host: metricsHost }, metrics, log)
  await app.listen({ port, host })
  if (banner !== undefined) greet(banner)
  if (cluster.isPrimary) log.info({ url, version }, 'listening')
  const background = startBackground(runtime)
  const figures = startHourlyFigures(runtime.deps)
  await shutdown.requested
  await Promise.all([drain(app, connections, runtime), background.stop()])
  const { auditCounts, usageCounts } = runtime.deps
  await writeLastRecords(runtime, (last) =>
    Promise.all([figures.stop(last), auditCounts.close(last), usageCounts.close(last)]),
  )
  await readiness.close()
  await metricsServer?.close()
  await ofMetrics.end()
}

// Warnings about how libraries use each other are not for the operator.
process.noDeprecation = true
await endProcess(await main())

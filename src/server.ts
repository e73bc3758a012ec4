import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import pkg from '../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { deadlineIn, withDeadline } from './concurrency/deadline.ts'
import { type Config, loadConfig } from './config.ts'
import { demoBanner } from './demo/demo-file.ts'
import { createDemo } from './demo/demo-service.ts'
import { moveReceiver } from './demo/receiver-service.ts'
import type { App } from './http/app-type.ts'
import { type Connections, watchConnections } from './http/open-sockets.ts'
import { createLogger } from './log/logger.ts'
import { startBackground } from './start/background.ts'
import { demoFile, readDemo, saveDemo } from './start/data-dir.ts'
import { openDatabaseUrl, openRuntime, type Runtime } from './start/runtime.ts'
import { startupFailure } from './start/startup-failure.ts'

/** Share of the grace time after which requests still in flight are cut off. */
const CUT_OFF_SHARE = 0.7
/** Time for answers to be made and sent when requests are cut off. */
const LAST_ANSWERS_MS = 100
const IDLE_SWEEP_MS = 50
/** A terminal and npm pass on the same signal both. */
const SAME_SIGNAL_MS = 250
/** How long `/readyz` waits for the database. */
const READY_MS = 1_500

/** When to stop: `requested` resolves with the exit code once somebody asks. */
type Shutdown = { isRequested(): boolean; requested: Promise<number> }

/**
 * Config -> database -> application -> listen, and back again when a signal comes. A signal
 * during the start takes effect after the step that is under way, so that nothing is left running.
 *
 * @returns the exit code
 */
async function serve(): Promise<number> {
  const config = loadConfig()
  const log = createLogger(config)
  const { request, shutdown } = createShutdown((reason) => {
    log.info({ reason }, 'shutting down')
    // Whatever hangs, the process ends in time.
    setTimeout(() => process.exit(1), config.shutdownGraceSeconds * 1000).unref()
  })
  let signalledAtMs = Number.NEGATIVE_INFINITY
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const isRepeated = performance.now() - signalledAtMs < SAME_SIGNAL_MS
      if (!shutdown.isRequested()) {
        signalledAtMs = performance.now()
        request(signal, 0)
      } else if (!isRepeated) {
        log.warn({ reason: signal }, 'ending at once')
        process.exit(1)
      }
    })
  }
  endOnFailure(log)

  try {
    // Before anything is made.
    await requirePort(config)
    const database = await openDatabaseUrl(config, {
      onRestart: (detail) =>
        log.error({ detail }, 'the embedded database ended; starting it again'),
      onExit(detail) {
        log.fatal({ detail }, 'the embedded database ended')
        request('the embedded database ended', 1)
      },
    })
    try {
      if (!shutdown.isRequested()) {
        const runtime = await openRuntime(config, log, database)
        try {
          if (!shutdown.isRequested()) await serveWith(runtime, shutdown)
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

/**
 * Finds out early whether the port can be had. It is let go of again: a port that is held without
 * answers would make clients wait.
 *
 * @throws what listening throws
 */
async function requirePort({ port, host }: Config): Promise<void> {
  const probe = createServer()
  await once(probe.listen({ port, host }), 'listening')
  await once(probe.close(), 'close')
}

/** What nobody caught is a bug, and the process in an unknown state: it ends, and the log says why. */
function endOnFailure(log: Logger): void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected failure')
    process.exit(1)
  }
  process.on('uncaughtException', end).on('unhandledRejection', end)
}

function createShutdown(onRequest: (reason: string) => void) {
  const { promise, resolve } = Promise.withResolvers<number>()
  let isRequested = false
  const request = (reason: string, exitCode: number) => {
    if (isRequested) return
    isRequested = true
    onRequest(reason)
    resolve(exitCode)
  }
  const shutdown: Shutdown = { isRequested: () => isRequested, requested: promise }
  return { request, shutdown }
}

/** Listens until the shutdown is requested, then lets the requests in flight finish. */
async function serveWith(runtime: Runtime, shutdown: Shutdown): Promise<void> {
  const { config, log } = runtime.deps
  const app = await buildApp({
    deps: runtime.deps,
    version: pkg.version,
    readiness: () => readiness(runtime, shutdown),
  })
  const connections = watchConnections(app.server)
  const banner = await prepareDemo(config, runtime)
  if (shutdown.isRequested()) return
  await app.listen({ port: config.port, host: config.host })
  if (banner !== undefined) {
    // The lines of the log that wait come first.
    await new Promise<unknown>((resolve) => log.flush(resolve))
    process.stdout.write(`${banner}\n`)
  }
  log.info({ url: config.publicUrl, version: pkg.version }, 'listening')
  const background = startBackground(runtime)
  await shutdown.requested
  await Promise.all([drain(app, connections, runtime), background.stop()])
}

/** Makes the demo marketplace at the first start; says how to try it at every start. */
async function prepareDemo(config: Config, { deps }: Runtime): Promise<string | undefined> {
  if (!config.demo) return undefined
  const save = (demo: Parameters<typeof saveDemo>[1]) => saveDemo(config.dataDir, demo)
  let demo = await createDemo(deps, save)
  if (demo === undefined) {
    demo = await readDemo(config.dataDir)
    if (demo === undefined) return `\nApp Marketplace is ready at ${config.publicUrl}\n`
    if (demo.baseUrl !== config.publicUrl) {
      await moveReceiver(deps, demo)
      demo = { ...demo, baseUrl: config.publicUrl }
      await save(demo)
    }
  }
  return demoBanner(demo, demoFile(config.dataDir))
}

async function readiness({ deps }: Runtime, shutdown: Shutdown): Promise<string | undefined> {
  if (shutdown.isRequested()) return 'The server is shutting down.'
  try {
    await withDeadline(deadlineIn(READY_MS), () => deps.pool.query('SELECT 1'))
    return undefined
  } catch (error) {
    deps.log.warn({ err: error }, 'not ready')
    return 'The database cannot be reached.'
  }
}

/**
 * Lets load balancers look elsewhere, takes no more connections, finishes the requests in flight
 * and closes connections as they become idle (Fastify closes only those that are idle when it
 * begins to close).
 */
async function drain(app: App, connections: Connections, runtime: Runtime): Promise<void> {
  const { drainSeconds, shutdownGraceSeconds } = runtime.deps.config
  const cutOffAfterMs = shutdownGraceSeconds * 1000 * CUT_OFF_SHARE
  let cuttingOff: Promise<void> | undefined
  const timer = setTimeout(() => {
    cuttingOff = cutOff(app, connections, runtime)
  }, cutOffAfterMs)
  connections.letGo()
  await sleep(drainSeconds * 1000)
  const sweep = setInterval(() => connections.closeIdle(), IDLE_SWEEP_MS)
  await app.close()
  clearInterval(sweep)
  clearTimeout(timer)
  await cuttingOff
}

/** Ends the requests that are still in flight, with an answer; those that wait for Postgres first. */
async function cutOff(app: App, connections: Connections, runtime: Runtime): Promise<void> {
  runtime.deps.log.warn('requests are cut off')
  try {
    await runtime.interrupt()
    await sleep(LAST_ANSWERS_MS)
    connections.refuseRest()
    await sleep(LAST_ANSWERS_MS)
  } catch (error) {
    runtime.deps.log.error({ err: error }, 'requests were cut off without an answer')
  }
  app.server.closeAllConnections()
}

// Warnings about how libraries use each other are not for the operator.
process.noDeprecation = true
serve().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${startupFailure(error) ?? `The server could not start: ${stack}`}\n`)
    process.exit(1)
  },
)

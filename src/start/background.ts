import { openPool } from '../database/client.ts'
import { fanOut } from '../events/fan-out-worker.ts'
import { forgetOldEvents } from '../events/forget-events-service.ts'
import { startJobWorker } from '../jobs/job-worker.ts'
import { sweep } from '../webhooks/delivery/sweep-service.ts'
import { createDeliverer } from '../webhooks/delivery/turn-worker.ts'
import { createAgents } from '../webhooks/sending/agents.ts'
import type { Timeouts } from '../webhooks/sending/send-attempt.ts'
import { tidyEndpoints } from '../webhooks/tidy-endpoints-service.ts'
import type { Runtime } from './runtime.ts'

/** Connections for events and deliveries, apart from those of requests. */
const POOL_SIZE = 4
const SWEEP_MS = 1_000
const TIDY_MS = 3_600_000
/** Requests to receivers may finish for so long when the process ends, and no longer than a share of its grace. */
const STOP_MAX_MS = 3_000
const STOP_SHARE = 0.4

/** What goes on without being asked by a request. */
export type Background = { stop(): Promise<void> }

/** What tests set. */
export type BackgroundOptions = {
  ca?: string
  timeouts?: Timeouts
  random?: () => number
  sweepMs?: number
}

/**
 * Starts the work in the background: numbering of events, deliveries of webhooks, and the sweep that
 * finds what was lost. It outlives a database that is away.
 */
export function startBackground(
  { deps: all, connectionString }: Pick<Runtime, 'deps' | 'connectionString'>,
  { ca, timeouts, random = Math.random, sweepMs = SWEEP_MS }: BackgroundOptions = {},
): Background {
  const { config, log } = all
  const pool = openPool({
    connectionString,
    poolSize: POOL_SIZE,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  const deps = { ...all, pool }
  const stopMs = Math.min(STOP_MAX_MS, config.shutdownGraceSeconds * 1000 * STOP_SHARE)
  const deliverer = config.webhooks
    ? createDeliverer({
        ...deps,
        agents: createAgents({ proxyUrl: config.webhookProxyUrl, ca }),
        allowedHosts: config.webhookAllowedPrivateHosts,
        random,
        ...(timeouts === undefined ? {} : { timeouts }),
      })
    : undefined
  const jobs = startJobWorker(connectionString, log, {
    fanOut: (developerIds) => fanOut(deps, developerIds),
    takeTurns: deliverer && ((endpointIds) => deliverer.takeTurns(endpointIds)),
  })
  const sweeping = repeat(sweepMs, async () => {
    const found = await sweep(deps)
    if (found === undefined) return
    await fanOut(deps, found.developerIds)
    await deps.jobs.askTurns(found.endpointIds)
  })
  const tidying = repeat(TIDY_MS, async () => {
    await forgetOldEvents(deps)
    await tidyEndpoints(deps)
  })

  function repeat(everyMs: number, work: () => Promise<unknown>) {
    let running: Promise<void> | undefined
    const timer = setInterval(() => {
      // A run that takes long is not overtaken.
      running ??= work()
        .then(
          () => {},
          (error: unknown) => log.warn({ err: error }, 'work in the background failed'),
        )
        .finally(() => {
          running = undefined
        })
    }, everyMs).unref()
    return {
      async stop() {
        clearInterval(timer)
        await running
      },
    }
  }

  return {
    async stop() {
      await Promise.all([sweeping.stop(), tidying.stop()])
      await Promise.all([jobs.stop(), deliverer?.stop(stopMs)])
      await pool.end()
    },
  }
}

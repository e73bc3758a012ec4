import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../http/app-type.ts'
import type { Connections } from '../../http/open-sockets.ts'
import {
  endInterruptedImports,
  importsUnderWay,
} from '../../marketplace/products/import/interrupted-imports-service.ts'
import { writeLastRecords } from './last-records.ts'
import type { Runtime } from './runtime.ts'

/** Share of the grace time after which requests still in flight are cut off. */
const CUT_OFF_SHARE = 0.7
/** Time for answers to be made and sent when requests are cut off. */
const LAST_ANSWERS_MS = 100
const IDLE_SWEEP_MS = 50

/**
 * Lets load balancers look elsewhere, takes no more connections, finishes the requests in flight
 * and closes connections as they become idle (Fastify closes only those that are idle when it
 * begins to close).
 */
export async function drain(app: App, connections: Connections, runtime: Runtime): Promise<void> {
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
  const { log, pool } = runtime.deps
  log.warn('requests are cut off')
  const imports = importsUnderWay(pool)
  let ending: Promise<void> | undefined
  try {
    runtime.interrupt()
    ending = endImports(runtime, imports)
    await sleep(LAST_ANSWERS_MS)
    connections.refuseRest()
    await sleep(LAST_ANSWERS_MS)
  } catch (error) {
    log.error({ err: error }, 'requests were cut off without an answer')
  }
  app.server.closeAllConnections()
  await ending
}

async function endImports(runtime: Runtime, importIds: readonly string[]): Promise<void> {
  if (importIds.length === 0) return
  const { now, log } = runtime.deps
  try {
    await writeLastRecords(runtime, (pool) => endInterruptedImports({ pool, now }, importIds))
  } catch (error) {
    log.warn({ err: error, importIds }, 'the end of imports was not written')
  }
}

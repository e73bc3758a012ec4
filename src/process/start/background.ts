import type { Logger } from 'pino'
import { openPool } from '../../base/database/client.ts'
import { doing, startJobWorker } from '../../base/jobs/job-worker.ts'
import { createOutageLog } from '../../base/log/outage-log.ts'
import { MAIL } from '../../base/mail/mail-job.ts'
import { createMailer } from '../../base/mail/mailer.ts'
import type { Deps } from '../../deps.ts'
import { forgetOldLinks } from '../../identity/links/link-tokens-service.ts'
import { askDigests } from '../../identity/notifications/digest-service.ts'
import { forgetNotifications } from '../../identity/notifications/forget-notifications-service.ts'
import { deliverMail } from '../../identity/people/deliver-mail-service.ts'
import { forgetOldEvents } from '../../marketplace/events/forget-events-service.ts'
import { forgetUsage } from '../../marketplace/usage/forget-usage-service.ts'
import { createDeliverer } from '../../marketplace/webhooks/delivery/deliverer-worker.ts'
import { findDueEndpoints } from '../../marketplace/webhooks/delivery/due-endpoints-service.ts'
import { fanOut } from '../../marketplace/webhooks/delivery/fan-out-worker.ts'
import { tidyEndpoints } from '../../marketplace/webhooks/endpoints/tidy-endpoints-service.ts'
import { createAgents } from '../../marketplace/webhooks/sending/agents.ts'
import type { Timeouts } from '../../marketplace/webhooks/sending/send-attempt.ts'
import { TIDYING } from './job-kinds.ts'
import { CONNECTION_WORDS, type Runtime } from './runtime.ts'

/** For events and deliveries. What is rare (notices, mails) uses those of requests, by `db`. */
const POOL_SIZE = 4
/** How often new events and due deliveries are looked for: a part of what a webhook may take. */
const LOOP_MS = 200
/** While the database is away, it is asked less often. */
const AFTER_FAILURE_MS = 1_000
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
  loopMs?: number
  /** Whether the clock asks for jobs. */
  isScheduled?: boolean
}

/**
 * Starts the work in the background: the loop that numbers events and sends webhooks, and the jobs. It
 * outlives a database that is away.
 */
export function startBackground(
  { deps: all, connectionString }: Pick<Runtime, 'deps' | 'connectionString'>,
  {
    ca,
    timeouts,
    random = Math.random,
    loopMs = LOOP_MS,
    isScheduled = true,
  }: BackgroundOptions = {},
): Background {
  const { config, log } = all
  const connections = createOutageLog(log.child({ pool: 'background' }), CONNECTION_WORDS)
  const pool = openPool({
    connectionString,
    poolSize: POOL_SIZE,
    onIdleError: connections.failed,
    onConnect: connections.succeeded,
  })
  const deps = { ...all, pool }
  all.measures.pools.set('background', pool)
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
  const { smtpUrl, mailFrom } = config
  const mailer = smtpUrl && mailFrom && createMailer(smtpUrl, mailFrom)
  const mails =
    mailer && doing(MAIL, (job, { isLastTry }) => deliverMail(all, mailer, job, isLastTry))
  const tidying = doing(TIDYING, (_, { signal }) => tidy(deps, mailer !== undefined, signal))
  const jobs = startJobWorker({
    connectionString,
    log,
    measures: all.measures,
    handlers: mails ? [mails, tidying] : [tidying],
    isScheduled,
  })
  let lookedAtMs = 0
  const look = async () => {
    deliverer?.sendTo(await findDueEndpoints(deps))
    lookedAtMs = performance.now()
  }
  // However many developers have new events, what is due does not wait for all of them.
  const lookInTime = async () => {
    if (performance.now() - lookedAtMs > loopMs) await look()
  }
  const loop = startLoop(log, loopMs, async (signal) => {
    let isMore: boolean
    do {
      isMore = await fanOut(deps, lookInTime)
      await look()
    } while (isMore && !signal.aborted)
  })

  return {
    async stop() {
      await Promise.all([loop.stop(), jobs.stop(), deliverer?.stop(stopMs)])
      await pool.end()
      all.measures.pools.delete('background')
    },
  }
}

/** Works again and again, until it is stopped. */
function startLoop(log: Logger, everyMs: number, work: (signal: AbortSignal) => Promise<void>) {
  const stopping = new AbortController()
  const outage = createOutageLog(log, {
    away: 'work in the background failed',
    back: 'work in the background goes on',
  })
  let running: Promise<void> | undefined
  let pausedUntilMs = 0
  const timer = setInterval(() => {
    if (performance.now() < pausedUntilMs) return
    // A run that takes long is not overtaken.
    running ??= work(stopping.signal)
      .then(outage.succeeded, (error: unknown) => {
        pausedUntilMs = performance.now() + AFTER_FAILURE_MS
        outage.failed(error)
      })
      .finally(() => {
        running = undefined
      })
  }, everyMs).unref()
  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}

/** Deletes what is too old, and asks for the mails with what nobody has read. */
async function tidy(deps: Deps, sendsMails: boolean, signal: AbortSignal): Promise<void> {
  try {
    await forgetOldEvents(deps, signal)
    await tidyEndpoints(deps, signal)
    await forgetOldLinks(deps)
    await forgetNotifications(deps, signal)
    await forgetUsage(deps, signal)
    if (sendsMails) await askDigests(deps, signal)
  } catch (error) {
    // At the end of the process, the rest is left to others.
    if (!signal.aborted) deps.log.warn({ err: error }, 'tidying failed; it begins again later')
    throw error
  }
}

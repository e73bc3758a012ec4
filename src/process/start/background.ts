import { openPool } from '../../base/database/client.ts'
import { startJobWorker } from '../../base/jobs/job-worker.ts'
import { createOutageLog } from '../../base/log/outage-log.ts'
import { createMailer } from '../../base/mail/mailer.ts'
import { forgetOldLinks } from '../../identity/links/link-tokens-service.ts'
import { askDigests } from '../../identity/notifications/digest-service.ts'
import { forgetNotifications } from '../../identity/notifications/forget-notifications-service.ts'
import { deliverMail } from '../../identity/people/deliver-mail-service.ts'
import { forgetOldEvents } from '../../marketplace/events/forget-events-service.ts'
import { createDeliverer } from '../../marketplace/webhooks/delivery/deliverer-worker.ts'
import { fanOut } from '../../marketplace/webhooks/delivery/fan-out-worker.ts'
import { sweep } from '../../marketplace/webhooks/delivery/sweep-service.ts'
import { tidyEndpoints } from '../../marketplace/webhooks/endpoints/tidy-endpoints-service.ts'
import { createAgents } from '../../marketplace/webhooks/sending/agents.ts'
import type { Timeouts } from '../../marketplace/webhooks/sending/send-attempt.ts'
import { CONNECTION_WORDS, type Runtime } from './runtime.ts'

/** For events and deliveries. What is rare (notices, mails) uses those of requests, by `db`. */
const POOL_SIZE = 4
/** How often new events are looked for: a part of what a webhook may take. */
const NUMBERING_MS = 200
const SWEEP_MS = 1_000
/** While the database is away, it is asked less often. */
const AFTER_FAILURE_MS = 1_000
/** Also in processes that do not live long. */
const TIDY_MS = 600_000
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
  tidyMs?: number
}

/**
 * Starts the work in the background: numbering of events, deliveries of webhooks, mails, tidying, and
 * the sweep that finds what was lost. It outlives a database that is away.
 */
export function startBackground(
  { deps: all, connectionString }: Pick<Runtime, 'deps' | 'connectionString'>,
  {
    ca,
    timeouts,
    random = Math.random,
    sweepMs = SWEEP_MS,
    tidyMs = TIDY_MS,
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
  const jobs = startJobWorker(connectionString, log, {
    sendTo: deliverer && ((endpointIds) => deliverer.sendTo(endpointIds)),
    sendMail: mailer && ((job, isLastTry) => deliverMail(all, mailer, job, isLastTry)),
  })
  const stopping = new AbortController()
  const { signal } = stopping
  const numbering = repeat('numbering of events', NUMBERING_MS, async () => {
    while (await fanOut(deps)) if (signal.aborted) return
  })
  const sweeping = repeat('sweep', sweepMs, async () => deps.jobs.askToSend(await sweep(deps)))
  const tidying = repeat('tidying', tidyMs, async () => {
    await forgetOldEvents(deps, signal)
    await tidyEndpoints(deps, signal)
    await forgetOldLinks(deps)
    await forgetNotifications(deps, signal)
    if (mailer) await askDigests(deps, signal)
  })

  function repeat(name: string, everyMs: number, work: () => Promise<unknown>) {
    const outage = createOutageLog(log.child({ work: name }), {
      away: 'work in the background failed',
      back: 'work in the background goes on',
    })
    let running: Promise<void> | undefined
    let pausedUntilMs = 0
    const timer = setInterval(() => {
      if (performance.now() < pausedUntilMs) return
      // A run that takes long is not overtaken.
      running ??= work()
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
        clearInterval(timer)
        await running
      },
    }
  }

  return {
    async stop() {
      stopping.abort()
      const repeated = [numbering, sweeping, tidying].map((one) => one.stop())
      await Promise.all([...repeated, jobs.stop(), deliverer?.stop(stopMs)])
      await pool.end()
      all.measures.pools.delete('background')
    },
  }
}

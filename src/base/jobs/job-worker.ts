import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { createOutageLog, type OutageLog } from '../log/outage-log.ts'
import type { MailJob } from './mail-job.ts'
import { SCHEMA } from './queues.ts'

/** Connections for fetching jobs; one more listens for them. */
const POOL_SIZE = 2
/**
 * Where nothing comes back from Postgres, as when its machine is gone, a connection that waits would
 * hold up all jobs for a quarter of an hour. pg-boss passes this option on to node-postgres; its types
 * leave it out.
 */
const PATIENCE = { query_timeout: 8_000 }
/** While the connection that listens for notifications is away. */
const POLLING_SECONDS = 0.5
/** A notification can be lost. */
const NOTIFIED_POLLING_SECONDS = 5
const RETRY_MAX_MS = 5_000
/** After a failure, how often the queue is asked whether it works again. */
const LOOK_MS = 5_000
const MAILS_AT_ONCE = 8

type Handlers = {
  /** Sends what is due at endpoints; without it the process sends nothing. */
  sendTo?: ((endpointIds: string[]) => Promise<void>) | undefined
  /** Sends a mail; when it fails it is tried again later, unless this is the last try. */
  sendMail?: ((job: MailJob, isLastTry: boolean) => Promise<void>) | undefined
}

export type JobWorker = { stop(): Promise<void> }

/**
 * Works on the jobs, as soon as the database lets it: `start` of pg-boss fails for good while the
 * database is away, so it is tried again until it succeeds. Never fails and never waits.
 */
export function startJobWorker(
  connectionString: string,
  log: Logger,
  handlers: Handlers,
): JobWorker {
  const ended = new AbortController()
  const running = keepStarting(connectionString, log, handlers, ended.signal)
  return {
    async stop() {
      ended.abort()
      const boss = await running
      await boss?.stop({ graceful: true, timeout: 2_000 })
    },
  }
}

async function keepStarting(
  connectionString: string,
  log: Logger,
  handlers: Handlers,
  ended: AbortSignal,
): Promise<PgBoss | undefined> {
  const outage = createOutageLog(log, {
    away: 'the job queue is away; trying again',
    back: 'the job queue is back',
  })
  for (let waitMs = 250; !ended.aborted; waitMs = Math.min(RETRY_MAX_MS, waitMs * 2)) {
    const boss = new PgBoss({
      connectionString,
      schema: SCHEMA,
      max: POOL_SIZE,
      ...PATIENCE,
      application_name: 'app-marketplace jobs',
      useListenNotify: true,
      schedule: false,
      migrate: false,
      registerInstance: false,
    })
    // Without a listener an error, as in a restart of Postgres, would end the process.
    boss.on('error', outage.failed)
    boss.on('warning', ({ message, data }) => log.warn({ data }, `job queue: ${message}`))
    try {
      await boss.start()
      await workOn(boss, handlers)
      outage.succeeded()
      boss.on('error', lookForEnd(boss, outage, ended))
      return boss
    } catch (error) {
      outage.failed(error)
      await boss.stop({ graceful: false }).catch(() => {})
      await sleep(waitMs, undefined, { signal: ended, ref: false }).catch(() => {})
    }
  }
  return undefined
}

/** pg-boss tells of its failures only: after one, asks its database until it answers. */
function lookForEnd(boss: PgBoss, outage: OutageLog, ended: AbortSignal): () => void {
  let isLooking = false
  const isThere = () =>
    boss
      .getDb()
      .executeSql('SELECT 1')
      .then(
        () => true,
        () => false,
      )
  const look = async () => {
    isLooking = true
    while (!ended.aborted) {
      await sleep(LOOK_MS, undefined, { signal: ended, ref: false }).catch(() => {})
      if (!ended.aborted && (await isThere())) {
        outage.succeeded()
        break
      }
    }
    isLooking = false
  }
  return () => {
    if (!isLooking) void look()
  }
}

async function workOn(boss: PgBoss, { sendTo, sendMail }: Handlers): Promise<void> {
  const polling = {
    pollingIntervalSeconds: POLLING_SECONDS,
    notifyPollingIntervalSeconds: NOTIFIED_POLLING_SECONDS,
    burstWhenBatchFull: true,
  }
  if (sendTo !== undefined) {
    const options = { ...polling, batchSize: 32 }
    await boss.work<{ endpointId: string }>('endpoint-window', options, (jobs) =>
      sendTo(jobs.map(({ data }) => data.endpointId)),
    )
  }
  if (sendMail !== undefined) {
    const ways = { perJobResults: true, includeMetadata: true } as const
    const options = { ...polling, batchSize: MAILS_AT_ONCE, ...ways }
    await boss.work<MailJob, void, typeof options>('mail', options, (jobs) =>
      Promise.all(
        jobs.map(async ({ id, data, retryCount, retryLimit }) => {
          const isSent = await sendMail(data, retryCount >= retryLimit).then(
            () => true,
            () => false,
          )
          return { id, status: isSent ? ('completed' as const) : ('failed' as const) }
        }),
      ),
    )
  }
}

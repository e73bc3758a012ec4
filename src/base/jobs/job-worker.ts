import { setTimeout as sleep } from 'node:timers/promises'
import { type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { createOutageLog, type OutageLog } from '../log/outage-log.ts'
import { countOne, type Measures } from '../measures/measures.ts'
import { type JobKind, SCHEMA } from './job-kind.ts'

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

/**
 * Does a job. When it fails, the job is tried again, unless this is the last try.
 *
 * @param about `signal` says that the process ends, or that the job was given to another one
 */
type Work<Data> = (data: Data, about: { isLastTry: boolean; signal: AbortSignal }) => Promise<void>

/** A kind of job, and what does it. */
export type JobHandler = { kind: JobKind; work: Work<never> }

/** What does the jobs of a kind. */
export function doing<Data extends object>(kind: JobKind<Data>, work: Work<Data>): JobHandler {
  return { kind, work }
}

type Options = {
  connectionString: string
  log: Logger
  measures: Pick<Measures, 'jobs'>
  handlers: readonly JobHandler[]
  /** Whether the clock asks for jobs, too. */
  isScheduled?: boolean
}

export type JobWorker = { stop(): Promise<void> }

/**
 * Works on the jobs, as soon as the database lets it: `start` of pg-boss fails for good while the
 * database is away, so it is tried again until it succeeds. Never fails and never waits.
 */
export function startJobWorker(options: Options): JobWorker {
  const ended = new AbortController()
  const running = keepStarting(options, ended.signal)
  return {
    async stop() {
      ended.abort()
      const boss = await running
      await boss?.stop({ graceful: true, timeout: 2_000 })
    },
  }
}

async function keepStarting(options: Options, ended: AbortSignal): Promise<PgBoss | undefined> {
  const { connectionString, log, isScheduled = true } = options
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
      schedule: isScheduled,
      migrate: false,
      registerInstance: false,
    })
    // Without a listener an error, as in a restart of Postgres, would end the process.
    boss.on('error', outage.failed)
    boss.on('warning', ({ message, data }) => log.warn({ data }, `job queue: ${message}`))
    try {
      await boss.start()
      await workOn(boss, options, ended)
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

async function workOn(
  boss: PgBoss,
  { measures, handlers, isScheduled = true }: Options,
  ended: AbortSignal,
): Promise<void> {
  for (const { kind, work } of handlers) {
    const { name, atOnce, cron } = kind
    const done = async (job: JobWithMetadata<never>) => {
      const isLastTry = job.retryCount >= job.retryLimit
      const signal = AbortSignal.any([ended, job.signal])
      const isDone = await work(job.data, { isLastTry, signal }).then(
        () => true,
        () => false,
      )
      countOne(isDone ? measures.jobs.done : measures.jobs.failed, name)
      return { id: job.id, status: isDone ? ('completed' as const) : ('failed' as const) }
    }
    const options = {
      pollingIntervalSeconds: POLLING_SECONDS,
      notifyPollingIntervalSeconds: NOTIFIED_POLLING_SECONDS,
      burstWhenBatchFull: true,
      batchSize: atOnce,
      perJobResults: true,
      includeMetadata: true,
    } as const
    await boss.work<never, void, typeof options>(name, options, (jobs) =>
      Promise.all(jobs.map(done)),
    )
    if (cron !== undefined && isScheduled) await boss.schedule(name, cron)
  }
}

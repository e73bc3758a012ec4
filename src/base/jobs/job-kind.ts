/** The schema of Postgres in which pg-boss keeps its tables. */
export const SCHEMA = 'pgboss'

const SECONDS_PER_WEEK = 7 * 24 * 3600

declare const DATA: unique symbol

/** A kind of work that no request waits for: what a job carries, and how its queue treats it. */
export type JobKind<Data extends object = object> = {
  /** Of its queue, and in `/metrics`. */
  name: string
  /** The most that one process does at once. */
  atOnce: number
  /** A try that takes longer is lost, and the job due again. */
  lastsSeconds: number
  /** How often a failed job is tried again, and after how long: twice as long each time. */
  retries?: { count: number; firstSeconds: number; mostSeconds: number }
  /** When the clock asks for one, without data: a cron expression, in UTC. One waits at most. */
  cron?: string
  readonly [DATA]?: Data
}

/** Declares a kind of job. What a job carries stands in a table: ids and addresses, and no secrets. */
export function declareJob<Data extends object>(kind: JobKind<Data>): JobKind<Data> {
  return kind
}

/**
 * How pg-boss treats the jobs of a kind. They are kept for longer than they are tried: while no server
 * runs, nobody tries, and what is forgotten is given up without a word.
 */
export function queueOf({ lastsSeconds, retries, cron }: JobKind) {
  return {
    notify: true,
    // A process that was killed is noticed sooner than its job would take.
    heartbeatSeconds: 30,
    expireInSeconds: lastsSeconds,
    ...(retries === undefined
      ? { retryLimit: 0 }
      : {
          retryLimit: retries.count,
          retryDelay: retries.firstSeconds,
          retryBackoff: true,
          retryDelayMax: retries.mostSeconds,
        }),
    retentionSeconds: SECONDS_PER_WEEK,
    deleteAfterSeconds: 60,
    policy: cron === undefined ? ('standard' as const) : ('stately' as const),
  }
}

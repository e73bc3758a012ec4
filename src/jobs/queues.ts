/** The schema of Postgres in which pg-boss keeps its tables. */
export const SCHEMA = 'pgboss'

const SECONDS_PER_HOUR = 3600

/**
 * The queues: name -> how pg-boss treats its jobs. Jobs are wake-ups: what is to be done stands in
 * the tables of events and deliveries, where a sweep finds what no job told of.
 */
export const QUEUES = {
  /** Send what is due at one endpoint, for a short turn: `{ endpointId }`. One waits at most. */
  'endpoint-turn': {
    policy: 'short',
    notify: true,
    expireInSeconds: 60,
    retryLimit: 0,
    retentionSeconds: SECONDS_PER_HOUR,
    deleteAfterSeconds: 60,
  },
} as const

export type QueueName = keyof typeof QUEUES

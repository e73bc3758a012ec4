/** The schema of Postgres in which pg-boss keeps its tables. */
export const SCHEMA = 'pgboss'

const SECONDS_PER_HOUR = 3600
const SECONDS_PER_WEEK = 7 * 24 * SECONDS_PER_HOUR

/**
 * The queues: name -> how pg-boss treats its jobs. Turns are wake-ups: what is to be done stands in
 * the tables of events and deliveries, where a sweep finds what no job told of. A mail stands in its
 * job alone, which is written in the transaction that asks for the mail.
 */
export const QUEUES = {
  /** Send what is due at one endpoint, for a short time: `{ endpointId }`. One waits at most. */
  'endpoint-window': {
    policy: 'short',
    notify: true,
    expireInSeconds: 60,
    retryLimit: 0,
    retentionSeconds: SECONDS_PER_HOUR,
    deleteAfterSeconds: 60,
  },
  /**
   * Send a mail: a `MailJob`. Tried again for about a day while the mail server is away. It is kept for
   * longer: while no server runs, nobody tries, and what is forgotten is given up without a word.
   */
  mail: {
    policy: 'standard',
    notify: true,
    expireInSeconds: 60,
    retryLimit: 30,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: SECONDS_PER_HOUR,
    retentionSeconds: SECONDS_PER_WEEK,
    deleteAfterSeconds: 60,
  },
} as const

export type QueueName = keyof typeof QUEUES

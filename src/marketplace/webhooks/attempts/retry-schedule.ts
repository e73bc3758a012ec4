import { z } from 'zod'
import { EVENTS_KEPT_DAYS } from '../../events/event-record.ts'
import { RETRY_AFTER_MAX_SECONDS } from './retry-after.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Waits between the attempts of a delivery, as Standard Webhooks 1.0 suggests. */
export const DELAYS_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
const DELAY_MAX_SECONDS = 7 * 24 * HOUR
/** A wait is longer by up to this share, so that deliveries that fail together are spread. */
const JITTER = 0.1
/** A delivery is forgotten with its event: the last attempt comes before that. */
const ALL_DELAYS_MAX_SECONDS = Math.floor((EVENTS_KEPT_DAYS * 24 * HOUR) / (1 + JITTER))

/** WEBHOOK_RETRY_SECONDS: waits as `5,300,1800`, each at most a week, all of them about 27 days. */
export const RetryDelaysVariable = z
  .string()
  .regex(
    /^ *\d{1,6}(?: *, *\d{1,6}){0,29} *$/,
    'must be 1 to 30 whole numbers of seconds, separated by commas',
  )
  .transform((text) => text.split(',').map(Number))
  .refine(
    (delays) => delays.every((seconds) => seconds <= DELAY_MAX_SECONDS),
    `must have no wait over ${DELAY_MAX_SECONDS} seconds`,
  )
  .refine(
    (delays) => delays.reduce((sum, one) => sum + one, 0) <= ALL_DELAYS_MAX_SECONDS,
    `must add up to at most ${ALL_DELAYS_MAX_SECONDS} seconds: a wait can be a tenth longer, and ` +
      `what waits is forgotten with its event after ${EVENTS_KEPT_DAYS} days`,
  )

/**
 * When a delivery that has just failed is due again; undefined after the last attempt.
 *
 * @param delays WEBHOOK_RETRY_SECONDS
 * @param tries attempts that were made, this one included
 * @param retryAfterSeconds the wait that the receiver asked for; it counts when it is longer
 * @param random 0 to 1
 */
export function nextAttemptAt(
  delays: readonly number[],
  tries: number,
  now: Date,
  retryAfterSeconds: number | undefined,
  random: number,
): Date | undefined {
  const delay = delays[tries - 1]
  if (delay === undefined) return undefined
  const seconds = Math.max(delay * (1 + JITTER * random), retryAfterSeconds ?? 0)
  return new Date(now.getTime() + seconds * 1000)
}

/** After this many failures in a row an endpoint rests between attempts. */
const FAILURES_BEFORE_REST = 10
const REST_MAX_SECONDS = 60

/**
 * How long an endpoint rests after some failures in a row, in seconds. Whatever waits for it, a
 * dead receiver costs one attempt a minute. 0 for the first failures, which may be due to single
 * events.
 */
export function restSeconds(failures: number): number {
  if (failures < FAILURES_BEFORE_REST) return 0
  return Math.min(REST_MAX_SECONDS, 2 ** Math.min(10, failures - FAILURES_BEFORE_REST))
}

/** An endpoint that fails for this long, while it is tried, is disabled. */
const FAILING_DAYS_MAX = 5
const FAILING_MS_MAX = FAILING_DAYS_MAX * 24 * HOUR * 1000
/** Its developer is told at these percentages of that time. */
const NOTICES_PERCENT = [90, 70, 50] as const

export type NoticePercent = (typeof NOTICES_PERCENT)[number]

/** Between two attempts of one schedule pass the wait, its jitter, rests and the attempt itself. */
const WAIT_STRETCH = 1.2

/**
 * How long the pause between two failed attempts may be for an endpoint to count as failing all the
 * time. After a longer one it begins to fail anew: nothing was tried meanwhile. At most half of the
 * five days, so that no endpoint is disabled without a notice.
 *
 * @param delays WEBHOOK_RETRY_SECONDS
 */
export function countedPauseMs(delays: readonly number[]): number {
  const longest = Math.max(RETRY_AFTER_MAX_SECONDS, ...delays)
  return Math.min(FAILING_MS_MAX / 2, longest * 1000 * WAIT_STRETCH)
}

/** The next step for an endpoint that fails since a time: its end, a notice, or nothing new. */
export function failingStep(
  failingSince: Date,
  now: Date,
  noticedPercent: number,
): 'disable' | NoticePercent | undefined {
  const percent = ((now.getTime() - failingSince.getTime()) / FAILING_MS_MAX) * 100
  if (percent >= 100) return 'disable'
  const notice = NOTICES_PERCENT.find((one) => percent >= one)
  return notice !== undefined && notice > noticedPercent ? notice : undefined
}

/** When an endpoint that goes on failing is disabled. */
export function disablesAt(failingSince: Date): Date {
  return new Date(failingSince.getTime() + FAILING_MS_MAX)
}

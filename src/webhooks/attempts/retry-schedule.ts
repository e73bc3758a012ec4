import { z } from 'zod'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Waits between the attempts of a delivery, as Standard Webhooks 1.0 proposes them. */
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

/** WEBHOOK_RETRY_SECONDS: waits as `5,300,1800`, each at most a week. */
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

/** A wait is longer by up to this share, so that what failed together does not come back together. */
const JITTER = 0.1

/**
 * When a delivery that has just failed is due again, or undefined when it was tried often enough.
 *
 * @param delays WEBHOOK_RETRY_SECONDS
 * @param tries attempts that were made, this one included
 * @param retryAfterSeconds what the receiver asked for; a longer wait than ours is kept
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

/** After so many failures in a row an endpoint is left alone between attempts. */
const FAILURES_BEFORE_REST = 10
const REST_MAX_SECONDS = 60

/**
 * How long an endpoint is left alone after so many failures in a row, in seconds: whatever waits
 * for it, a dead receiver costs one attempt a minute. 0 for the first failures, which may be those of
 * single events.
 */
export function restSeconds(failures: number): number {
  if (failures < FAILURES_BEFORE_REST) return 0
  return Math.min(REST_MAX_SECONDS, 2 ** Math.min(10, failures - FAILURES_BEFORE_REST))
}

/** An endpoint that has failed for so long is disabled. */
const FAILING_DAYS_MAX = 5
const FAILING_MS_MAX = FAILING_DAYS_MAX * 24 * HOUR * 1000
/** Its developer is told at these parts of that time. */
const NOTICES_PERCENT = [90, 70, 50] as const

export type NoticePercent = (typeof NOTICES_PERCENT)[number]

/** What an endpoint that fails since a time is due for: its end, a notice, or nothing new. */
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

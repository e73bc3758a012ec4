import { REQUEST_SHARES } from '../../base/values/principal.ts'

const MINUTES_PER_DAY = 1_440
/** Percent of the budget of a day at which the app's developer is told. */
export const NEAR_PERCENT = 80 as const

/** How many requests an installation may send in a minute; null without a limit. */
export function limitOfInstallation({
  rateLimitPerMinute,
}: {
  rateLimitPerMinute: number
}): number | null {
  return rateLimitPerMinute === 0 ? null : rateLimitPerMinute * REQUEST_SHARES.installation
}

/** How many requests the limit of a minute allows in a day. */
export function budgetOfDay(limitPerMinute: number): number {
  return limitPerMinute * MINUTES_PER_DAY
}

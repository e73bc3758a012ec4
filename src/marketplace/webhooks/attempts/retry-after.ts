/** The longest wait that a receiver may ask for. */
export const RETRY_AFTER_MAX_SECONDS = 24 * 60 * 60

/**
 * Seconds that a receiver asks us to wait (`Retry-After`, RFC 9110, 10.2.3), 0 to 24 h; undefined
 * when the value can't be read. Of dates, those that say GMT are read; asctime's (obsolete) are not.
 */
export function retryAfterSeconds(value: string, now: Date): number | undefined {
  const text = value.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : secondsUntil(text, now)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX_SECONDS)
}

/** `Date.parse` alone would read `-1` as a year. */
function secondsUntil(date: string, now: Date): number {
  return date.endsWith(' GMT') ? Math.ceil((Date.parse(date) - now.getTime()) / 1000) : Number.NaN
}

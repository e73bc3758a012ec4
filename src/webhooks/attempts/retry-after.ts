/** The longest wait that a receiver may ask for. */
export const RETRY_AFTER_MAX_SECONDS = 24 * 60 * 60

/** The first of the three date forms of RFC 9110, 5.6.7; senders must not use the others. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Seconds that a receiver asks us to wait (`Retry-After`, RFC 9110, 10.2.3), 0 to 24 h; undefined
 * when the value can't be read.
 */
export function retryAfterSeconds(value: string, now: Date): number | undefined {
  const text = value.trim()
  if (/^\d+$/.test(text)) return Math.min(Number(text), RETRY_AFTER_MAX_SECONDS)
  if (!HTTP_DATE.test(text)) return undefined
  const seconds = Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  if (Number.isNaN(seconds)) return undefined
  return Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX_SECONDS)
}

import { httpDateMs } from './http-date.ts'

/** The longest wait that a receiver may ask for. */
export const RETRY_AFTER_MAX_SECONDS = 24 * 60 * 60

/**
 * Seconds that a receiver asks us to wait (`Retry-After`, RFC 9110, 10.2.3), 0 to 24 h; undefined
 * when the value can't be read.
 */
export function retryAfterSeconds(value: string, now: Date): number | undefined {
  const text = value.trim()
  if (/^\d+$/.test(text)) return Math.min(Number(text), RETRY_AFTER_MAX_SECONDS)
  const atMs = httpDateMs(text, now)
  if (atMs === undefined) return undefined
  const seconds = Math.ceil((atMs - now.getTime()) / 1000)
  return Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX_SECONDS)
}

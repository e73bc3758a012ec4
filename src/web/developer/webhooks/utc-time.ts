import { MomentText } from '../../../base/values/shapes.ts'

/** A time as a field without a time zone has it, in UTC: `2026-11-22T09:30`. */
export function utcFieldText(at: Date): string {
  return at.toISOString().slice(0, 16)
}

/**
 * What such a field says, as an ISO 8601 time in UTC; undefined when it is no time. Typed by hand,
 * it may have a space between date and time.
 */
export function utcTimeOf(text: string): string | undefined {
  const local = text
    .trim()
    .replace(/Z$/, '')
    .replace(/^(\S+) +(?=\S)/, '$1T')
  // Browsers leave out seconds that are 0.
  const moment = /T\d\d:\d\d$/.test(local) ? `${local}:00Z` : `${local}Z`
  return MomentText.safeParse(moment).success ? moment : undefined
}

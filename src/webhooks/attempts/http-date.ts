const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Sun, 06 Nov 1994 08:49:37 GMT` */
const IMF_FIXDATE =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60) GMT$/
/** `Sunday, 06-Nov-94 08:49:37 GMT` */
const RFC_850 =
  /^(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60) GMT$/
/** `Sun Nov  6 08:49:37 1994` */
const ASCTIME =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) (?<month>[A-Z][a-z]{2}) (?<day>\d{2}| \d) (?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60) (?<year>\d{4})$/

const CENTURY = 100
/** A year of two digits that seems to be further in the future is one of the past. */
const YEARS_AHEAD_MAX = 50

/**
 * The time of an HTTP date in milliseconds, in any of the three forms that a recipient must accept
 * (RFC 9110, 5.6.7); undefined for every other text. Whether the day of the week fits is not checked.
 *
 * @param now decides about the century of a year with two digits
 */
export function httpDateMs(text: string, now: Date): number | undefined {
  for (const form of [IMF_FIXDATE, ASCTIME]) {
    const found = form.exec(text)?.groups
    if (found) return timeOf(found, Number(found.year))
  }
  const found = RFC_850.exec(text)?.groups
  return found && nearestTime(found, now)
}

type Parts = Record<string, string | undefined>

/** The latest time that is at most 50 years ahead, among those with the same last digits of the year. */
function nearestTime(parts: Parts, now: Date): number | undefined {
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + YEARS_AHEAD_MAX)
  const century = now.getUTCFullYear() - (now.getUTCFullYear() % CENTURY)
  return [CENTURY, 0, -CENTURY]
    .map((other) => timeOf(parts, century + other + Number(parts.year)))
    .find((ms) => ms !== undefined && ms <= latest.getTime())
}

/** Undefined when there is no such month, or it has no such day. */
function timeOf({ month = '', ...parts }: Parts, year: number): number | undefined {
  if (!MONTHS.includes(month)) return undefined
  const [day = 0, hour = 0, minute = 0, second = 0] = [
    parts.day,
    parts.hour,
    parts.minute,
    parts.second,
  ].map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year, MONTHS.indexOf(month), day)
  if (date.getUTCDate() !== day) return undefined
  return date.setUTCHours(hour, minute, second)
}

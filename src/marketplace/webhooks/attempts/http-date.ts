const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Sun, 06 Nov 1994 08:49:37 GMT` */
const IMF_FIXDATE =
  /^(?<weekday>[A-Z][a-z]+), (?<day>\d{2}) (?<month>[A-Z][a-z]+) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/
/** `Sunday, 06-Nov-94 08:49:37 GMT` */
const RFC_850 =
  /^(?<weekday>[A-Z][a-z]+), (?<day>\d{2})-(?<month>[A-Z][a-z]+)-(?<year>\d{2}) (?<time>[\d:]{8}) GMT$/
/** `Sun Nov  6 08:49:37 1994` */
const ASCTIME =
  /^(?<weekday>[A-Z][a-z]+) (?<month>[A-Z][a-z]+) (?<day>\d{2}| \d) (?<time>[\d:]{8}) (?<year>\d{4})$/
/** The last second of a minute may be a leap second. */
const TIME = /^(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)$/

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
  const short = (IMF_FIXDATE.exec(text) ?? ASCTIME.exec(text))?.groups
  if (short)
    return DAYS.includes(short.weekday ?? '') ? timeOf(short, Number(short.year)) : undefined
  const long = RFC_850.exec(text)?.groups
  return LONG_DAYS.includes(long?.weekday ?? '') ? nearestTime(long ?? {}, now) : undefined
}

type Parts = Record<string, string | undefined>

/** The latest time at most 50 years ahead, among those with the same last digits of the year. */
function nearestTime(parts: Parts, now: Date): number | undefined {
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + YEARS_AHEAD_MAX)
  const century = now.getUTCFullYear() - (now.getUTCFullYear() % CENTURY)
  return [CENTURY, 0, -CENTURY]
    .map((other) => timeOf(parts, century + other + Number(parts.year)))
    .find((ms) => ms !== undefined && ms <= latest.getTime())
}

/** Undefined when there is no such time, no such month, or it has no such day. */
function timeOf({ month = '', day, time = '' }: Parts, year: number): number | undefined {
  const clock = TIME.exec(time)?.groups
  if (clock === undefined || !MONTHS.includes(month)) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, MONTHS.indexOf(month), Number(day))
  if (date.getUTCDate() !== Number(day)) return undefined
  return date.setUTCHours(Number(clock.hour), Number(clock.minute), Number(clock.second))
}

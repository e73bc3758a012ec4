import { z } from 'zod'

/** Largest value of a Postgres `integer`. */
export const INT4_MAX = 2_147_483_647

/** A timestamp of an answer: ISO 8601, UTC, milliseconds. A `Date` inside the server. */
export const Timestamp = z
  .codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  .meta({
    id: 'Timestamp',
    description: 'A moment in UTC (ISO 8601).',
    example: '2026-11-21T09:30:00.000Z',
  })

/** The moments that queries may name. */
export const FIRST_TIME_MS = Date.parse('0001-01-01T00:00:00Z')
export const LAST_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** A moment of a query, which Postgres can compare with: an offset moves it over the calendar's ends. */
export const MomentText = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: ({ input }) =>
      typeof input === 'string' && /\d \d\d:?\d\d$/.test(input)
        ? 'has a space before its offset: write + as %2B in a query'
        : undefined,
  })
  .refine(
    (text) => Date.parse(text) >= FIRST_TIME_MS && Date.parse(text) <= LAST_TIME_MS,
    'must lie in the years 0001 to 9999 of UTC',
  )

/** An id as a client may write it: the case of a UUID does not count (RFC 9562, 4). */
export const UuidText = z.uuid().toLowerCase()

/** What a text of digits is to the readers of the OpenAPI document. */
const asInteger = (minimum: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, pattern: undefined }) as const

/** A positive whole number of a path or query, strictly in digits, as text; `max` is the column's. */
export const integerText = (max = INT4_MAX) =>
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/, { error: 'must be a positive whole number', abort: true })
    .refine((text) => Number(text) <= max, `must be at most ${max}`)
    .meta(asInteger(1, max))

/** A positive integer of a query, as a number. */
export const positiveInteger = (max = INT4_MAX) => integerText(max).transform(Number)

/** A count of a query, strictly in digits. */
export const count = (max = INT4_MAX) => {
  const rule = `must be a whole number from 0 to ${max}`
  return z
    .string()
    .regex(/^\d{1,10}$/, { error: rule, abort: true })
    .refine((text) => Number(text) <= max, rule)
    .transform(Number)
    .meta(asInteger(0, max))
}

/** A yes or no of a query, strictly `true` or `false`. */
export const trueOrFalse = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ type: 'boolean', enum: undefined })

/** Whether a text is a UUID, in either case (RFC 9562, 4). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

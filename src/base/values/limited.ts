import { z } from 'zod'

/**
 * A schema that refuses more than `max` entries before it looks at one: a body of 400 kB with
 * 45,000 wrong entries would otherwise block the process for half a second.
 *
 * @param noun of the entries, for the message
 * @param count of what; of the entries of the list or object itself unless given
 */
export function limited<Schema extends z.ZodType>(
  schema: Schema,
  max: number,
  noun: string,
  count: (value: unknown) => number = countEntries,
) {
  return z.preprocess((value, ctx) => {
    if (count(value) <= max) return value
    ctx.issues.push({
      code: 'custom',
      message: `must have at most ${max} ${noun}`,
      input: value,
    })
    return z.NEVER
  }, schema)
}

/** How many entries a list or an object has; anything else has none. */
export function countEntries(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

import { z } from 'zod'

const LIMIT_MAX = 1000

/** Query parameters of every list. */
export const PageQuery = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, {
      error: `must be a whole number from 1 to ${LIMIT_MAX}`,
      abort: true,
    })
    .refine((text) => Number(text) <= LIMIT_MAX, `must be a whole number from 1 to ${LIMIT_MAX}`)
    .transform(Number)
    .meta({ type: 'integer', minimum: 1, maximum: LIMIT_MAX, pattern: undefined })
    .optional()
    .describe(`Entries per page, 1 to ${LIMIT_MAX}.`)
    .meta({ example: 100, default: LIMIT_MAX, parameter: 'Limit' }),
  cursor: z
    .string()
    .max(1024)
    .optional()
    .describe('Where the page begins: taken from the `Link` header of the page before.')
    .meta({ parameter: 'Cursor' }),
}

/** How many entries a page has at most. */
export function limitOf({ limit = LIMIT_MAX }: { limit?: number | undefined }): number {
  return limit
}

import { z } from 'zod'
import { Timestamp } from '../../base/values/shapes.ts'
import { NO_PERMISSION } from './held-usage.ts'

/** How long the counts of a day are kept. */
export const USAGE_KEPT_DAYS = 400
/** The days that are read unless others are asked for. */
export const USAGE_SHOWN_DAYS = 30
const FIRST_DAY = '2000-01-01'

/** A day of a query. */
const DayText = z.iso
  .date({ abort: true })
  .refine((day) => day >= FIRST_DAY, 'must lie in the years 2000 to 9999')
  .optional()

/** Which days of the use of an installation are asked for. */
export const UsageQuery = z.strictObject({
  from: DayText.describe(
    `The first day, in UTC. Default: ${USAGE_SHOWN_DAYS - 1} days before \`to\`.`,
  ).meta({ example: '2026-11-01', parameter: 'UsageFrom' }),
  to: DayText.describe('The last day, in UTC. Default: today.').meta({
    example: '2026-11-30',
    parameter: 'UsageTo',
  }),
})
export type UsageQuery = z.output<typeof UsageQuery>

const day = z.iso.date().meta({ example: '2026-11-22' })
const permission = z.string().meta({ example: 'products:read' })

const UsageOfDay = z
  .object({
    day: day.describe('In UTC.'),
    permission: permission.describe(
      `The permission that the requests used; \`${NO_PERMISSION}\` for those that need none.`,
    ),
    requests: z.int().describe('Requests, refused ones included.').meta({ example: 1290 }),
    records: z.int().describe('Products that were answered or written.').meta({ example: 128_000 }),
    refusals: z
      .record(z.string(), z.int())
      .describe(
        'How many requests were refused, by the code of the error: `too_many_requests` over the ' +
          'limit, `insufficient_scope` without the permission, and the other codes of 403.',
      )
      .meta({ example: { too_many_requests: 12 } }),
  })
  .meta({
    id: 'UsageOfDay',
    description: 'What an installation did with one permission on one day.',
  })

const UsageOfPermission = z
  .object({
    permission,
    lastUsedAt: Timestamp.nullable().describe(
      `When a request that was not refused used it last; null without one in ${USAGE_KEPT_DAYS} days.`,
    ),
    unusedSince: Timestamp.describe(
      'Since when it has not been used: its last use; without one, since the installation has it. ' +
        `Never before use was counted, nor more than ${USAGE_KEPT_DAYS} days ago.`,
    ),
  })
  .meta({
    id: 'UsageOfPermission',
    description: 'When an installation used one of its permissions last.',
  })

/** What an installation did with its permissions. */
export const InstallationUsage = z
  .object({
    from: day,
    to: day,
    limitPerMinute: z
      .int()
      .nullable()
      .describe('How many requests it may send in a minute; null without a limit.')
      .meta({ example: 600 }),
    days: z
      .array(UsageOfDay)
      .describe('The oldest first. A day without requests for a permission is left out.'),
    permissions: z.array(UsageOfPermission).describe('Each permission of the installation.'),
  })
  .meta({
    id: 'InstallationUsage',
    description: 'How an installation uses its permissions and its limit of requests.',
  })
export type InstallationUsage = z.output<typeof InstallationUsage>

import { z } from 'zod'
import { Timestamp } from '../../base/values/shapes.ts'

export const CONSUMER_NAME_RULE =
  'has 1 to 64 lower-case letters, digits, hyphens, dots and underscores, and is neither . nor ..'

/** What names of consumers look like. Clients take `.` and `..` out of an address. */
export const ConsumerName = z
  .string()
  .regex(/^[a-z0-9._-]{1,64}$/, CONSUMER_NAME_RULE)
  .refine((name) => name !== '.' && name !== '..', CONSUMER_NAME_RULE)

export const EventConsumer = z
  .object({
    name: z.string().meta({ example: 'erp' }),
    position: z.int().describe('The last event that it is done with; 0: none.').meta({
      example: 40,
    }),
    behind: z.int().describe('How many events of the log come after it.').meta({ example: 2 }),
    updatedAt: Timestamp.describe('When it was moved last.'),
  })
  .meta({
    id: 'EventConsumer',
    description: 'A named position in the event log, kept for its reader.',
  })
export type EventConsumer = z.output<typeof EventConsumer>

export const EventConsumerPosition = z
  .strictObject({
    position: z
      .int()
      .min(0)
      .describe('The last event that the consumer is done with; 0: none.')
      .meta({ example: 42 }),
  })
  .meta({ id: 'EventConsumerPosition', description: 'How far a consumer has read.' })

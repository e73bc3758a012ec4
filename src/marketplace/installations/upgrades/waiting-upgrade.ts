import { z } from 'zod'
import { Timestamp } from '../../../base/values/shapes.ts'
import { Quote } from '../../apps/pricing/quotes.ts'

/** A later version that waits for an account to agree to it. */
export const WaitingUpgrade = z
  .object({
    installationId: z.uuid(),
    appId: z.string(),
    appName: z.string(),
    partyId: z.int(),
    partyName: z.string(),
    from: z.string().describe('The installed version.'),
    to: z.string().describe('The latest version.'),
    publishedAt: Timestamp.describe('When the latest version was published.'),
    breaking: z
      .boolean()
      .describe('Whether it changes what the account agreed to, such as permissions or prices.'),
    permissionsAdded: z.array(z.string()),
    price: z.object({
      before: Quote,
      after: Quote.nullable().describe('Null when the latest version lacks the purchase option.'),
    }),
  })
  .meta({ id: 'WaitingUpgrade', description: 'A later version that waits for an account.' })
export type WaitingUpgrade = z.infer<typeof WaitingUpgrade>

import { z } from 'zod'

export const PricingModel = z
  .enum(['FlatMonthly', 'FlatAnnual', 'TieredBuckets'])
  .describe('How a purchase option is charged.')
  .meta({ id: 'PricingModel', examples: ['FlatMonthly'] })

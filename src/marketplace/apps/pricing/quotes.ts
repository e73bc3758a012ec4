import { z } from 'zod'
import { LIMITS } from '../../../base/values/definition-limits.ts'
import { count } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import { currencyDecimals } from './currencies.ts'
import { formatUnits, toUnits } from './decimals.ts'
import { PricingModel } from './pricing-model.ts'
import type { PurchaseOption } from './purchase-options.ts'

const MONTHS_PER_YEAR = 12n

export const QuoteQuery = z.strictObject({
  records: count(LIMITS.quoteRecordsMax)
    .optional()
    .describe('How many products the account has. Options with a fixed fee need none.')
    .meta({ example: 12_431, parameter: 'Records' }),
})

/** What a purchase option costs for a number of products; amounts in the option's currency. */
export const Quote = z
  .object({
    purchaseOptionId: z.string().describe('The option that is quoted.'),
    pricingModel: PricingModel,
    currency: z.string().describe('ISO 4217 code of the amounts.'),
    records: z
      .number()
      .nullable()
      .describe('The number of products that the quote is for; null when none was given.'),
    buckets: z
      .number()
      .nullable()
      .describe('ceil(records / bucketSize) of TieredBuckets, otherwise null.'),
    monthlyCost: z
      .number()
      .describe(
        'Cost of a month; of FlatAnnual the monthly rate that the annual charge is made of.',
      ),
    annualCharge: z
      .number()
      .nullable()
      .describe('12 x the monthly rate, charged at once, of FlatAnnual, otherwise null.'),
    explanation: z
      .string()
      .describe('The arithmetic in words.')
      .meta({ examples: ['ceil(12431 / 1000) = 13 buckets x 5.00 + 20.00'] }),
  })
  .meta({
    id: 'Quote',
    description: 'What a purchase option costs for a number of products, with the arithmetic.',
    example: {
      purchaseOptionId: 'premium',
      pricingModel: 'TieredBuckets',
      currency: 'USD',
      records: 12_431,
      buckets: 13,
      monthlyCost: 85,
      annualCharge: null,
      explanation: 'ceil(12431 / 1000) = 13 buckets x 5.00 + 20.00',
    },
  })
export type Quote = z.infer<typeof Quote>

/**
 * Quotes a purchase option for a count of records (only products count), by the spec's formulas
 * ("Purchase Option"), in whole minor units of the currency. Zero records make zero buckets, which
 * leaves the base fee. Throws `invalid_request` when `records` is no whole number from 0 to
 * `LIMITS.quoteRecordsMax`; null will do where the price does not depend on it.
 */
export function quote(option: PurchaseOption, records: number | null): Quote {
  const isNeeded = records !== null || option.pricingModel === 'TieredBuckets'
  if (isNeeded && !isRecordCount(records)) {
    const detail = `must be a whole number from 0 to ${LIMITS.quoteRecordsMax}`
    throw new AppError('invalid_request', {
      detail: `records ${detail}`,
      errors: [{ pointer: '/records', detail }],
    })
  }
  const decimals = currencyDecimals(option.currency) ?? 0
  const common = {
    purchaseOptionId: option.id,
    pricingModel: option.pricingModel,
    currency: option.currency,
    records,
    buckets: null,
    annualCharge: null,
  }
  const show = (units: bigint) => formatUnits(units, decimals)
  const amount = (units: bigint) => Number(show(units))

  switch (option.pricingModel) {
    case 'FlatMonthly': {
      const rate = toUnits(option.monthlyRate, decimals)
      return { ...common, monthlyCost: amount(rate), explanation: `${show(rate)} a month` }
    }
    case 'FlatAnnual': {
      const rate = toUnits(option.monthlyRate, decimals)
      const charge = MONTHS_PER_YEAR * rate
      return {
        ...common,
        monthlyCost: amount(rate),
        annualCharge: amount(charge),
        explanation: `${MONTHS_PER_YEAR} x ${show(rate)} = ${show(charge)} a year, charged at once`,
      }
    }
    case 'TieredBuckets': {
      const rate = toUnits(option.ratePerBucket, decimals)
      const baseFee = toUnits(option.baseFee, decimals)
      // Exact: both are integers far below 2^53, so the rounded quotient has the right ceiling.
      const buckets = Math.ceil((records ?? 0) / option.bucketSize)
      const word = buckets === 1 ? 'bucket' : 'buckets'
      return {
        ...common,
        buckets,
        monthlyCost: amount(BigInt(buckets) * rate + baseFee),
        explanation: `ceil(${records} / ${option.bucketSize}) = ${buckets} ${word} x ${show(rate)} + ${show(baseFee)}`,
      }
    }
  }
}

function isRecordCount(records: number | null): boolean {
  return (
    Number.isInteger(records) && Number(records) >= 0 && Number(records) <= LIMITS.quoteRecordsMax
  )
}

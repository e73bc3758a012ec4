import { z } from 'zod'
import { LIMITS } from '../../../base/values/definition-limits.ts'
import { didYouMean, notKnown, ofEachKey } from '../../../base/values/field-errors.ts'
import { DisplayOrder, EntryId, filledText, text } from '../../../base/values/text.ts'
import { EVEN_IF_INVALID, wholeUnion } from '../schema-checks.ts'
import { CURRENCY_CODES, currencyDecimals } from './currencies.ts'
import { decimalPlaces, toUnits } from './decimals.ts'

const Currency = z
  .enum(CURRENCY_CODES as [string, ...string[]], {
    error: ({ input }) => {
      if (typeof input !== 'string') return undefined
      const meant = CURRENCY_CODES.includes(input.trim().toUpperCase())
        ? didYouMean(input, CURRENCY_CODES)
        : null
      return `must be the code of an active ISO 4217 currency in capitals, such as "USD"${meant === null ? '' : `; ${meant}`}`
    },
  })
  .describe('ISO 4217 code of the currency of all amounts of this option.')
  .meta({ id: 'Currency', examples: ['USD'] })

function money(description: string, example: number) {
  return z
    .number()
    .min(0)
    .max(LIMITS.moneyMax)
    .describe(
      `${description} In the option's currency, with at most its decimals (USD 2, JPY 0), 0 to 1,000,000,000.`,
    )
    .meta({ examples: [example] })
}

const common = {
  id: EntryId.describe(
    'Identifier of the option, unique in the app; used as `purchaseOptionId` and as key of ' +
      'the settings configuration. Letters, digits, ".", "_", "-", at most 64. Meaningful ids ' +
      'are recommended.',
  ).meta({ id: 'PurchaseOptionId', examples: ['premium'] }),
  name: filledText('line', LIMITS.nameMaxLength)
    .describe('Display name (1 to 100 characters).')
    .meta({ examples: ['Premium'] }),
  description: text('paragraph', LIMITS.descriptionMaxLength)
    .default('')
    .describe('What the option includes (up to 1000 characters).')
    .meta({ examples: ['For catalogues of any size, billed by what you sync.'] }),
  currency: Currency,
  order: DisplayOrder,
}

const FlatMonthlyOption = z
  .strictObject(
    {
      ...common,
      pricingModel: z.literal('FlatMonthly').describe('Flat Price: a fixed fee charged monthly.'),
      monthlyRate: money('The monthly fee; 0 makes the option free.', 19.5),
    },
    { error: unknownAttribute('FlatMonthly', 'monthlyRate') },
  )
  .superRefine((option, ctx) => checkDecimals(option, ['monthlyRate'], ctx), EVEN_IF_INVALID)

const FlatAnnualOption = z
  .strictObject(
    {
      ...common,
      pricingModel: z
        .literal('FlatAnnual')
        .describe(
          'Flat Price (Billed annually): 12 times the monthly rate as one lump sum a year.',
        ),
      monthlyRate: money('The monthly rate; 12 times this is charged at once.', 19.5),
    },
    { error: unknownAttribute('FlatAnnual', 'monthlyRate') },
  )
  .superRefine((option, ctx) => checkDecimals(option, ['monthlyRate'], ctx), EVEN_IF_INVALID)

const TieredBucketsOption = z
  .strictObject(
    {
      ...common,
      pricingModel: z
        .literal('TieredBuckets')
        .describe(
          'Tiered Pricing with Buckets: monthly cost = ceil(products / bucketSize) x ratePerBucket + baseFee.',
        ),
      bucketSize: z
        .number()
        // Not z.int(): its issue would keep the cross-field checks from running.
        .multipleOf(1, 'must be a whole number')
        .min(1)
        .max(LIMITS.bucketSizeMax)
        .describe('How many products one bucket holds, a whole number from 1 to 1,000,000,000.')
        .meta({ type: 'integer', examples: [1000] }),
      ratePerBucket: money('The monthly price of each bucket, started ones included.', 5),
      baseFee: money('A monthly fee on top of the buckets.', 20).default(0),
    },
    { error: unknownAttribute('TieredBuckets', 'bucketSize, ratePerBucket, baseFee') },
  )
  .superRefine((option, ctx) => {
    checkDecimals(option, ['ratePerBucket', 'baseFee'], ctx)
    checkLargestQuote(option, ctx)
  }, EVEN_IF_INVALID)

export const PurchaseOption = wholeUnion(
  'pricingModel',
  [FlatMonthlyOption, FlatAnnualOption, TieredBucketsOption],
  (option, ctx) => checkDecimals(option, ['monthlyRate', 'ratePerBucket', 'baseFee'], ctx),
)
  .describe('One way to buy the app, with one pricing model.')
  .meta({ id: 'PurchaseOption' })
export type PurchaseOption = z.infer<typeof PurchaseOption>

type Report = { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void }

function unknownAttribute(model: string, own: string) {
  const known = `id, name, description, pricingModel, currency, ${own}, order`
  const told = `is not an attribute of a ${model} option; it has ${known}`
  return (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? ofEachKey(issue.keys, (key) => notKnown(key, known.split(', '), told))
      : undefined
}

/**
 * The currency decides how many decimals an amount may have. The option may be malformed in other
 * ways.
 */
function checkDecimals(option: object, fields: readonly string[], ctx: Report): void {
  const currency: unknown = Reflect.get(option, 'currency')
  const decimals = typeof currency === 'string' ? currencyDecimals(currency) : undefined
  if (decimals === undefined) return
  for (const field of fields) {
    const amount: unknown = Reflect.get(option, field)
    if (!Number.isFinite(amount) || decimalPlaces(amount as number) <= decimals) continue
    ctx.addIssue({
      code: 'custom',
      path: [field],
      message: `must have at most ${decimals} decimals, as amounts in ${currency} have`,
    })
  }
}

/** Keeps every quote a number that JSON carries exactly: below 2^53 minor units at the largest count. */
function checkLargestQuote(option: TieredBuckets, ctx: Report): void {
  const { bucketSize, ratePerBucket, baseFee } = option
  const decimals = currencyDecimals(option.currency)
  const amounts = [ratePerBucket, baseFee]
  if (decimals === undefined || !Number.isInteger(bucketSize) || bucketSize < 1) return
  if (amounts.some((amount) => !Number.isFinite(amount) || decimalPlaces(amount) > decimals)) return
  const buckets = BigInt(Math.ceil(LIMITS.quoteRecordsMax / bucketSize))
  const largest = buckets * toUnits(ratePerBucket, decimals) + toUnits(baseFee, decimals)
  if (largest <= BigInt(Number.MAX_SAFE_INTEGER)) return
  ctx.addIssue({
    code: 'custom',
    path: ['ratePerBucket'],
    message: `is too high for buckets of ${bucketSize}: the cost of ${LIMITS.quoteRecordsMax} products could not be counted exactly`,
  })
}

type TieredBuckets = Extract<PurchaseOption, { pricingModel: 'TieredBuckets' }>

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/base/values/definition-limits.ts'
import {
  CURRENCY_CODES,
  currencyDecimals,
} from '../../../../src/marketplace/apps/pricing/currencies.ts'
import {
  decimalPlaces,
  formatUnits,
  isOnGrid,
  plainDecimal,
  toUnits,
} from '../../../../src/marketplace/apps/pricing/decimals.ts'
import { PurchaseOption } from '../../../../src/marketplace/apps/pricing/purchase-options.ts'
import { Quote, quote } from '../../../../src/marketplace/apps/pricing/quotes.ts'

const base = { id: 'o', name: 'O', currency: 'USD', order: 1 }
const option = (more: object) => PurchaseOption.parse({ ...base, ...more })
const tiered = (more: object) => option({ pricingModel: 'TieredBuckets', ...more })

describe('quote', () => {
  it('Flat Price: a fixed fee a month, whatever the records', () => {
    expect(quote(option({ pricingModel: 'FlatMonthly', monthlyRate: 19.5 }), 12431)).toEqual({
      purchaseOptionId: 'o',
      pricingModel: 'FlatMonthly',
      currency: 'USD',
      records: 12431,
      buckets: null,
      monthlyCost: 19.5,
      annualCharge: null,
      explanation: '19.50 a month',
    })
  })

  it('Flat Price (Billed annually): 12 times the monthly rate at once', () => {
    expect(quote(option({ pricingModel: 'FlatAnnual', monthlyRate: 19.5 }), 0)).toMatchObject({
      buckets: null,
      monthlyCost: 19.5,
      annualCharge: 234,
      explanation: '12 x 19.50 = 234.00 a year, charged at once',
    })
  })

  it('Tiered Pricing with Buckets: ceil(records / bucket size) x rate + base fee', () => {
    expect(quote(tiered({ bucketSize: 1000, ratePerBucket: 5, baseFee: 20 }), 12431)).toMatchObject(
      {
        buckets: 13,
        monthlyCost: 85,
        annualCharge: null,
        explanation: 'ceil(12431 / 1000) = 13 buckets x 5.00 + 20.00',
      },
    )
  })

  it.each([
    [0, 0, 20],
    [1, 1, 25],
    [999, 1, 25],
    [1000, 1, 25],
    [1001, 2, 30],
    [LIMITS.quoteRecordsMax, 1_000_000, 5_000_020],
  ])('%i records make %i buckets', (records, buckets, monthlyCost) => {
    const result = quote(tiered({ bucketSize: 1000, ratePerBucket: 5, baseFee: 20 }), records)
    expect(result).toMatchObject({ buckets, monthlyCost })
  })

  it('takes a missing base fee for none', () => {
    expect(quote(tiered({ bucketSize: 10, ratePerBucket: 0.1 }), 30)).toMatchObject({
      monthlyCost: 0.3,
      explanation: 'ceil(30 / 10) = 3 buckets x 0.10 + 0.00',
    })
  })

  it.each([
    ['JPY', 1950, '1950 a month'],
    ['KWD', 1.125, '1.125 a month'],
    ['CLF', 0.0001, '0.0001 a month'],
  ])('shows amounts in %s with its decimals', (currency, monthlyRate, explanation) => {
    const flat = option({ currency, pricingModel: 'FlatMonthly', monthlyRate })
    expect(quote(flat, 1)).toMatchObject({ monthlyCost: monthlyRate, explanation })
  })

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, LIMITS.quoteRecordsMax + 1])(
    'refuses %d records',
    (records) => {
      const flat = option({ pricingModel: 'FlatMonthly', monthlyRate: 1 })
      expect(() => quote(flat, records)).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      )
    },
  )

  it('agrees with a slow count of buckets in BigInt', () => {
    const cents = fc.integer({ min: 0, max: 9_000_000 })
    const input = fc.record({
      bucketSize: fc.integer({ min: 1, max: 2000 }),
      rate: cents,
      baseFee: cents,
      records: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(0, 1, 1000)),
      currency: fc.constantFrom('JPY', 'USD', 'KWD'),
    })
    fc.assert(
      fc.property(input, ({ bucketSize, rate, baseFee, records, currency }) => {
        const scale = currencyDecimals(currency) ?? 0
        const money = (units: number) => Number(`${units}e-${scale}`)
        let owed = BigInt(baseFee)
        let buckets = 0
        for (let left = BigInt(records); left > 0n; left -= BigInt(bucketSize)) {
          owed += BigInt(rate)
          buckets += 1
        }
        const result = quote(
          tiered({ currency, bucketSize, ratePerBucket: money(rate), baseFee: money(baseFee) }),
          records,
        )
        expect(result.buckets).toBe(buckets)
        expect(toUnits(result.monthlyCost, scale)).toBe(owed)
        expect(Quote.parse(result)).toEqual(result)
      }),
    )
  })

  it('charges 12 months exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (cents) => {
        const flat = option({ pricingModel: 'FlatAnnual', monthlyRate: Number(`${cents}e-2`) })
        expect(toUnits(quote(flat, 1).annualCharge ?? -1, 2)).toBe(12n * BigInt(cents))
      }),
    )
  })

  it('counts exactly even at the largest accepted rate and count', () => {
    const largest = tiered({ bucketSize: 1, ratePerBucket: 90_000.01 })
    const { monthlyCost } = quote(largest, LIMITS.quoteRecordsMax)
    expect(toUnits(monthlyCost, 2)).toBe(9_000_001n * 1_000_000_000n)
  })
})

describe('purchase options', () => {
  const messages = (input: object) =>
    PurchaseOption.safeParse({ ...base, ...input }).error?.issues.map(({ path }) => path.join('/'))

  it.each([
    [{ pricingModel: 'FlatMonthly', monthlyRate: -1 }, ['monthlyRate']],
    [{ pricingModel: 'FlatMonthly', monthlyRate: 19.555 }, ['monthlyRate']],
    [{ pricingModel: 'FlatMonthly', monthlyRate: 1_000_000_001 }, ['monthlyRate']],
    [{ pricingModel: 'FlatMonthly', monthlyRate: Number.POSITIVE_INFINITY }, ['monthlyRate']],
    [{ pricingModel: 'FlatMonthly', monthlyRate: '5' }, ['monthlyRate']],
    [{ pricingModel: 'FlatAnnual', monthlyRate: 0.5, currency: 'JPY' }, ['monthlyRate']],
    [{ pricingModel: 'FlatMonthly', monthlyRate: 1, currency: 'XXX' }, ['currency']],
    [{ pricingModel: 'FlatMonthly', monthlyRate: 1, currency: 'usd' }, ['currency']],
    [{ pricingModel: 'TieredBuckets', bucketSize: 0, ratePerBucket: 1 }, ['bucketSize']],
    [{ pricingModel: 'TieredBuckets', bucketSize: 1.5, ratePerBucket: 1 }, ['bucketSize']],
    [{ pricingModel: 'TieredBuckets', bucketSize: 1, ratePerBucket: 100_000 }, ['ratePerBucket']],
    [{ pricingModel: 'TieredBuckets', bucketSize: 1, ratePerBucket: 1, baseFee: -1 }, ['baseFee']],
    [{ pricingModel: 'Free' }, ['pricingModel']],
    [{ id: '__proto__', pricingModel: 'FlatMonthly', monthlyRate: 1 }, ['id', 'id']],
    [{ id: 'toString', pricingModel: 'FlatMonthly', monthlyRate: 1 }, ['id']],
    [{ id: 'a/b', pricingModel: 'FlatMonthly', monthlyRate: 1 }, ['id']],
    [{ id: 'x'.repeat(65), pricingModel: 'FlatMonthly', monthlyRate: 1 }, ['id', 'id']],
  ])('refuses %j', (input, paths) => {
    expect(messages(input)).toEqual(paths)
  })
})

describe('currencies', () => {
  it.each([
    ['JPY', 0],
    ['USD', 2],
    ['KWD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['XXX', undefined],
    ['XTS', undefined],
    ['XAU', undefined],
    ['toString', undefined],
  ])('%s has %s decimals', (code, decimals) => {
    expect(currencyDecimals(code)).toBe(decimals)
  })

  it('lists each active code once', () => {
    expect(new Set(CURRENCY_CODES).size).toBe(CURRENCY_CODES.length)
    expect(CURRENCY_CODES.length).toBeGreaterThan(160)
    expect(CURRENCY_CODES.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true)
  })
})

describe('decimals', () => {
  it('prints and reads back every finite number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(plainDecimal(value))).toBe(value + 0)
        expect(plainDecimal(value)).toMatch(/^-?\d+(\.\d+)?$/)
        expect(formatUnits(toUnits(value, decimalPlaces(value)), decimalPlaces(value))).toBe(
          plainDecimal(value),
        )
      }),
    )
  })

  it('counts steps exactly where floating point does not', () => {
    expect(0.3 % 0.1).not.toBe(0)
    expect(isOnGrid(0.3, 0.1, 0)).toBe(true)
    expect(isOnGrid(0.35, 0.1, 0.05)).toBe(true)
    expect(isOnGrid(0.35, 0.1, 0)).toBe(false)
    expect(isOnGrid(-0.3, 0.1, 0)).toBe(true)
    expect(isOnGrid(1e-7, 1e-8, 0)).toBe(true)
  })
})

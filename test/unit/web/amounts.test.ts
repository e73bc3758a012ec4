import { expect, it } from 'vitest'
import {
  CURRENCY_CODES,
  currencyDecimals,
} from '../../../src/marketplace/apps/pricing/currencies.ts'
import { formatUnits } from '../../../src/marketplace/apps/pricing/decimals.ts'
import { PurchaseOption } from '../../../src/marketplace/apps/pricing/purchase-options.ts'
import { quote } from '../../../src/marketplace/apps/pricing/quotes.ts'
import { pricing } from '../../../src/web/docs/app-guide-pricing.ts'
import {
  money,
  priceChangeView,
  priceText,
  quoteView,
  rateText,
} from '../../../src/web/shared/app-parts/amounts.ts'
import { rates } from '../../../src/web/shared/app-parts/rates-view.ts'
import { type Html, render } from '../../../src/web/shared/page/html.ts'

const common = { name: 'O', order: 1 }
const monthly = (currency: string, monthlyRate: number) =>
  PurchaseOption.parse({ ...common, id: 'm', pricingModel: 'FlatMonthly', currency, monthlyRate })
const annual = (currency: string, monthlyRate: number) =>
  PurchaseOption.parse({ ...common, id: 'a', pricingModel: 'FlatAnnual', currency, monthlyRate })
const tiered = (currency: string, ratePerBucket: number, baseFee: number) =>
  PurchaseOption.parse({
    ...common,
    id: 't',
    pricingModel: 'TieredBuckets',
    currency,
    bucketSize: 10,
    ratePerBucket,
    baseFee,
  })

const withoutGroups = (text: string) => text.replaceAll(',', '')
const shown = (view: Html) => render(view)

it.each(CURRENCY_CODES)('money in %s is exact, and has the digits of the quote', (currency) => {
  const decimals = currencyDecimals(currency) as number
  const text = (units: bigint) => `${currency} ${formatUnits(units, decimals)}`
  for (const units of [1n, 4n, 5n, 49n, 99n, 1_234_567n]) {
    const amount = Number(formatUnits(units, decimals))
    expect(withoutGroups(money(amount, currency))).toBe(text(units))
  }

  const smallest = Number(formatUnits(1n, decimals))
  const option = monthly(currency, smallest)
  const quoted = quote(option, null)
  const [digits] = quoted.explanation.split(' ')
  expect(rateText(option)).toBe(`${currency} ${digits} per month`)
  expect(priceText(quoted, option)).toBe(`${currency} ${digits} per month`)
  expect(shown(rates(option))).toContain(`${currency} ${digits} `)

  const [year, blocks] = [annual(currency, smallest), tiered(currency, smallest, 5 * smallest)]
  expect(shown(quoteView(quote(year, null), year))).toContain(`${text(12n)} per year`)
  const sum = `2 blocks of 10 × ${text(1n)} + ${text(5n)} base fee`
  expect(shown(quoteView(quote(blocks, 11), blocks))).toContain(sum)
  const dearer = monthly(currency, 4 * smallest)
  const change = priceChangeView(
    { quote: quoted, option },
    { quote: quote(dearer, null), option: dearer },
  )
  expect(shown(change)).toContain(`${text(3n)} more per month`)
  expect(shown(pricing([option, year, blocks], () => '#'))).toContain(`>${text(12n)}<`)
})

it('the difference of two large prices is exact', () => {
  const [before, after] = [annual('CLF', 999_999_999.9998), annual('CLF', 999_999_999.9999)]
  const change = priceChangeView(
    { quote: quote(before, null), option: before },
    { quote: quote(after, null), option: after },
  )
  expect(shown(change)).toContain('CLF 0.0001 more per month')
})

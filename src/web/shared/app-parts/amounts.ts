import type { PurchaseOption } from '../../../apps/pricing/purchase-options.ts'
import type { Quote } from '../../../apps/pricing/quotes.ts'
import { type Html, html } from '../page/html.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** An amount with its currency: `USD 19.50`. */
export function money(amount: number, currency: string): string {
  const known = formats.get(currency)
  const format =
    known ?? new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  formats.set(currency, format)
  return format.format(amount).replace('\u00a0', ' ')
}

/** A whole number with separators: `12,431`. */
function count(amount: number): string {
  return amount.toLocaleString('en')
}

/** What a quote comes to, in a few words. */
export function priceText({ monthlyCost, annualCharge, currency }: Quote): string {
  if (monthlyCost === 0) return 'Free'
  return annualCharge === null
    ? `${money(monthlyCost, currency)} per month`
    : `${money(annualCharge, currency)} per year`
}

/** How many products a rate is for. */
export function bucketText(bucketSize: number): string {
  return bucketSize === 1 ? 'product' : `${count(bucketSize)} products`
}

/** What an option costs anybody, without the account's own count, in a few words. */
export function rateText(option: PurchaseOption): string {
  const { currency } = option
  if (option.pricingModel === 'TieredBuckets') {
    const { ratePerBucket, bucketSize, baseFee } = option
    const each = `${money(ratePerBucket, currency)} per ${bucketText(bucketSize)} per month`
    return baseFee > 0 ? `${each}, plus ${money(baseFee, currency)} per month` : each
  }
  if (option.monthlyRate === 0) return 'Free'
  const monthly = `${money(option.monthlyRate, currency)} per month`
  return option.pricingModel === 'FlatAnnual' ? `${monthly}, billed yearly` : monthly
}

const MODELS = {
  FlatMonthly: 'Fixed fee, billed monthly',
  FlatAnnual: 'Fixed fee, billed yearly',
  TieredBuckets: 'Based on your number of products',
} as const satisfies Record<Quote['pricingModel'], string>

/** How a pricing model works, in a few words. */
export function modelText(model: Quote['pricingModel']): string {
  return MODELS[model]
}

/** A quote of an option with its arithmetic; what costs nothing has none. */
export function quoteView(quote: Quote, option: PurchaseOption): Html {
  const { monthlyCost, pricingModel, buckets } = quote
  const sum = monthlyCost > 0 && arithmetic(quote, option)
  return html`<p class="price">${priceText(quote)}</p>
${
  monthlyCost > 0
    ? html`<p class="fine">${modelText(pricingModel)}.</p>
`
    : buckets === 0 &&
      html`<p class="fine">${modelText(pricingModel)}, and this account has none now.</p>`
}
${sum && html`<p class="fine">${sum}</p>`}`
}

/** How a price is calculated, where there is a calculation to show. */
function arithmetic(quote: Quote, option: PurchaseOption): string | false {
  const { currency, buckets, monthlyCost, annualCharge } = quote
  const records = quote.records ?? 0
  if (option.pricingModel === 'TieredBuckets') {
    const { bucketSize, ratePerBucket, baseFee } = option
    const products = `${count(records)} ${records === 1 ? 'product' : 'products'}`
    const blocks = `${count(buckets ?? 0)} ${buckets === 1 ? 'block' : 'blocks'} of ${count(bucketSize)}`
    const base = baseFee > 0 ? ` + ${money(baseFee, currency)} base fee` : ''
    return `${products} = ${blocks} × ${money(ratePerBucket, currency)}${base}`
  }
  return annualCharge !== null && `12 months × ${money(monthlyCost, currency)}`
}

/** A change of the price: before, after, the difference, and how the new one comes about. */
export function priceChangeView(before: Quote, after: Quote, option: PurchaseOption): Html {
  const sum = after.monthlyCost > 0 && arithmetic(after, option)
  return html`${priceText(before)} →
<strong>${priceText(after)}</strong><br><span class="fine">${priceChange(before, after)}${sum && ` (${sum})`}</span>`
}

/** The difference between two prices, for who is about to change from one to the other. */
function priceChange(before: Quote, after: Quote): string {
  if (before.currency !== after.currency) {
    return `${priceText(before)} today, ${priceText(after)} after the change`
  }
  const monthly = after.monthlyCost - before.monthlyCost
  if (monthly === 0) return 'Same price per month'
  const amount = money(Math.abs(monthly), after.currency)
  return `${amount} ${monthly > 0 ? 'more' : 'less'} per month`
}

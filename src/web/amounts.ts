import type { PurchaseOption } from '../apps/purchase-options.ts'
import type { Quote } from '../apps/quotes.ts'
import { type Html, html } from './html.ts'

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
    ? `${money(monthlyCost, currency)} a month`
    : `${money(annualCharge, currency)} a year`
}

/** What an option costs anybody, without the account's own count, in a few words. */
export function rateText(option: PurchaseOption): string {
  const { currency } = option
  if (option.pricingModel === 'TieredBuckets') {
    const { ratePerBucket, bucketSize, baseFee } = option
    const each = `${money(ratePerBucket, currency)} a month for each ${count(bucketSize)} products`
    return baseFee > 0 ? `${each}, plus ${money(baseFee, currency)} a month` : each
  }
  if (option.monthlyRate === 0) return 'Free'
  const monthly = `${money(option.monthlyRate, currency)} a month`
  return option.pricingModel === 'FlatAnnual' ? `${monthly}, charged once a year` : monthly
}

const MODELS = {
  FlatMonthly: 'Fixed fee, charged monthly',
  FlatAnnual: 'Fixed fee, charged once a year',
  TieredBuckets: 'By the number of your products',
} as const satisfies Record<Quote['pricingModel'], string>

/** How a pricing model works, in a few words. */
export function modelText(model: Quote['pricingModel']): string {
  return MODELS[model]
}

/** A quote with its arithmetic; what costs nothing has none. */
export function quoteView(quote: Quote): Html {
  return html`<p class="price">${priceText(quote)}</p>
${quote.monthlyCost > 0 ? costView(quote) : quote.buckets === 0 && html`<p class="fine">${modelText(quote.pricingModel)}, of which this account has none now.</p>`}`
}

function costView(quote: Quote): Html {
  const { monthlyCost, annualCharge, currency, pricingModel, records } = quote
  const sum = arithmetic(quote)
  const isTiered = pricingModel === 'TieredBuckets'
  return html`<p class="fine">${modelText(pricingModel)}${annualCharge !== null && html` (${money(monthlyCost, currency)} for each month)`}.${isTiered && html` For the ${count(records)} ${records === 1 ? 'product' : 'products'} that this account has now:`}</p>
${sum && html`<p class="fine">${sum}</p>`}`
}

/** The arithmetic of a quote, where there is any. */
function arithmetic({ pricingModel, explanation }: Quote): Html | false {
  return pricingModel !== 'FlatMonthly' && html`<code>${explanation}</code>`
}

/** A change of the price: before, after, the difference, and how the new one comes about. */
export function priceChangeView(before: Quote, after: Quote): Html {
  const sum = after.monthlyCost > 0 && arithmetic(after)
  return html`${priceText(before)} → <strong>${priceText(after)}</strong><br><span class="fine">${priceChange(before, after)}${sum && html` (${sum})`}</span>`
}

/** The difference between two prices, for who is about to change from one to the other. */
function priceChange(before: Quote, after: Quote): string {
  if (before.currency !== after.currency) {
    return `${priceText(before)} now, ${priceText(after)} then`
  }
  const monthly = after.monthlyCost - before.monthlyCost
  if (monthly === 0) return 'The same for each month'
  const amount = money(Math.abs(monthly), after.currency)
  return `${amount} ${monthly > 0 ? 'more' : 'less'} for each month`
}

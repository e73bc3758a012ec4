import { currencyDecimals } from '../../../marketplace/apps/pricing/currencies.ts'
import { formatUnits, plainDecimal, toUnits } from '../../../marketplace/apps/pricing/decimals.ts'
import type { PurchaseOption } from '../../../marketplace/apps/pricing/purchase-options.ts'
import type { Quote } from '../../../marketplace/apps/pricing/quotes.ts'
import { type Html, html } from '../page/html.ts'

const formats = new Map<string, Intl.NumberFormat>()

/**
 * An amount with its currency: `USD 19.50`. It has the decimals that prices and quotes have: those
 * of ISO 4217. `Intl` alone would take CLDR's, which rounds `HUF 0.40` to `HUF 0`.
 */
export function money(amount: number, currency: string): string {
  const format = formats.get(currency) ?? moneyFormat(currency)
  formats.set(currency, format)
  // As text, an amount is formatted with exactly its own digits.
  return format.format(plainDecimal(amount) as `${number}`).replace('\u00a0', ' ')
}

function moneyFormat(currency: string): Intl.NumberFormat {
  const decimals = currencyDecimals(currency)
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}

/** A whole number with separators: `12,431`. */
function count(amount: number): string {
  return amount.toLocaleString('en')
}

/** What a quote comes to, in a few words. */
export function amountText({ monthlyCost, annualCharge, currency }: Quote): string {
  if (monthlyCost === 0) return 'Free'
  return annualCharge === null
    ? `${money(monthlyCost, currency)} per month`
    : `${money(annualCharge, currency)} per year`
}

/** The amount of today: what is free only until the account has products says so. */
export function amountToday(quote: Quote, option: PurchaseOption): string {
  return isFreeForNow(quote, option) ? 'Free today' : amountText(quote)
}

/**
 * What an option costs an account. One without products reads what they will cost, too: `Free today,
 * then USD 9.99 per product per month`, `USD 20.00 per month, plus USD 9.99 per product per month`.
 */
export function priceText(quote: Quote, option: PurchaseOption): string {
  const amount = amountToday(quote, option)
  if (option.pricingModel !== 'TieredBuckets' || quote.buckets !== 0) return amount
  if (option.ratePerBucket === 0) return amount
  return `${amount}, ${isFreeForNow(quote, option) ? 'then' : 'plus'} ${eachText(option)}`
}

function isFreeForNow({ monthlyCost }: Quote, option: PurchaseOption): boolean {
  return monthlyCost === 0 && !isFree(option)
}

/** Whether an option costs nothing, however many products an account has. */
export function isFree(option: PurchaseOption): boolean {
  return option.pricingModel === 'TieredBuckets'
    ? option.ratePerBucket === 0 && option.baseFee === 0
    : option.monthlyRate === 0
}

/** How many products a rate is for. */
export function bucketText(bucketSize: number): string {
  return bucketSize === 1 ? 'product' : `${count(bucketSize)} products`
}

function eachText(option: PurchaseOption & { pricingModel: 'TieredBuckets' }): string {
  const { ratePerBucket, bucketSize, currency } = option
  return `${money(ratePerBucket, currency)} per ${bucketText(bucketSize)} per month`
}

/** What an option costs anybody, without the account's own count, in a few words. */
export function rateText(option: PurchaseOption): string {
  const { currency } = option
  if (isFree(option)) return 'Free'
  if (option.pricingModel === 'TieredBuckets') {
    const { baseFee } = option
    const each = eachText(option)
    return baseFee > 0 ? `${each}, plus ${money(baseFee, currency)} per month` : each
  }
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

/** A quote of an option with its rate and its arithmetic; what costs nothing has none. */
export function quoteView(quote: Quote, option: PurchaseOption): Html {
  return html`<p class="price">${amountToday(quote, option)}</p>
    ${calculation(quote, option)}`
}

/** How the price of an option comes about for an account; nothing where it costs nothing. */
export function calculation(quote: Quote, option: PurchaseOption): Html | false {
  const sum = arithmetic(quote, option)
  const rate = option.pricingModel === 'TieredBuckets' && `: ${rateText(option)}`
  return (
    !isFree(option) &&
    html`<p class="fine">${modelText(option.pricingModel)}${rate}.${quote.buckets === 0 && ' This account has none now.'}</p>
      ${sum && html`<p class="fine">${sum}</p>`}`
  )
}

/** How a price is calculated, where there is a calculation to show. */
function arithmetic(quote: Quote, option: PurchaseOption): string | false {
  const { currency, buckets, monthlyCost, annualCharge } = quote
  if (monthlyCost === 0) return false
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

/** What an account pays for one option. */
type Price = { quote: Quote; option: PurchaseOption }

/** A change of the price: before, after, the difference, how the new one comes about, and the rates. */
export function priceChangeView(before: Price, after: Price): Html {
  const sum = arithmetic(after.quote, after.option)
  const hasOtherRate = isRateChanged(before.option, after.option)
  return html`${amountToday(before.quote, before.option)} →
<strong>${amountToday(after.quote, after.option)}</strong><br><span
class="fine">${priceChange(before.quote, after.quote, hasOtherRate)}${sum && ` (${sum})`}</span>${
    hasOtherRate &&
    html`<br>Rate: ${rateText(before.option)} → <strong>${rateText(after.option)}</strong>`
  }`
}

/** Whether more products come to cost another price: what they cost today does not tell. */
function isRateChanged(before: PurchaseOption, after: PurchaseOption): boolean {
  const isTiered = [before, after].some(({ pricingModel }) => pricingModel === 'TieredBuckets')
  return isTiered && rateText(before) !== rateText(after)
}

/** The sum of what several options cost in a month. */
export function monthlyTotal(costs: readonly number[], currency: string): string {
  const decimals = currencyDecimals(currency) ?? 0
  const sum = costs.reduce((all, cost) => all + toUnits(cost, decimals), 0n)
  return money(Number(formatUnits(sum, decimals)), currency)
}

/** What is charged, and when, for an option that begins today. */
export function chargeText({ monthlyCost, annualCharge, currency }: Quote): string {
  if (monthlyCost === 0) return 'Nothing is charged now.'
  return annualCharge === null
    ? `${money(monthlyCost, currency)} is charged for each month from today on.`
    : `${money(annualCharge, currency)} is charged today, for a year.`
}

/** The difference between two prices, for who is about to change from one to the other. */
function priceChange(before: Quote, after: Quote, hasOtherRate: boolean): string {
  if (before.currency !== after.currency) {
    return `${amountText(before)} today, ${amountText(after)} after the change`
  }
  const { currency } = after
  const decimals = currencyDecimals(currency) ?? 0
  const monthly = toUnits(after.monthlyCost, decimals) - toUnits(before.monthlyCost, decimals)
  if (monthly === 0n) return hasOtherRate ? 'Same price today' : 'Same price per month'
  const amount = Number(formatUnits(monthly < 0n ? -monthly : monthly, decimals))
  return `${money(amount, currency)} ${monthly > 0n ? 'more' : 'less'} per month`
}

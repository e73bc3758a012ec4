import type { PurchaseOption } from '../../../marketplace/apps/pricing/purchase-options.ts'
import { type Html, html } from '../page/html.ts'
import { bucketText, isFree, modelText, money } from './amounts.ts'

/** What an option costs anybody, without the account's own count. */
export function rates(option: PurchaseOption): Html {
  const { currency } = option
  if (isFree(option)) return html`<p class="price">Free</p>`
  if (option.pricingModel === 'TieredBuckets') {
    const base = option.baseFee > 0 && html`, plus ${money(option.baseFee, currency)} per month`
    return html`<p class="price">
        ${money(option.ratePerBucket, currency)}
        <small>per ${bucketText(option.bucketSize)} per month</small>
      </p>
      <p class="fine">${modelText(option.pricingModel)}${base}.</p>`
  }
  return html`<p class="price">${money(option.monthlyRate, currency)} <small>per month</small></p>
    <p class="fine">${modelText(option.pricingModel)}.</p>`
}

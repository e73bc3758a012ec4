import { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import { quote } from '../../marketplace/apps/pricing/quotes.ts'
import { money } from '../shared/app-parts/amounts.ts'
import { type Html, html } from '../shared/page/html.ts'
import { inline, type LinkOf } from './markdown.ts'

/** Numbers of products in the examples. */
const RECORDS = [0, 12_431]

/** Quotes of the options of an example, calculated by the code that calculates the real ones. */
export function pricing(options: unknown, linkOf: LinkOf): Html {
  const rows = PurchaseOption.array()
    .parse(options)
    .flatMap((option) => {
      // Flat prices do not depend on the number of products.
      const counts = option.pricingModel === 'TieredBuckets' ? RECORDS : RECORDS.slice(-1)
      return counts.map((records) => ({ option, records, quoted: quote(option, records) }))
    })
  return html`<p>${inline(
    'Only products count, and a started bucket counts as a whole one. Amounts are calculated in whole ' +
      'minor units of the currency. `GET ' +
      '/v1/Apps/{appId}/PurchaseOptions/{id}/Quote?records=12431` answers the same with its ' +
      'arithmetic.',
    linkOf,
  )}</p>
<div class="table" tabindex="0" role="region" aria-label="What each option costs"><table>
<thead><tr>
<th>Option of the example</th>
<th>Pricing model</th>
<th>Products</th>
<th>A month</th>
<th>A year at once</th>
<th>How</th>
</tr></thead>
<tbody>${rows.map(
    ({ option, records, quoted }) => html`<tr>
<td>${option.name}</td>
<td><code>${quoted.pricingModel}</code></td>
<td>${records.toLocaleString('en-US')}</td>
<td>${money(quoted.monthlyCost, quoted.currency)}</td>
<td>${quoted.annualCharge === null ? '–' : money(quoted.annualCharge, quoted.currency)}</td>
<td>${quoted.explanation}</td>
</tr>`,
  )}</tbody>
</table></div>`
}

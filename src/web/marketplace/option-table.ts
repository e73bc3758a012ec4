import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import {
  amountToday,
  calculation,
  isFree,
  modelText,
  rateText,
} from '../shared/app-parts/amounts.ts'
import { type Html, html } from '../shared/page/html.ts'
import { paragraphs } from '../shared/page/paragraphs.ts'
import { type Account, type AskedSettings, canBegin } from './account-on-listing.ts'

type OptionTableInput = {
  options: readonly PurchaseOption[]
  /** Whose prices are shown; the general rates without one. */
  account: Account | undefined
  /** What has to be entered for each option, where that is known. */
  asked: AskedSettings | undefined
  /** Path of the listing. */
  path: string
}

type Row = [label: string, cell: (option: PurchaseOption, index: number) => Html | string]

const BILLED = {
  FlatMonthly: 'Monthly',
  FlatAnnual: 'Yearly',
  TieredBuckets: 'Monthly',
} as const satisfies Record<PurchaseOption['pricingModel'], string>

/** More names of settings in a cell are only counted. */
const NAMED_MAX = 6

/** The purchase options side by side, a column each; on a narrow screen they scroll in a box of their own. */
export function optionTable({ options, account, asked, path }: OptionTableInput): Html {
  const rows: Row[] = [
    [
      'Price',
      (option, index) => {
        const quote = account?.quotes[index]
        return html`<strong>${quote === undefined ? rateText(option) : amountToday(quote, option)}</strong>`
      },
    ],
    [
      'How it is calculated',
      (option, index) => {
        const quote = account?.quotes[index]
        if (isFree(option)) return 'No fee'
        return (quote && calculation(quote, option)) || modelText(option.pricingModel)
      },
    ],
    ['Billed', (option) => (isFree(option) ? 'Never' : BILLED[option.pricingModel])],
    ...(asked === undefined
      ? []
      : [['You enter', ({ id }) => enteredText(asked.get(id) ?? [])] satisfies Row]),
    ...(account === undefined || !canBegin(account)
      ? []
      : [['Next step', ({ id, name }) => chooseLink(account, id, name, path)] satisfies Row]),
  ]
  return html`<section class="card" aria-labelledby="options">
    <h2 id="options">Compare the options</h2>
    <div class="table compared" tabindex="0" role="region" aria-label="Options side by side">
      <table>
        <thead>
          <tr>
            <td></td>
            ${options.map(
              ({ name, description }) => html`<th scope="col">
                <bdi>${name}</bdi>
                ${description !== '' && paragraphs(description)}
              </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([label, cell]) => html`<tr>
              <th scope="row">${label}</th>
              ${options.map((option, index) => html`<td>${cell(option, index)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`
}

function enteredText(names: readonly string[]): Html | string {
  if (names.length === 0) return 'Nothing'
  const more = names.length - NAMED_MAX
  return html`${names.slice(0, NAMED_MAX).map((name, index) => html`${index > 0 && ', '}<bdi>${name}</bdi>`)}${
    more > 0 && ` and ${more} more`
  }`
}

/** Chooses an option, and so passes over the first step of the install. */
function chooseLink({ partyId }: Account, id: string, name: string, path: string): Html {
  const query = new URLSearchParams({ partyId: String(partyId), purchaseOptionId: id })
  return html`<a class="button" href="${path}/Install?${query.toString()}">
    Choose<span class="visually-hidden"> ${name}</span></a>`
}

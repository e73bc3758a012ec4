import type { OfferedPartyType, PartyType } from '../../base/values/party-type.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import { quote } from '../../marketplace/apps/pricing/quotes.ts'
import { appFace } from '../kit/avatar.ts'
import { isFree, money } from '../shared/app-parts/amounts.ts'
import { type Html, html } from '../shared/page/html.ts'
import { excerpt } from '../shared/page/paragraphs.ts'

/** An app in the directory. */
export type AppCard = {
  id: string
  name: string
  /** A line of its listing; empty for none. */
  tagline: string
  iconId: string | null
  developerName: string
  description: string
  partyTypes: string[]
  purchaseOptions: PurchaseOption[]
}

/** What the directory looks for. */
export type DirectorySearch = {
  q: string
  /** Undefined for everyone, null for whatever fits the account that the visitor has chosen. */
  partyType: OfferedPartyType | undefined | null
  /** Id of the last app of the page before. */
  after: string | undefined
}

/** A page of the directory. */
export type Directory = {
  apps: AppCard[]
  next: string | undefined
  /** Ids of the apps that the visitor has. */
  installed: ReadonlySet<string>
  /** Ids of the apps that the account that was chosen cannot have -> why, in words. */
  refused: ReadonlyMap<string, string>
  /** The type of the account that the apps fit, where they were chosen by it. */
  fits: PartyType | undefined
  /** How many others there are, which do not fit it. */
  others: number
}

type Shown = {
  isInstalled?: boolean
  /** Why the app cannot be had, in the place of its price. */
  refusal?: string | undefined
  /** Of its heading. */
  level?: 2 | 3
}

/** An app in a list of cards: what it is, what it costs, and how it stands. */
export function appCard(app: AppCard, { isInstalled, refusal, level = 2 }: Shown = {}): Html {
  const [only] = app.partyTypes.length === 1 ? app.partyTypes : []
  const link = html`<a href="/Apps/${encodeURIComponent(app.id)}"><bdi>${app.name}</bdi></a>`
  return html`<li class="card app-card">
    <div class="app-card-head">
      ${appFace(app.id, app.iconId)}
      <div class="row-text">
        ${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
        <span class="row-note">by <bdi>${app.developerName}</bdi></span>
      </div>
    </div>
    <p class="clamped" dir="auto">${app.tagline || excerpt(app.description)}</p>
    <p class="card-foot">
      <span class="from">${refusal ?? priceHint(app)}</span>
      ${isInstalled ? html`<span class="ticked">Installed</span>` : only && html`<span>For ${only}s</span>`}
    </p>
  </li>`
}

/** Whether an app is free; else the lowest monthly price in the currency of the first option. */
function priceHint({ purchaseOptions: options }: AppCard): string {
  if (options.every(isFree)) return 'Free'
  if (options.some(isFree)) return 'Free plan available'
  const [first] = options
  const currency = first?.currency ?? 'USD'
  const rates = options
    .filter((option) => option.currency === currency)
    .map((option) => quote(option, 1).monthlyCost)
  // A single fixed price begins nowhere.
  const isFixed = options.length === 1 && first?.pricingModel !== 'TieredBuckets'
  return `${isFixed ? '' : 'From '}${money(Math.min(...rates), currency)} per month`
}

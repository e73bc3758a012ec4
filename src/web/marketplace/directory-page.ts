import type { OfferedPartyType } from '../../base/values/party-type.ts'
import { quote } from '../../marketplace/apps/pricing/quotes.ts'
import { isFree, money } from '../shared/app-parts/amounts.ts'
import { describedBy, type FormProblem, problemSummary } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, type PageShell, page, tile } from '../shared/page/html-page.ts'
import { excerpt } from '../shared/page/paragraphs.ts'
import type { AppCard } from './app-card.ts'

type DirectoryPageInput = PageShell & {
  search: { q: string; partyType: OfferedPartyType | undefined; after: string | undefined }
  /** What cannot be read of the search: then nothing is listed. */
  problems: readonly FormProblem[]
  apps: readonly AppCard[]
  /** Ids of the apps that the visitor has. */
  installed: ReadonlySet<string>
  /** Ids of the apps that the account that was chosen cannot have -> why, in words. */
  refused: ReadonlyMap<string, string>
  /** Where the next page begins, if there is one. */
  next: string | undefined
}

/** The directory: every listed app, to be searched and filtered. */
export function directoryPage(input: DirectoryPageInput): HtmlPage {
  const { search, apps, next, installed, problems, refused } = input
  const filtered = search.q !== '' || search.partyType !== undefined || problems.length > 0
  const [q, partyType] = [describedBy(problems, 'q'), describedBy(problems, 'partyType')]
  const body = html`<div class="page-head"><h1>Apps</h1>
<p class="lead">See what an app does, its permissions and its price before you install it.</p></div>
${problemSummary(problems)}
<form class="search" method="get" action="/Apps" role="search">
<div class="field"><label for="q">Search</label>
${q.message}<input id="q" name="q" type="search" maxlength="200" value="${search.q}" dir="auto"${q.attributes}>
</div>
<div class="field"><label for="partyType">Offered to</label>
${partyType.message}<select id="partyType" name="partyType"${partyType.attributes}>
<option value="">Everyone</option>
${['Buyer', 'Seller'].map(
  (
    type,
  ) => html`<option value="${type}"${search.partyType === type && html` selected`}>${type}s</option>
`,
)}</select></div>
<button class="button primary" type="submit">Find apps</button></form>
${
  filtered &&
  html`<p class="muted">
${resultText(apps.length, next !== undefined || search.after !== undefined)} <a href="/Apps">Show all apps</a>
</p>`
}
${
  apps.length === 0
    ? empty(filtered)
    : html`<ul class="cards">
${apps.map((app) => card(app, installed.has(app.id), refused.get(app.id)))}</ul>`
}
${
  next !== undefined &&
  html`<p class="actions"><a class="button" href="${nextPath(search, next)}">More apps</a></p>`
}`
  return page({ ...input, title: 'Apps', hasProblems: problems.length > 0, section: 'apps', body })
}

function resultText(shown: number, isPart: boolean): string {
  if (shown === 0) return 'No results.'
  return isPart ? `${shown} on this page.` : `${shown} ${shown === 1 ? 'app' : 'apps'} found.`
}

function empty(filtered: boolean): Html {
  return filtered
    ? html`<div class="card"><div class="empty"><p class="empty-title">No results</p><p>
Change or clear the search.</p></div></div>`
    : html`<div class="card"><div class="empty"><p class="empty-title">No apps yet</p><p>
Apps appear here when developers list them. <a href="/docs">How to publish an app</a></p></div></div>`
}

function card(app: AppCard, isInstalled: boolean, refusal: string | undefined): Html {
  return html`<li class="card app-card"><div class="app-card-head">${tile(app.name)}<div class="row-text">
<h2><a href="/Apps/${encodeURIComponent(app.id)}"><bdi>${app.name}</bdi></a></h2>
<span class="row-note">by <bdi>${app.developerName}</bdi></span></div></div>
<p dir="auto">${excerpt(app.description)}</p>
<p class="badges">${app.partyTypes.map(
    (type) => html`<span
class="badge badge-${type.toLowerCase()}">${type}s</span>`,
  )}${
    isInstalled && html`<span class="badge badge-on">Installed</span>`
  }<span class="from">${refusal ?? priceHint(app)}</span>
</p></li>
`
}

/** Whether an app is free; else the lowest monthly price in the currency of the first option. */
function priceHint(app: AppCard): string {
  const options = app.purchaseOptions
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

function nextPath({ q, partyType }: DirectoryPageInput['search'], after: string): string {
  const query = new URLSearchParams({
    ...(q === '' ? {} : { q }),
    ...(partyType === undefined ? {} : { partyType }),
    after,
  })
  return `/Apps?${query}`
}

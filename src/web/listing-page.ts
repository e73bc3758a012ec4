import type { PurchaseOption } from '../apps/purchase-options.ts'
import type { SuspensionCause } from '../installations/suspension-causes.ts'
import { modelText, money, quoteView } from './amounts.ts'
import { documentKind, termsPath } from './consent-view.ts'
import { type Html, html } from './html.ts'
import type { Account, ListedApp } from './listing.ts'
import { type PageParty, type PageShell, page, partyBadge, tile } from './page.ts'
import { paragraphs } from './paragraphs.ts'
import { permissionList } from './permission-view.ts'
import { suspensionNotices } from './suspension-notices.ts'

type ListingPageInput = PageShell & {
  app: ListedApp
  listed: boolean
  suspensions: readonly SuspensionCause[]
  options: readonly PurchaseOption[]
  accounts: readonly Account[]
  /** The account that prices are shown for; undefined when nobody is signed in. */
  account: Account | undefined
}

/** What somebody decides by: what an app does, may do, asks for and costs. */
export function listingPage(input: ListingPageInput): string {
  const { app, listed, account } = input
  const { user, csrfToken, assetVersion } = input
  const path = `/Apps/${encodeURIComponent(app.id)}`
  const body = html`<div class="listing-head">
${tile(app.name)}
<div class="listing-title"><h1><bdi>${app.name}</bdi></h1><p class="row-note">by <bdi>${app.developerName}</bdi> · version <bdi>${app.version}</bdi></p>
<p class="badges">${app.partyTypes.map((type) => html`<span class="badge badge-${type.toLowerCase()}">For ${type}s</span>`)}${!listed && html`<span class="badge badge-none">Not listed: only your sandbox sees it</span>`}</p></div>
${callToAction(input, path)}
</div>
${suspensionNotices(input.suspensions)}
<div class="columns">
<div class="column">
<section class="card" aria-labelledby="about"><h2 id="about">What it does</h2>${app.description.trim() === '' ? html`<p>The developer has not said yet.</p>` : paragraphs(app.description)}</section>
<section class="card" aria-labelledby="permissions"><h2 id="permissions">What it may do</h2><p class="muted">Nothing else, for the account you install it for only, and until you remove it.</p>${permissionList(app.permissions)}</section>
</div>
<div class="column">
${asked(app)}
${links(app)}
</div>
</div>
<section class="stack" aria-labelledby="prices"><div class="page-head"><h2 id="prices">What it costs</h2>${input.user ? costLine(account) : html`<p class="muted"><a href="/login?next=${encodeURIComponent(path)}">Sign in</a> to see what each option would cost your account.</p>`}</div>
${accountSwitch(input, path)}
<ul class="options">${input.options.map((option, index) => optionCard(option, index, input, path))}</ul>
</section>`
  return page({ user, csrfToken, assetVersion, title: app.name, section: 'apps', body })
}

function callToAction(
  { app, user, account, accounts, options }: ListingPageInput,
  path: string,
): Html {
  if (!user) {
    return html`<p class="actions"><a class="button primary" href="/login?next=${encodeURIComponent(path)}">Sign in to install</a></p>`
  }
  if (account === undefined) {
    return html`<p class="notice">You belong to no account that apps could be installed for. Ask the operator of this marketplace to add you to one.</p>`
  }
  if (account.installationId !== null) {
    const open =
      account.canOpen &&
      html`<a class="button primary" href="/Apps/Authenticate/${encodeURIComponent(app.id)}?partyId=${account.partyId}">Open<span class="visually-hidden"> ${app.name}</span></a>`
    return html`<p class="actions"><span class="badge badge-on">Installed</span> ${open} <a class="button" href="/Installed/${account.installationId}">Manage</a></p>`
  }
  const able = accounts.some(({ obstacle, installationId }) => obstacle === null && !installationId)
  if (!able) return html`<p class="notice warning">${account.obstacle}</p>`
  const query =
    account.obstacle === null
      ? `?partyId=${account.partyId}${options.length === 1 ? `&purchaseOptionId=${encodeURIComponent(options[0]?.id ?? '')}` : ''}`
      : ''
  return html`<p class="actions"><a class="button primary large" href="${path}/Install${query}">Install</a></p>`
}

function costLine(account: PageParty | undefined): Html | false {
  return (
    account !== undefined &&
    html`<p class="muted">For <strong><bdi>${account.partyName}</bdi></strong> ${partyBadge(account.partyType)} as of now.</p>`
  )
}

function accountSwitch({ accounts, account }: ListingPageInput, path: string): Html | false {
  if (accounts.length < 2) return false
  return html`<form class="search" method="get" action="${path}"><div class="field"><label for="partyId">Account</label><select id="partyId" name="partyId">${accounts.map((one) => html`<option value="${one.partyId}"${one.partyId === account?.partyId && html` selected`}>${one.partyName}</option>`)}</select></div><button class="button" type="submit">Show its prices</button></form>`
}

function optionCard(
  option: PurchaseOption,
  index: number,
  { account, options }: ListingPageInput,
  path: string,
): Html {
  const quote = account?.quotes[index]
  const canInstall = account?.obstacle === null && account.installationId === null
  const query = `?partyId=${account?.partyId}&purchaseOptionId=${encodeURIComponent(option.id)}`
  return html`<li class="card option"><h3><bdi>${option.name}</bdi></h3>
${option.description !== '' && paragraphs(option.description)}
${quote === undefined ? rates(option) : quoteView(quote)}
${canInstall && options.length > 1 && html`<p class="actions"><a class="button" href="${path}/Install${query}">Choose<span class="visually-hidden"> ${option.name}</span></a></p>`}</li>
`
}

/** What an option costs anybody, without the account's own count. */
export function rates(option: PurchaseOption): Html {
  const { currency } = option
  if (option.pricingModel === 'TieredBuckets') {
    return html`<p class="price">${money(option.ratePerBucket, currency)} <small>for each ${option.bucketSize.toLocaleString('en')} products, a month</small></p>
<p class="fine">${modelText(option.pricingModel)}${option.baseFee > 0 && html`, plus ${money(option.baseFee, currency)} a month`}.</p>`
  }
  if (option.monthlyRate === 0) return html`<p class="price">Free</p>`
  return html`<p class="price">${money(option.monthlyRate, currency)} <small>a month</small></p>
<p class="fine">${modelText(option.pricingModel)}.</p>`
}

function asked({ id, acknowledgements, termsDocument }: ListedApp): Html | false {
  if (acknowledgements.length === 0 && termsDocument === null) return false
  return html`<section class="card" aria-labelledby="asked"><h2 id="asked">What you will be asked to accept</h2>
${acknowledgements.map(({ title, text }) => html`<div><h3><bdi>${title}</bdi></h3>${paragraphs(text)}</div>`)}
${termsDocument !== null && html`<p><a href="${termsPath(id)}">Download the terms and conditions</a> <span class="fine">(${documentKind(termsDocument)})</span></p>`}</section>
`
}

function links({ id, websiteUrl, supportUrl, developerName }: ListedApp): Html {
  return html`<section class="card" aria-labelledby="facts"><h2 id="facts">Details</h2><dl class="facts"><dt>Developer</dt><dd><bdi>${developerName}</bdi></dd>${outside(websiteUrl, 'Website')}${outside(supportUrl, 'Support')}<dt>App id</dt><dd><code>${id}</code></dd></dl></section>`
}

/** An address that a developer gave, as a fact with a link; nothing when there is none. */
export function outside(url: string | null, label: string): Html | false {
  return (
    isWebAddress(url) &&
    html`<dt>${label}</dt><dd><a href="${url}" rel="noopener noreferrer nofollow"><bdi>${hostOf(url)}</bdi></a></dd>`
  )
}

/** Anything else, such as `javascript:`, is no link; definitions are checked for it as well. */
function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url) && URL.canParse(url)
}

function hostOf(url: string): string {
  return new URL(url).host
}

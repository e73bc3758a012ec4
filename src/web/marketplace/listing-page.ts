import type { AppDefinition } from '../../marketplace/apps/definition.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import { quoteView } from '../shared/app-parts/amounts.ts'
import { documentKind, termsPath } from '../shared/app-parts/consent-view.ts'
import { openLink } from '../shared/app-parts/open-link.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import { rates } from '../shared/app-parts/rates-view.ts'
import { bdi, card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, type PageShell, page, partyBadge, tile } from '../shared/page/html-page.ts'
import { outsideLink } from '../shared/page/outside-link.ts'
import { paragraphs } from '../shared/page/paragraphs.ts'
import { backgroundBadge, statusBadge } from '../shared/status/status-badge.ts'
import { suspensionNotices } from '../shared/status/suspension-notices.ts'
import {
  type Account,
  accountsListed,
  canBegin,
  canInstall,
  canRequest,
  type ListedApp,
} from './account-on-listing.ts'
import { otherAccountNotice } from './other-account.ts'

/**
 * What of a definition the listing shows; a new member without a place here does not compile. The
 * install asks for settings, and the redirect is the developer's affair.
 */
export const ON_LISTING = {
  id: true,
  name: true,
  description: true,
  partyTypes: true,
  version: true,
  permissions: true,
  purchaseOptions: true,
  acknowledgements: true,
  websiteUrl: true,
  supportUrl: true,
  settings: false,
  authReturnUrl: false,
  tokenDelivery: false,
  redirectErrors: false,
} satisfies Record<keyof AppDefinition, boolean>

type ListingPageInput = PageShell & {
  app: ListedApp
  listed: boolean
  suspensions: readonly SuspensionCause[]
  options: readonly PurchaseOption[]
  accounts: readonly Account[]
  /** Whether it works without being opened. */
  background: boolean
  /** The account that the page is about; undefined when nobody is signed in. */
  account: Account | undefined
  /** Whether the visitor has chosen one account for all pages. */
  hasChosen: boolean
}

/** What somebody decides by: what an app does, may do, asks for and costs. */
export function listingPage(input: ListingPageInput): HtmlPage {
  const { app, listed } = input
  const { user, csrfToken, assetVersion } = input
  const path = `/Apps/${encodeURIComponent(app.id)}`
  const body = html`<div class="listing-head">
${tile(app.name)}
<div class="listing-title"><h1><bdi>${app.name}</bdi></h1><p class="row-note">
by <bdi>${app.developerName}</bdi> · version <bdi>${app.version}</bdi></p>
<p class="badges">${app.partyTypes.map(
    (type) => html`<span class="badge badge-${type.toLowerCase()}">For
${type}s</span>`,
  )}${!listed && html`<span class="badge badge-none">Not listed: only your sandbox sees it</span>`}
</p></div>
${callToAction(input, path)}</div>
${suspensionNotices(input.suspensions)}
<div class="columns">
<div class="column">
${card(
  'about',
  'Description',
  html`${
    app.description.trim() === ''
      ? html`<p>No description yet.</p>
`
      : paragraphs(app.description)
  }`,
)}
${card(
  'permissions',
  'Permissions',
  html`<p class="muted">
The app can do only what is listed here, for this account, until you uninstall it.</p>
${permissionList(app.permissions)}`,
)}</div>
<div class="column">
${accountsCard(input, path)}
${asked(app)}
${links(app)}</div></div>
${prices(input, path)}`
  return page({
    user,
    csrfToken,
    assetVersion,
    title: app.name,
    section: 'apps',
    body,
  })
}

function callToAction(input: ListingPageInput, path: string): Html {
  const { user, csrfToken = '', account, accounts, options, background } = input
  if (!user) {
    return html`<p class="actions">
<a class="button primary" href="/login?next=${encodeURIComponent(path)}">Sign in to install</a></p>`
  }
  if (account === undefined) {
    return html`<p class="notice">
You do not belong to an account that can install apps. Ask the operator of this marketplace to add you to one.
</p>`
  }
  const whom = accountsListed(accounts).length > 1 && html` for <bdi>${account.partyName}</bdi>`
  if (account.installationId !== null) {
    const { id: appId, name: appName } = input.app
    const { partyId, site } = account
    const open = openLink({ appId, appName, partyId, site })
    return html`<p class="actions">
<span class="badge badge-on">Installed${whom}</span> ${
      account.isSuspended ? statusBadge('suspended') : background && backgroundBadge
    }
${account.canOpen && open} <a class="button" href="/Installed/${account.installationId}">Manage</a>
</p>`
  }
  const refusal =
    !canInstall(account) && otherAccountNotice({ account, accounts, csrfToken, next: path })
  if (refusal !== false && !canRequest(account)) return refusal
  const [only] = options.length === 1 ? options : []
  const query = new URLSearchParams({
    partyId: String(account.partyId),
    ...(only && { purchaseOptionId: only.id }),
  })
  const what = canInstall(account) ? 'Install' : 'Request install'
  return html`${refusal}<p class="actions">
<a class="button primary large" href="${path}/Install?${query.toString()}"><span>${what}${whom}</span></a></p>
`
}

/** Whether there is a price to tell: not to an account that cannot have the app. */
function isPriced({ account }: ListingPageInput): boolean {
  return account === undefined || account.obstacle === null || account.installationId !== null
}

function prices(input: ListingPageInput, path: string): Html | false {
  const { user, account, options } = input
  if (!isPriced(input)) return false
  const whose = user
    ? account &&
      html`<p class="muted">
Prices for <strong><bdi>${account.partyName}</bdi></strong> ${partyBadge(account.partyType)} today</p>`
    : html`<p class="muted">
<a href="/login?next=${encodeURIComponent(path)}">Sign in</a> to see prices for your account.</p>`
  return html`<section class="stack" aria-labelledby="prices"><div class="page-head">
<h2 id="prices">Price</h2>${whose}</div>
<ul class="options">${options.map((option, index) => optionCard(option, index, input, path))}</ul></section>`
}

/** For which of the visitor's accounts the app is installed, and for which it can be. */
function accountsCard({ accounts, account, hasChosen }: ListingPageInput, path: string) {
  const listed = accountsListed(accounts)
  if (listed.length < 2) return false
  const row = (one: Account) =>
    html`<li class="row">
<span class="row-text"><span class="row-name">${accountName(one, account, path)}</span>
<span class="badges">${partyBadge(one.partyType)}${
      one.installationId !== null && html`<span class="badge badge-on">Installed</span>`
    }</span>${
      one.installationId === null &&
      !canInstall(one) &&
      html`<span
class="fine">${one.obstacle ?? (one.requestId === null ? 'You are a member.' : 'You asked for this app.')}</span>`
    }</span>${accountAction(one, path, hasChosen)}
</li>
`
  return html`<section class="card flush" aria-labelledby="accounts"><div class="section-head">
<h2 id="accounts">Your accounts</h2></div><ul class="rows">${listed.map(row)}</ul></section>`
}

/** The name of an account; a link to its prices unless the page shows them. */
function accountName(one: Account, shown: Account | undefined, path: string): Html {
  const name = html`<bdi>${one.partyName}</bdi>`
  if (one.partyId === shown?.partyId) return html`<span aria-current="true">${name}</span>`
  return html`<a href="${path}?partyId=${one.partyId}">${name}</a>`
}

/** Installs are for the account that was chosen for all pages, where one was. */
function accountAction(one: Account, path: string, hasChosen: boolean): Html | false {
  if (one.installationId !== null) {
    return html`<a class="button small" href="/Installed/${one.installationId}">Manage<span
class="visually-hidden"> for ${one.partyName}</span></a>`
  }
  return (
    canInstall(one) &&
    !hasChosen &&
    html`<a class="button small" href="${path}/Install?partyId=${one.partyId}">Install<span
class="visually-hidden"> for ${one.partyName}</span></a>`
  )
}

function optionCard(
  option: PurchaseOption,
  index: number,
  { account, options }: ListingPageInput,
  path: string,
): Html {
  const quote = account?.quotes[index]
  const isOffered = account !== undefined && canBegin(account)
  const query = `?partyId=${account?.partyId}&purchaseOptionId=${encodeURIComponent(option.id)}`
  return html`<li class="card option"><h3><bdi>${option.name}</bdi></h3>
${option.description !== '' && paragraphs(option.description)}
${quote === undefined ? rates(option) : quoteView(quote, option)}
${
  isOffered &&
  options.length > 1 &&
  html`<p class="actions">
<a class="button" href="${path}/Install${query}">Choose<span class="visually-hidden"> ${option.name}</span></a>
</p>`
}</li>
`
}

function asked({ id, acknowledgements, termsDocument }: ListedApp): Html | false {
  if (acknowledgements.length === 0 && termsDocument === null) return false
  return html`<section class="card" aria-labelledby="asked"><h2 id="asked">Before you install</h2>
${acknowledgements.map(({ title, text }) => html`<div><h3><bdi>${title}</bdi></h3>${paragraphs(text)}</div>`)}
${
  termsDocument !== null &&
  html`<p>
<a href="${termsPath(id)}">Download the terms and conditions</a> <span class="fine">(${documentKind(termsDocument)})</span>
</p>`
}</section>
`
}

function links({ id, websiteUrl, supportUrl, developerName }: ListedApp): Html {
  return html`${card(
    'facts',
    'Details',
    html`<dl class="facts">
${fact('Developer', bdi(developerName))}${outsideLink(websiteUrl, 'Website')}${outsideLink(
  supportUrl,
  'Support',
)}${fact('App ID', html`<code>${id}</code>`)}</dl>`,
  )}`
}

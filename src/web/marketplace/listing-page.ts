import type { AppDefinition } from '../../marketplace/apps/definition.ts'
import type { AppListing } from '../../marketplace/apps/listing/app-listing.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import type { Visibility } from '../../marketplace/apps/visibility/visibility.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import { actionList } from '../kit/action-list.ts'
import { appFace } from '../kit/avatar.ts'
import { stateBadge, typeBadge } from '../kit/badge.ts'
import { framePage } from '../kit/frame.ts'
import { priceText, quoteView, rateText } from '../shared/app-parts/amounts.ts'
import { documentKind, termsPath } from '../shared/app-parts/consent-view.ts'
import { disclosureCard } from '../shared/app-parts/disclosure-view.ts'
import { openLink } from '../shared/app-parts/open-link.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import { rates } from '../shared/app-parts/rates-view.ts'
import { releaseNotesCard } from '../shared/app-parts/release-notes-view.ts'
import { screenshotsView } from '../shared/app-parts/screenshots-view.ts'
import { optionRadio } from '../shared/forms/option-radio.ts'
import { bdi, card, fact } from '../shared/page/blocks.ts'
import { copied } from '../shared/page/copied.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, type PageShell, partyBadge } from '../shared/page/html-page.ts'
import { outsideLink } from '../shared/page/outside-link.ts'
import { paragraphs } from '../shared/page/paragraphs.ts'
import { publicMarkdown } from '../shared/page/public-markdown.ts'
import { backgroundBadge, statusBadge } from '../shared/status/status-badge.ts'
import { suspensionNotices } from '../shared/status/suspension-notices.ts'
import {
  type Account,
  type AskedSettings,
  accountsListed,
  canBegin,
  canInstall,
  canRequest,
  type ListedApp,
} from './account-on-listing.ts'
import { optionTable } from './option-table.ts'
import { otherAccountNotice } from './other-account.ts'
import { sharing } from './sharing.ts'

/**
 * What of a definition the listing shows; a new member without a place here does not compile. The
 * table names the settings that have to be entered, and the redirect is the developer's affair.
 */
export const ON_LISTING = {
  id: true,
  name: true,
  description: true,
  partyTypes: true,
  version: true,
  releaseNotes: true,
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

/** What the listing says of who else finds the app. */
const FINDERS: Readonly<Record<Visibility, string>> = {
  draft: 'Draft: only your sandbox sees it',
  private: 'Private: only chosen accounts see it',
  unlisted: 'Not listed: only those with the address see it',
  listed: '',
}

type ListingPageInput = PageShell & {
  app: ListedApp
  visibility: Visibility
  words: AppListing
  suspensions: readonly SuspensionCause[]
  options: readonly PurchaseOption[]
  /** What has to be entered for each option, where there are several and that is known. */
  asked: AskedSettings | undefined
  accounts: readonly Account[]
  /** Whether it works without being opened. */
  background: boolean
  /** The account that the page is about; undefined when nobody is signed in. */
  account: Account | undefined
  /** Whether the visitor has chosen one account for all pages. */
  hasChosen: boolean
  /** Public address of this server, without a trailing slash. */
  publicUrl: string
}

/** What somebody decides by: what an app costs, does, may do and asks for. */
export function listingPage(input: ListingPageInput): HtmlPage {
  const { app, words, visibility, options, account, asked, publicUrl } = input
  const path = `/Apps/${encodeURIComponent(app.id)}`
  const content = html`<div class="app-listing">
    <aside class="listing-side" aria-label="Price and install">
      ${buyCard(input, path)}
      ${accountsCard(input, path)}
    </aside>
    <div class="column">
      ${screenshotsView(app)}
      ${card('about', 'Description', descriptionOf(app, words))}
      ${options.length > 1 && isPriced(input) && optionTable({ options, account, asked, path })}
      ${card(
        'permissions',
        'Permissions',
        html`<p class="muted">The app can do only what is listed here, for this account, until you uninstall it.</p>
          ${permissionList(app.permissions)}`,
      )}
      ${confirmations(app)}
      ${releaseNotesCard(app)}
      ${disclosureCard(words)}
      ${details(app)}
    </div>
  </div>`
  return framePage({ console: 'marketplace', section: 'apps' }, input, {
    title: app.name,
    head: html`${listingHead(input)}
      ${suspensionNotices(input.suspensions)}`,
    sharing:
      visibility === 'listed' &&
      sharing({
        title: app.name,
        description: app.tagline || app.description.trim() || `${app.name} by ${app.developerName}`,
        url: publicUrl + path,
      }),
    content,
  })
}

function listingHead({ app, visibility }: ListingPageInput): Html {
  return html`<div class="listing-head">
    ${appFace(app.id, app.icon?.id)}
    <div class="listing-title">
      <h1><bdi>${app.name}</bdi></h1>
      ${app.tagline !== '' && html`<p class="lead"><bdi>${app.tagline}</bdi></p>`}
      <p class="row-note">by <bdi>${app.developerName}</bdi> · version <bdi>${app.version}</bdi></p>
      <p class="badges">
        ${app.partyTypes.map((type) => typeBadge(`For ${type}s`))}
        ${FINDERS[visibility] !== '' && stateBadge('idle', FINDERS[visibility])}
      </p>
    </div>
  </div>`
}

function descriptionOf({ description }: ListedApp, { longDescription }: AppListing): Html {
  if (description.trim() === '' && longDescription.trim() === '') {
    return html`<p>No description yet.</p>`
  }
  return html`${description.trim() !== '' && paragraphs(description)}
    ${longDescription.trim() !== '' && publicMarkdown(longDescription)}`
}

/** The price for the account, and the next step: sign in, install, request, or open. */
function buyCard(input: ListingPageInput, path: string): Html {
  return html`<section class="card buy" aria-labelledby="price">
    <h2 id="price">${isPriced(input) ? 'Price' : 'Install'}</h2>
    ${isPriced(input) && pricesOf(input)}
    ${nextStep(input, path)}
  </section>`
}

/** Whether there is a price to tell: not to an account that cannot have the app. */
function isPriced({ account }: ListingPageInput): boolean {
  return account === undefined || account.obstacle === null || account.installationId !== null
}

function pricesOf({ account }: ListingPageInput): Html | false {
  return (
    account !== undefined &&
    html`<p class="muted">
      Prices for <strong><bdi>${account.partyName}</bdi></strong> ${partyBadge(account.partyType)} today
    </p>`
  )
}

/** The only option with its price in full, or each in a line. */
function optionPrices({ options, account }: ListingPageInput): Html {
  const [only] = options.length === 1 ? options : []
  if (only !== undefined) {
    const quote = account?.quotes[0]
    return html`<p class="row-name"><bdi>${only.name}</bdi></p>
      ${only.description !== '' && paragraphs(only.description)}
      <div>${quote === undefined ? rates(only) : quoteView(quote, only)}</div>`
  }
  return html`<ul class="price-list">
    ${options.map(
      (option, index) => html`<li>
        <bdi>${option.name}</bdi>
        <strong>${shortPrice(option, account, index)}</strong>
      </li>`,
    )}
  </ul>`
}

function shortPrice(option: PurchaseOption, account: Account | undefined, index: number): string {
  const quote = account?.quotes[index]
  return quote === undefined ? rateText(option) : priceText(quote, option)
}

function nextStep(input: ListingPageInput, path: string): Html {
  const { user, csrfToken = '', account, accounts, options, background } = input
  if (!user) {
    const signIn = `/login?next=${encodeURIComponent(path)}`
    return html`${optionPrices(input)}
      <p class="actions"><a class="button primary large" href="${signIn}">Sign in to install</a></p>
      <p class="fine">Signed in, you see the price for your account.</p>`
  }
  if (account === undefined) {
    return html`${optionPrices(input)}
      <p class="notice">
        You do not belong to an account that can install apps. Ask the operator of this marketplace to add you to one.
      </p>`
  }
  const whom = accountsListed(accounts).length > 1 && html` for <bdi>${account.partyName}</bdi>`
  if (account.installationId !== null) {
    const { id: appId, name: appName } = input.app
    const { partyId, site } = account
    return html`${optionPrices(input)}
      <p class="actions">
        ${stateBadge('on', html`Installed${whom}`)}
        ${account.isSuspended ? statusBadge('suspended') : background && backgroundBadge}
      </p>
      ${actionList([
        account.canOpen && openLink({ appId, appName, partyId, site }, 'large'),
        html`<a class="button large" href="/Installed/${account.installationId}">Manage</a>`,
      ])}`
  }
  const refusal =
    !canInstall(account) && otherAccountNotice({ account, accounts, csrfToken, next: path })
  if (!canBegin(account)) return html`${isPriced(input) && optionPrices(input)}${refusal}`
  const what = canRequest(account) ? 'Request install' : 'Install'
  const [only] = options.length === 1 ? options : []
  return html`${refusal}
    <form class="stack" method="get" action="${path}/Install">
      <input type="hidden" name="partyId" value="${account.partyId}">
      ${
        only === undefined
          ? html`<fieldset>
              <legend>Purchase option</legend>
              <ul class="choices">
                ${options.map((option, index) =>
                  optionRadio(
                    { ...option, description: '' },
                    shortPrice(option, account, index),
                    index === 0,
                  ),
                )}
              </ul>
            </fieldset>`
          : html`<input type="hidden" name="purchaseOptionId" value="${only.id}">
            ${optionPrices(input)}`
      }
      <button class="button primary large" type="submit"><span>${what}${whom}</span></button>
      <p class="fine">You can uninstall at any time.</p>
    </form>`
}

/** For which of the visitor's accounts the app is installed, and for which it can be. */
function accountsCard({ accounts, account, hasChosen }: ListingPageInput, path: string) {
  const listed = accountsListed(accounts)
  if (listed.length < 2) return false
  return html`<section class="card flush" aria-labelledby="accounts">
    <div class="section-head"><h2 id="accounts">Your accounts</h2></div>
    <ul class="rows">
      ${listed.map(
        (one) => html`<li class="row">
          <span class="row-text">
            <span class="row-name">${accountName(one, account, path)}</span>
            <span class="badges">
              ${partyBadge(one.partyType)}
              ${one.installationId !== null && stateBadge('on', 'Installed')}
            </span>
            ${one.installationId === null && !canInstall(one) && html`<span class="fine">${whyNot(one)}</span>`}
          </span>
          ${accountAction(one, path, hasChosen)}
        </li>`,
      )}
    </ul>
  </section>`
}

function whyNot({ obstacle, requestId }: Account): string {
  return obstacle ?? (requestId === null ? 'You are a member.' : 'You asked for this app.')
}

/** The name of an account; a link to its prices unless the page shows them. */
function accountName(one: Account, shown: Account | undefined, path: string): Html {
  const name = html`<bdi>${one.partyName}</bdi>`
  if (one.partyId === shown?.partyId) return html`<span aria-current="true">${name}</span>`
  return html`<a href="${path}?partyId=${one.partyId}">${name}</a>`
}

/** Installs are for the account that was chosen for all pages, where one was. */
function accountAction(one: Account, path: string, hasChosen: boolean): Html | false {
  const whom = html`<span class="visually-hidden"> for ${one.partyName}</span>`
  if (one.installationId !== null) {
    return html`<a class="button small" href="/Installed/${one.installationId}">Manage${whom}</a>`
  }
  return (
    canInstall(one) &&
    !hasChosen &&
    html`<a class="button small" href="${path}/Install?partyId=${one.partyId}">Install${whom}</a>`
  )
}

function confirmations({ id, acknowledgements, termsDocument }: ListedApp): Html | false {
  if (acknowledgements.length === 0 && termsDocument === null) return false
  return card(
    'asked',
    'Before you install',
    html`${acknowledgements.map(
      ({ title, text }) => html`<div>
        <h3><bdi>${title}</bdi></h3>
        ${paragraphs(text)}
      </div>`,
    )}
    ${
      termsDocument !== null &&
      html`<p>
        <a href="${termsPath(id)}">Download the terms and conditions</a>
        <span class="fine">(${documentKind(termsDocument)})</span>
      </p>`
    }`,
  )
}

function details({ id, websiteUrl, supportUrl, developerName }: ListedApp): Html {
  return card(
    'facts',
    'Details',
    html`<dl class="facts">
      ${fact('Developer', bdi(developerName))}
      ${outsideLink(websiteUrl, 'Website')}
      ${outsideLink(supportUrl, 'Support')}
      ${fact('App ID', copied(id))}
    </dl>`,
  )
}

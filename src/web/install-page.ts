import type { PurchaseOption } from '../apps/purchase-options.ts'
import { profileOf, type SettingsConfiguration } from '../apps/setting-definitions.ts'
import { priceText, quoteView, rateText } from './amounts.ts'
import { consentFields } from './consent-view.ts'
import { type FormProblem, problemSummary } from './form-problems.ts'
import { type Html, html } from './html.ts'
import type { Account, ListedApp } from './listing.ts'
import { optionRadio } from './option-page.ts'
import { csrfField, page, partyBadge, tile, type UserShell } from './page.ts'
import { permissionList } from './permission-view.ts'
import { type FormFields, userSettingsOf } from './settings-form.ts'
import { settingsFields } from './settings-view.ts'

type InstallInput = UserShell & {
  app: ListedApp
  options: readonly PurchaseOption[]
  accounts: readonly Account[]
  problems: readonly FormProblem[]
}

type ChoicePageInput = InstallInput & {
  /** What is chosen already. */
  account: Account | undefined
  option: PurchaseOption | undefined
}

/** Field of an address that leads back to the first step, although all is chosen. */
export const STEP_FIELD = 'step'

/** First step: which account, and which purchase option. */
export function installChoicePage(input: ChoicePageInput): string {
  const { app, options, accounts, option, problems } = input
  const able = accounts.filter(canInstall)
  const account =
    able.find((one) => one === input.account) ?? (able.length === 1 ? able[0] : undefined)
  const path = `/Apps/${encodeURIComponent(app.id)}`
  const body = html`${heading(app, 'Step 1 of 2: choose')}
${problemSummary(problems)}
${
  able.length === 0
    ? nobody(accounts, path)
    : html`<form class="card" method="get" action="${path}/Install">
${
  able.length === 1
    ? html`<input type="hidden" name="partyId" value="${able[0]?.partyId}">`
    : html`<fieldset class="stack"><legend>Account</legend><ul class="choices">${able.map((one) => accountChoice(one, one === (account ?? able[0])))}</ul></fieldset>`
}
<fieldset class="stack"><legend>Purchase option</legend><p class="hint">${account ? html`Prices are for <bdi>${account.partyName}</bdi> as of now.` : 'You see the price for your account before you install.'}</p><ul class="choices">${options.map((one, index) => optionRadio(one, priceFor(account, one, index), one === (option ?? options[0])))}</ul></fieldset>
<p class="actions"><button class="button primary" type="submit">Continue</button> <a class="button" href="${path}">Cancel</a></p>
</form>`
}`
  return layout(input, body)
}

/** Whether an app can be installed for the account. */
export function canInstall({ obstacle, installationId }: Account): boolean {
  return obstacle === null && installationId === null
}

function nobody(accounts: readonly Account[], path: string): Html {
  const own = accounts.find(({ installationId }) => installationId !== null)
  return own
    ? html`<div class="card"><p>${accounts.length === 1 ? 'Your account has' : 'All of your accounts that may have it have'} this app already.</p><p class="actions"><a class="button primary" href="/Installed/${own.installationId}">Manage it</a></p></div>`
    : html`<div class="card"><p>${accounts[0]?.obstacle ?? 'You belong to no account that apps could be installed for.'}</p><p class="actions"><a class="button" href="${path}">Back to the app</a></p></div>`
}

function accountChoice(account: Account, checked: boolean): Html {
  return html`<li><label class="choice"><input type="radio" name="partyId" value="${account.partyId}"${checked && html` checked`}><span class="choice-text"><span class="choice-name"><bdi>${account.partyName}</bdi></span> <span>${partyBadge(account.partyType)}</span></span></label></li>
`
}

function priceFor(account: Account | undefined, option: PurchaseOption, index: number): string {
  const quote = account?.quotes[index]
  return quote === undefined ? rateText(option) : priceText(quote)
}

type FormPageInput = InstallInput & {
  account: Account
  option: PurchaseOption
  /** What was typed before, when the form comes back with problems. */
  typed?: FormFields | undefined
}

/** Second step: settings, what is to be accepted, and a last look before the install. */
export function installFormPage(input: FormPageInput): string {
  const { app, option, account, typed, problems, csrfToken } = input
  const path = `/Apps/${encodeURIComponent(app.id)}`
  const profile = profileOf(app.settings as SettingsConfiguration, option.id)
  const back = new URLSearchParams({
    partyId: String(account.partyId),
    purchaseOptionId: option.id,
    [STEP_FIELD]: 'choose',
  }).toString()
  const hasSettings = userSettingsOf(profile).length > 0
  const hasConsent = app.acknowledgements.length > 0 || app.termsDocument !== null
  const body = html`${heading(app, 'Step 2 of 2: set up and review')}
${problemSummary(problems)}
<form class="stack" method="post" action="${path}/Install">
${csrfField(csrfToken)}
<input type="hidden" name="partyId" value="${account.partyId}">
<input type="hidden" name="purchaseOptionId" value="${option.id}">
<input type="hidden" name="version" value="${app.version}">
${hasSettings && html`<section class="card" aria-labelledby="settings"><h2 id="settings">Settings</h2><p class="muted">You can change them later.${problems.length > 0 && ' Passwords have to be typed again.'}</p>${settingsFields({ profile, typed, problems })}</section>`}
${hasConsent && html`<section class="card" aria-labelledby="consent"><h2 id="consent">To be accepted</h2>${consentFields(app.id, app, typed, problems)}</section>`}
<section class="card" aria-labelledby="review"><h2 id="review">Review</h2>
${review(input)}
<p class="actions"><button class="button primary large" type="submit">Install</button> <a class="button large" href="${path}/Install?${back}">Back</a></p></section>
</form>`
  return layout(input, body)
}

function review({ app, option, options, account }: FormPageInput): Html {
  const quote = account.quotes[options.indexOf(option)]
  return html`<dl class="facts"><dt>App</dt><dd><bdi>${app.name}</bdi>, version <bdi>${app.version}</bdi></dd><dt>For</dt><dd><bdi>${account.partyName}</bdi> ${partyBadge(account.partyType)}</dd><dt>Purchase option</dt><dd><bdi>${option.name}</bdi></dd></dl>
<div><h3>What it costs now</h3>${quote && quoteView(quote)}</div>
<div class="stack"><h3>What it may do</h3>${permissionList(app.permissions)}</div>`
}

function heading(app: ListedApp, step: string): Html {
  return html`<div class="listing-head">${tile(app.name)}<div class="listing-title"><h1>Install <bdi>${app.name}</bdi></h1><p class="muted">${step}</p></div></div>`
}

function layout(input: InstallInput, body: Html): string {
  const { user, csrfToken, assetVersion, app, problems } = input
  const title = `${problems.length > 0 ? 'Error: ' : ''}Install ${app.name}`
  return page({ user, csrfToken, assetVersion, title, section: 'apps', layout: 'form', body })
}

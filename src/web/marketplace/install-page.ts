import { definedSettings, type PublicApp } from '../../marketplace/apps/app-record.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import { profileOf, type SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import { actionList } from '../kit/action-list.ts'
import { appFace } from '../kit/avatar.ts'
import { framePage } from '../kit/frame.ts'
import { settingsFacts, settingsFields } from '../kit/settings-fields.ts'
import { priceText, quoteView, rateText } from '../shared/app-parts/amounts.ts'
import { consentFields, termsPath } from '../shared/app-parts/consent-view.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import type { TermsText } from '../shared/app-parts/terms-text.ts'
import {
  acknowledgementField,
  type FormProblem,
  problemsOn,
  TERMS_FIELD,
} from '../shared/forms/form-problems.ts'
import { optionRadio } from '../shared/forms/option-radio.ts'
import {
  carriedField,
  type FormFields,
  type StoredSettings,
  settingField,
  userSettingsOf,
} from '../shared/forms/settings-form.ts'
import { bdi, card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage, partyBadge, type UserShell } from '../shared/page/html-page.ts'
import {
  type Account,
  accountsListed,
  accountsToBegin,
  canBegin,
  canRequest,
} from './account-on-listing.ts'
import { ACCOUNT_SEAL_FIELD } from './install-account.ts'
import { otherAccountNotice } from './other-account.ts'
import { NOTE_FIELD, REQUEST_FIELD, requestNote, requestNotice } from './request-note.ts'

type InstallInput = UserShell & {
  app: PublicApp
  options: readonly PurchaseOption[]
  accounts: readonly Account[]
  problems: readonly FormProblem[]
}

type ChoicePageInput = InstallInput & {
  /** What is chosen already. */
  account: Account | undefined
  option: PurchaseOption | undefined
  /** The form of the later steps, where it is filled in already. */
  keptId: string | undefined
  /** The installation that the settings are taken from, if one is named. */
  from: string | undefined
}

/** Which step an address or a form leads to, where it is not the next one; `install` is of the review. */
export const STEP_FIELD = 'step'
/** Names an installation that was uninstalled, whose settings the form begins with. */
export const FROM_FIELD = 'from'

/** First step: which account, and which purchase option. */
export function installChoicePage(input: ChoicePageInput): HtmlPage {
  const { app, accounts, account, csrfToken } = input
  const isRequest = account !== undefined && canRequest(account)
  const able = isRequest ? [account] : accountsToBegin(accountsListed(accounts))
  const path = `/Apps/${encodeURIComponent(app.id)}`
  const fixed = able.length === 1 && account && canBegin(account) ? account : undefined
  // After an install and a step back this is the account that is left, not the one that was chosen.
  const named = accountsListed(accounts).length > 1 ? fixed : undefined
  const content =
    account !== undefined && !canBegin(account)
      ? html`${otherAccountNotice({ account, accounts, csrfToken, next: `${path}/Install` })}
        ${wayBack(account, path)}`
      : able.length === 0
        ? nobody(accounts, path)
        : choiceForm(input, able, fixed, path)
  const asks = isRequest || (able.length > 0 && able.every(canRequest))
  const step = { step: 1, of: stepsOf(input), what: 'Choose a plan', asks }
  return layout({ ...input, account: named }, step, content)
}

function choiceForm(
  { options, option, account, keptId, from }: ChoicePageInput,
  able: readonly Account[],
  fixed: Account | undefined,
  path: string,
): Html {
  return html`<form class="card" method="get" action="${path}/Install">
    ${keptId !== undefined && hiddenField('form', keptId)}
    ${from !== undefined && hiddenField(FROM_FIELD, from)}
    ${
      fixed !== undefined
        ? hiddenField('partyId', String(fixed.partyId))
        : html`<fieldset class="stack">
            <legend>Account</legend>
            <ul class="choices">${able.map((one) => accountChoice(one, one === account))}</ul>
          </fieldset>`
    }
    <fieldset class="stack">
      <legend>Purchase option</legend>
      <p class="hint">
        ${
          account
            ? html`Prices for <bdi>${account.partyName}</bdi> today`
            : 'You will see the price for your account before you install.'
        }
      </p>
      <ul class="choices">
        ${options.map((one, index) =>
          optionRadio(one, priceFor(account, one, index), one === (option ?? options[0])),
        )}
      </ul>
    </fieldset>
    <p class="actions">
      <button class="button primary" type="submit">Continue</button>
      <a class="button" href="${path}">Cancel</a>
    </p>
  </form>`
}

function wayBack({ installationId }: Pick<Account, 'installationId'>, path: string): Html {
  return actionList([
    installationId !== null &&
      html`<a class="button primary" href="/Installed/${installationId}">Manage</a>`,
    html`<a class="button" href="${path}">Back to the app</a>`,
  ])
}

/** None of the visitor's accounts can install it. */
function nobody(accounts: readonly Account[], path: string): Html {
  const own = accounts.find(({ installationId }) => installationId !== null)
  const [first] = accountsListed(accounts)
  const why =
    own !== undefined
      ? `${accounts.length === 1 ? 'Your account already has' : 'All eligible accounts of yours already have'} this app.`
      : (first ?? accounts[0])?.obstacle
  return html`<div class="card">
    <p>${why ?? 'You do not belong to an account that can install apps.'}</p>
    ${wayBack({ installationId: own?.installationId ?? null }, path)}
  </div>`
}

function accountChoice({ partyId, partyName, partyType }: Account, checked: boolean): Html {
  return html`<li>
    <label class="choice">
      <input type="radio" name="partyId" value="${partyId}"${checked && html` checked`} required>
      <span class="choice-text">
        <span class="choice-name"><bdi>${partyName}</bdi></span>
        <span>${partyBadge(partyType)}</span>
      </span>
    </label>
  </li>`
}

function priceFor(account: Account | undefined, option: PurchaseOption, index: number): string {
  const quote = account?.quotes[index]
  return quote === undefined ? rateText(option) : priceText(quote, option)
}

type StepInput = InstallInput & {
  account: Account
  /** Proves to the server that the page was about this account. */
  accountSeal: string
  option: PurchaseOption
}

type FormPageInput = StepInput & {
  /** What was typed before, when the form comes back. */
  typed?: FormFields | undefined
  /** Whether that is what an earlier installation had. */
  isEarlier: boolean
  /** The terms, where they are text. */
  termsText: TermsText | undefined
}

/**
 * Second step: settings and what is to be accepted. An install without settings ends here; a request
 * has the same steps whichever option is chosen.
 */
export function installFormPage(input: FormPageInput): HtmlPage {
  const { app, option, typed, problems, isEarlier, termsText } = input
  const path = `/Apps/${encodeURIComponent(app.id)}`
  const profile = profileOfOption(input)
  const hasSettings = userSettingsOf(profile).length > 0
  const hasConsent = app.acknowledgements.length > 0 || app.termsDocument !== null
  const back = backButton('choose')
  const isRequest = canRequest(input.account)
  const isReviewed = hasSettings || (isRequest && stepsOf(input) === 3)
  const note = isReviewed ? typed?.get(NOTE_FIELD) : undefined
  const content = html`${isRequest && requestNotice}
    ${isEarlier && hasSettings && earlierNotice(profile)}
    <form class="stack" method="post" action="${path}/Install">
      ${stepFields(input)}
      ${isReviewed && hiddenField(STEP_FIELD, 'review')}
      ${note !== undefined && hiddenField(NOTE_FIELD, note)}
      ${
        hasSettings &&
        html`<section class="card" aria-labelledby="settings">
          <h2 id="settings">Settings for <bdi>${option.name}</bdi></h2>
          <p class="muted">You can change them later.</p>
          ${settingsFields({ profile, typed, problems })}
        </section>`
      }
      ${
        hasConsent &&
        card('consent', 'Please confirm', consentFields(app.id, app, typed, problems, termsText))
      }
      ${
        isReviewed &&
        !hasSettings &&
        !hasConsent &&
        html`<div class="card"><p class="muted">This purchase option has no settings.</p></div>`
      }
      ${isRequest && !isReviewed && requestNote(typed, problems)}
      ${
        isReviewed
          ? html`<p class="actions">
              <button class="button primary large" type="submit">Review</button>
              ${back}
            </p>`
          : reviewCard(input, html`${lastButton(input)} ${back}`)
      }
    </form>`
  const what = isReviewed ? 'Settings' : 'Review'
  return layout(input, { step: 2, of: isReviewed ? 3 : 2, what, asks: isRequest }, content)
}

function earlierNotice(profile: SettingsProfile): Html {
  const hasPassword = userSettingsOf(profile).some(([, { type }]) => type === 'password')
  return html`<div class="notice">
    <p>
      Your earlier settings are filled in where they still fit.${hasPassword && ' Enter passwords again: they were erased.'}
    </p>
  </div>`
}

type ReviewPageInput = StepInput & {
  /** The settings as they would be stored. */
  stored: StoredSettings
  /** The form that was checked. */
  fields: FormFields
}

/** Last step after settings: a last look at everything before the install. */
export function installReviewPage(input: ReviewPageInput): HtmlPage {
  const { app, stored, fields } = input
  const profile = profileOfOption(input)
  const isRequest = canRequest(input.account)
  const settings = userSettingsOf(profile).map(([key, { type }]) => {
    const name = settingField(key)
    if (!fields.get(name)) return false
    return type === 'password' ? carriedField(name) : hiddenField(name, fields.get(name) ?? '')
  })
  const accepted = [
    ...app.acknowledgements.map(({ id }) => acknowledgementField(id)),
    TERMS_FIELD,
  ].map((name) => fields.has(name) && hiddenField(name, fields.get(name) ?? ''))
  const content = html`<form class="stack" method="post" action="/Apps/${encodeURIComponent(app.id)}/Install">
    ${stepFields(input)}
    ${hiddenField(STEP_FIELD, 'install')}
    ${settings}
    ${accepted}
    ${isRequest && requestNote(fields, input.problems)}
    ${reviewCard(
      input,
      html`${lastButton(input)} ${backButton('settings')}`,
      html`${
        settings.length > 0 &&
        html`<div class="stack">
          <h3>Settings</h3>
          ${settingsFacts({ profile, stored, isLive: true })}
        </div>`
      }
      ${acceptedList(app)}`,
    )}
  </form>`
  return layout(input, { step: 3, of: 3, what: 'Review', asks: isRequest }, content)
}

/** What was accepted: the review is shown only once all of it is. */
function acceptedList({ id, acknowledgements, termsDocument }: PublicApp): Html | false {
  if (acknowledgements.length === 0 && termsDocument === null) return false
  return html`<div class="stack">
    <h3>You have accepted</h3>
    <ul class="bullets">
      ${acknowledgements.map(({ title }) => html`<li><bdi>${title}</bdi></li>`)}
      ${termsDocument !== null && html`<li><a href="${termsPath(id)}">The terms and conditions</a></li>`}
    </ul>
  </div>`
}

/** Makes the install, or the request of a member. */
function lastButton({ account }: StepInput): Html {
  const text = canRequest(account) ? 'Request install' : 'Install'
  return html`<button class="button primary large" type="submit">${text}</button>`
}

/** What every form of an install carries: for whom, what, and as it was looked at. */
function stepFields({ csrfToken, account, accountSeal, option, app }: StepInput): Html {
  return html`${csrfField(csrfToken)}
    ${hiddenField('partyId', String(account.partyId))}
    ${hiddenField(ACCOUNT_SEAL_FIELD, accountSeal)}
    ${hiddenField('purchaseOptionId', option.id)}
    ${hiddenField('version', app.version)}
    ${canRequest(account) && hiddenField(REQUEST_FIELD, 'yes')}`
}

/** Leads to an earlier step with all that was typed. */
function backButton(step: 'choose' | 'settings'): Html {
  return html`<button class="button large" type="submit" name="${STEP_FIELD}" value="${step}">Back</button>`
}

function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

function profileOfOption({ app, option }: StepInput) {
  return profileOf(definedSettings(app), option.id)
}

function reviewCard(input: StepInput, actions: Html, settings: Html | false = false): Html {
  const { app, option, options, account } = input
  const quote = account.quotes[options.indexOf(option)]
  const whom = html`<bdi>${account.partyName}</bdi> ${partyBadge(account.partyType)}`
  return card(
    'review',
    'Review',
    html`<dl class="facts">
      ${fact('App', html`<bdi>${app.name}</bdi>, version <bdi>${app.version}</bdi>`)}
      ${fact('For', whom)}
      ${fact('Purchase option', bdi(option.name))}
    </dl>
    ${settings}
    <div class="stack">
      <h3>Price today</h3>
      <div>${quote && quoteView(quote, option)}</div>
    </div>
    <div class="stack">
      <h3>Permissions</h3>
      ${permissionList(app.permissions)}
    </div>
    <p class="actions">${actions}</p>`,
  )
}

/** How many steps an install has, whichever option is chosen: two where none has settings. */
function stepsOf({ app, options }: InstallInput): 2 | 3 {
  const settings = definedSettings(app)
  const isSetUp = options.some(({ id }) => userSettingsOf(profileOf(settings, id)).length > 0)
  return isSetUp ? 3 : 2
}

/** Which step of how many, what is done in it, and whether it leads to a request. */
type Step = { step: number; of: number; what: string; asks: boolean }

function layout(
  input: InstallInput & { account?: Account | undefined },
  { step, of, what, asks }: Step,
  content: Html,
): HtmlPage {
  const { app, account } = input
  const problems = problemsOn(content, input.problems)
  const place = `${step} of ${of}`
  const act = asks ? 'Request' : 'Install'
  return framePage(
    { console: 'marketplace', section: 'apps' },
    { ...input, problems },
    {
      title: `${act} ${app.name}, step ${place}`,
      layout: 'form',
      head: html`<div class="listing-head">
        ${appFace(app.id, app.icon?.id)}
        <div class="listing-title">
          <h1>${act} <bdi>${app.name}</bdi></h1>
          <p class="muted">Step ${place}: ${what}${account && html` for <bdi>${account.partyName}</bdi>`}</p>
        </div>
      </div>
      <ol class="wizard-steps" aria-label="Steps">
        ${(of === 3 ? ['Plan', 'Settings', 'Review'] : ['Plan', 'Review']).map((name, index) =>
          stepItem(name, index + 1 - step),
        )}
      </ol>`,
      content,
    },
  )
}

/** @param offset of the step from the current one: those before it are done */
function stepItem(name: string, offset: number): Html {
  if (offset < 0)
    return html`<li class="done">${name}<span class="visually-hidden">: done</span></li>`
  return html`<li${offset === 0 && html` aria-current="step"`}>${name}</li>`
}

import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import type { SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import type { OptionChange } from '../../marketplace/installations/account-installation.ts'
import { priceChangeView, priceText } from '../shared/app-parts/amounts.ts'
import type { FormAgain } from '../shared/forms/change-problems.ts'
import { settingsAgain } from '../shared/forms/entered-settings.ts'
import { optionRadio } from '../shared/forms/option-radio.ts'
import { type StoredSettings, userSettingsOf } from '../shared/forms/settings-form.ts'
import { settingsFields } from '../shared/forms/settings-view.ts'
import { fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage } from '../shared/page/html-page.ts'
import {
  type ChangePageInput,
  changeActions,
  changeFields,
  changePage,
  suspendedChange,
} from './change-page.ts'
import type { InstalledView } from './installation-shown.ts'

/** The purchase options that an installation can change to. */
export function optionChoicePage(input: ChangePageInput): HtmlPage {
  const { installation, option: current, options } = input.installed
  const price = priceText(installation.quote, current)
  const others = options.filter(({ option }) => option.id !== current.id)
  const content =
    others.length === 0
      ? html`<div class="card"><p>This app has no other purchase option.</p></div>`
      : html`<form class="card" method="get" action="/Installed/${installation.id}/Option">
<p>Now: <strong><bdi>${current.name}</bdi></strong>${price !== current.name.trim() && `, ${price}`}</p>
<fieldset class="stack"><legend>Change to</legend><ul class="choices">
${others.map(({ option, quote }, index) => optionRadio(option, priceText(quote, option), index === 0))}</ul>
</fieldset>
<p class="actions"><button class="button primary" type="submit">Continue</button>
<a class="button" href="/Installed/${installation.id}">Cancel</a></p></form>`
  return changePage(input, 'Purchase option', content)
}

/** Why the purchase option cannot be changed now. */
export function optionSuspendedPage(input: ChangePageInput): HtmlPage {
  return changePage(input, 'Purchase option', suspendedChange(input))
}

type OptionPageInput = ChangePageInput &
  FormAgain & {
    change: OptionChange
    /** The option to change to, with its settings. */
    target: { option: PurchaseOption; profile: SettingsProfile }
  }

/** What a change of the purchase option would do, and its confirmation. */
export function optionPage(input: OptionPageInput): HtmlPage {
  const { installed, change, target, problems } = input
  const { profile, option } = target
  const stored = keptSettings(installed.stored, change.settings.kept)
  const { typed, notice } = settingsAgain(profile, stored, input)
  const before = { quote: change.price.before, option: installed.option }
  return changePage(
    input,
    'Purchase option',
    html`${notice}<form class="stack" method="post" action="/Installed/${installed.installation.id}/Option">
${changeFields(input)}
<input type="hidden" name="purchaseOptionId" value="${option.id}">
<section class="card" aria-labelledby="change"><h2 id="change">Changes</h2>
<dl class="facts">${fact(
      'Option',
      html`<bdi>${installed.option.name}</bdi> →
<strong><bdi>${option.name}</bdi></strong>`,
    )}${fact('Price', priceChangeView(before, { quote: change.price.after, option }))}
</dl>
${transitionNotices(change.settings, installed, profile)}</section>
${
  userSettingsOf(profile).length > 0 &&
  html`<section class="card" aria-labelledby="settings">
<h2 id="settings">Settings of <bdi>${option.name}</bdi></h2>
${settingsFields({ profile, stored, typed, problems })}</section>`
}
${changeActions(input, 'Change purchase option')}</form>`,
  )
}

/** The stored settings that stay. */
export function keptSettings(stored: StoredSettings, kept: readonly string[]): StoredSettings {
  return {
    values: new Map([...stored.values].filter(([key]) => kept.includes(key))),
    passwordsSet: new Set([...stored.passwordsSet].filter((key) => kept.includes(key))),
  }
}

/** Which settings would be lost, and which have to be given. */
export function transitionNotices(
  { dropped, needed }: { dropped: readonly string[]; needed: readonly string[] },
  { profile }: InstalledView,
  target: SettingsProfile,
): Html {
  const lost = namesOf(profile, dropped)
  const missing = namesOf(target, needed)
  return html`${
    lost.length > 0 &&
    html`<div class="notice warning"><p>These settings will be lost: ${lost}.
</p></div>`
  }
${missing.length > 0 && html`<div class="notice"><p>Please fill in: ${missing}</p></div>`}`
}

/** Names of settings; those that users do not set are the developer's business. */
function namesOf(profile: SettingsProfile, keys: readonly string[]): Html[] {
  return userSettingsOf(profile)
    .filter(([key]) => keys.includes(key))
    .map(([, { name }], index) => html`${index > 0 && ', '}<bdi>${name}</bdi>`)
}

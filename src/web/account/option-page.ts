import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import type { SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import type { OptionChange } from '../../marketplace/installations/account-installation.ts'
import { settingsFields } from '../kit/settings-fields.ts'
import { chargeText, priceChangeView, priceText } from '../shared/app-parts/amounts.ts'
import { settingsAgain } from '../shared/forms/entered-settings.ts'
import { optionRadio } from '../shared/forms/option-radio.ts'
import { userSettingsOf } from '../shared/forms/settings-form.ts'
import { card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type ChangeAttempt, changeBarred, keptSettings, transitionNotices } from './change-page.ts'
import type { InstalledView } from './installation-shown.ts'

/** The purchase options that an installation can change to. */
export function optionChoice(installed: InstalledView): Html {
  const { installation, option: current, options } = installed
  const price = priceText(installation.quote, current)
  const others = options.filter(({ option }) => option.id !== current.id)
  if (others.length === 0) {
    return changeBarred(installed, html`This app has no other purchase option.`)
  }
  return html`<form class="card" method="get" action="/Installed/${installation.id}/Option">
<p>Now: <strong><bdi>${current.name}</bdi></strong>${price !== current.name.trim() && `, ${price}`}</p>
<fieldset class="stack"><legend>Change to</legend><ul class="choices">
${others.map(({ option, quote }, index) => optionRadio(option, priceText(quote, option), index === 0))}</ul>
</fieldset>
<p class="actions"><button class="button primary" type="submit">Continue</button>
<a class="button" href="/Installed/${installation.id}">Cancel</a></p></form>`
}

/** What a change of the purchase option would do, and what has to be entered for it. */
export function optionForm(
  installed: InstalledView,
  { option, profile }: { option: PurchaseOption; profile: SettingsProfile },
  change: OptionChange,
  attempt: ChangeAttempt,
): { above: Html | false; inside: Html } {
  const stored = keptSettings(installed.stored, change.settings.kept)
  const { typed, notice } = settingsAgain(profile, stored, attempt)
  const before = { quote: change.price.before, option: installed.option }
  const changes = html`<dl class="facts">${fact(
    'Option',
    html`<bdi>${installed.option.name}</bdi> → <strong><bdi>${option.name}</bdi></strong>`,
  )}${fact('Price', priceChangeView(before, { quote: change.price.after, option }))}${fact(
    'When',
    html`<bdi>${installed.option.name}</bdi> ends today. ${chargeText(change.price.after)}`,
  )}</dl>
${transitionNotices(change.settings, installed, profile)}`
  return {
    above: notice,
    inside: html`${card('change', 'Changes', changes)}${
      userSettingsOf(profile).length > 0 &&
      card(
        'settings',
        `Settings of ${option.name}`,
        settingsFields({ profile, stored, typed, problems: attempt.problems }),
      )
    }`,
  }
}

import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import type { SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import type { Upgrade } from '../../marketplace/installations/account-installation.ts'
import { settingsFields } from '../kit/settings-fields.ts'
import { priceChangeView, rateText } from '../shared/app-parts/amounts.ts'
import { consentFields } from '../shared/app-parts/consent-view.ts'
import { changesForAccount } from '../shared/app-parts/definition-changes-view.ts'
import { type DefinitionNames, definitionNames } from '../shared/app-parts/definition-names.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import type { TermsText } from '../shared/app-parts/terms-text.ts'
import { settingsAgain } from '../shared/forms/entered-settings.ts'
import { settingControlId } from '../shared/forms/form-problems.ts'
import { optionRadio } from '../shared/forms/option-radio.ts'
import { userSettingsOf } from '../shared/forms/settings-form.ts'
import { card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { publicMarkdown } from '../shared/page/public-markdown.ts'
import {
  asksConsent,
  type ChangeAttempt,
  changeBarred,
  keptSettings,
  transitionNotices,
} from './change-page.ts'
import type { InstalledView } from './installation-shown.ts'

type UpgradeShown = {
  installed: InstalledView
  upgrade: Upgrade
  /** The options of the latest version. */
  options: readonly PurchaseOption[]
  /** The settings of the option that the upgrade leads to. */
  profile: SettingsProfile
  /** The terms that are to be accepted, where they are text. */
  termsText: TermsText | undefined
}

/** What the latest version changes, and the next step; undefined where that is to agree to it. */
export function upgradeStep(input: UpgradeShown): Html | undefined {
  const { upgrade, installed } = input
  const { from, to, upToDate, offered } = upgrade
  if (upToDate) {
    return changeBarred(installed, html`You have the latest version, <bdi>${from}</bdi>.`)
  }
  if (!offered) {
    const { partyType } = installed.installation
    return changeBarred(
      installed,
      html`Version <bdi>${to}</bdi> is not for ${partyType}s. You keep version <bdi>${from}</bdi>.`,
    )
  }
  if (installed.suspensions.length > 0) {
    return html`${differences(input)}${changeBarred(installed)}`
  }
  return upgrade.purchaseOptionAvailable
    ? undefined
    : html`${differences(input)}${otherOption(input)}`
}

function differences({ upgrade, installed, profile, options }: UpgradeShown): Html {
  const option = options.find(({ id }) => id === upgrade.purchaseOptionId)
  const { permissions, price, from, to, releaseNotes } = upgrade
  const { added, removed } = permissions
  const before = { quote: price.before, option: installed.option }
  return html`<section class="card" aria-labelledby="different"><h2 id="different">Changes</h2>
<dl class="facts">${fact('Version', html`<bdi>${from}</bdi> → <strong><bdi>${to}</bdi></strong>`)}${
    price.after && option && fact('Price', priceChangeView(before, { quote: price.after, option }))
  }
</dl>
${releaseNotes.trim() !== '' && html`<h3>What is new</h3>${publicMarkdown(releaseNotes)}`}
${added.length > 0 && html`<h3>New permissions</h3>${permissionList(added)}`}
${
  removed.length > 0 &&
  html`<h3>Removed permissions</h3>
${permissionList(removed.map((id) => ({ id, purpose: null })))}`
}
${upgrade.purchaseOptionAvailable && transitionNotices(upgrade.settings, installed, profile)}
${
  upgrade.changes.length > 0 &&
  html`<details><summary>${upgrade.changes.length === 1 ? 'View the change' : `View all ${upgrade.changes.length} changes`}</summary>
${changesForAccount(upgrade.changes, namesOf(profile, options, installed))}</details>`
}</section>
`
}

/** Names as they will be, or as they are of what will be gone. */
function namesOf(
  profile: SettingsProfile,
  options: readonly PurchaseOption[],
  installed: InstalledView,
): DefinitionNames {
  const own = installed.options
  const settings = Object.fromEntries(own.map((one) => [one.option.id, one.profile]))
  return definitionNames(profile, [
    { settings: {}, purchaseOptions: options },
    { settings, purchaseOptions: own.map(({ option }) => option) },
  ])
}

function otherOption({ options, installed }: UpgradeShown): Html {
  const { id } = installed.installation
  return html`<form class="card" method="get" action="/Installed/${id}/Upgrade">
<p>The new version does not have your purchase option <strong><bdi>${installed.option.name}</bdi></strong>. Choose another option.
</p>
<fieldset class="stack"><legend>Purchase option</legend><ul class="choices">
${options.map((option, index) => optionRadio(option, rateText(option), index === 0))}</ul></fieldset>
<p class="actions"><button class="button primary" type="submit">Continue</button> <a class="button" href="/Installed/${id}">Not now</a>
</p></form>`
}

/** What the upgrade changes, above its form, and in it what is to be entered and agreed to. */
export function upgradeForm(
  input: UpgradeShown,
  attempt: ChangeAttempt,
): { above: Html; inside: Html } {
  const { upgrade, installed, profile, termsText } = input
  const { problems } = attempt
  const stored = keptSettings(installed.stored, upgrade.settings.kept)
  const { typed, notice } = settingsAgain(profile, stored, attempt)
  const isToFill = (key: string) =>
    upgrade.settings.needed.includes(key) ||
    !Object.hasOwn(installed.profile, key) ||
    problems.some(({ field }) => field === settingControlId(key))
  const settings = Object.entries(profile)
  const shown = Object.fromEntries(settings.filter(([key]) => isToFill(key)))
  const rest = Object.fromEntries(settings.filter(([key]) => !isToFill(key)))
  const count = userSettingsOf(rest).length
  const fields = (part: SettingsProfile) =>
    settingsFields({ profile: part, stored, typed, problems })
  return {
    above: html`${differences(input)}${notice}`,
    inside: html`${
      userSettingsOf(profile).length > 0 &&
      card(
        'settings',
        'Settings',
        html`${fields(shown)}${
          count > 0 &&
          html`<details${notice && html` open`}><summary>${count === 1 ? '1 setting' : `${count} settings`} that stay as they are</summary>
<div class="stack">${fields(rest)}</div></details>`
        }`,
      )
    }${
      asksConsent(upgrade) &&
      card(
        'consent',
        'Please confirm',
        html`${consentFields(installed.installation.appId, upgrade, typed, problems, termsText)}`,
      )
    }`,
  }
}

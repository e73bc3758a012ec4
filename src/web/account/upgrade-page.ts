import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import type { SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import type { Upgrade } from '../../marketplace/installations/account-installation.ts'
import { priceChangeView, rateText } from '../shared/app-parts/amounts.ts'
import { consentFields } from '../shared/app-parts/consent-view.ts'
import { changesForAccount } from '../shared/app-parts/definition-changes-view.ts'
import { type DefinitionNames, definitionNames } from '../shared/app-parts/definition-names.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import type { FormAgain } from '../shared/forms/change-problems.ts'
import { settingsAgain } from '../shared/forms/entered-settings.ts'
import { optionRadio } from '../shared/forms/option-radio.ts'
import { userSettingsOf } from '../shared/forms/settings-form.ts'
import { settingsFields } from '../shared/forms/settings-view.ts'
import { card, fact } from '../shared/page/blocks.ts'
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
import { keptSettings, transitionNotices } from './option-page.ts'

type UpgradePageInput = ChangePageInput &
  FormAgain & {
    upgrade: Upgrade
    /** The options of the latest version. */
    options: readonly PurchaseOption[]
    /** The settings of the option that the upgrade leads to. */
    profile: SettingsProfile
  }

/** What the latest version changes, what has to be agreed to, and the confirmation. */
export function upgradePage(input: UpgradePageInput): HtmlPage {
  const { upgrade, installed } = input
  const { from, to, upToDate, offered } = upgrade
  if (upToDate || !offered) {
    const { id, partyType } = installed.installation
    const latest = html`<div class="card"><p>${
      upToDate
        ? html`You have the latest version, <bdi>${from}</bdi>.`
        : html`Version <bdi>${to}</bdi> is not for ${partyType}s. You keep version <bdi>${from}</bdi>.`
    }</p>
<p class="actions"><a class="button" href="/Installed/${id}">Back</a></p></div>`
    return changePage(input, 'Upgrade', latest)
  }
  return changePage(
    input,
    `Upgrade to ${to}`,
    html`${differences(input)}${
      installed.suspensions.length > 0
        ? suspendedChange(input)
        : upgrade.purchaseOptionAvailable
          ? agreement(input)
          : otherOption(input)
    }`,
  )
}

function differences({ upgrade, installed, profile, options }: UpgradePageInput): Html {
  const option = options.find(({ id }) => id === upgrade.purchaseOptionId)
  const { permissions, price, from, to } = upgrade
  const { added, removed } = permissions
  const before = { quote: price.before, option: installed.option }
  return html`<section class="card" aria-labelledby="different"><h2 id="different">Changes</h2>
<dl class="facts">${fact('Version', html`<bdi>${from}</bdi> → <strong><bdi>${to}</bdi></strong>`)}${
    price.after && option && fact('Price', priceChangeView(before, { quote: price.after, option }))
  }
</dl>
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

function otherOption({ options, installed }: UpgradePageInput): Html {
  const { id } = installed.installation
  return html`<form class="card" method="get" action="/Installed/${id}/Upgrade">
<p>The new version does not have your purchase option <strong><bdi>${installed.option.name}</bdi></strong>. Choose another option.
</p>
<fieldset class="stack"><legend>Purchase option</legend><ul class="choices">
${options.map((option, index) => optionRadio(option, rateText(option), index === 0))}</ul></fieldset>
<p class="actions"><button class="button primary" type="submit">Continue</button> <a class="button" href="/Installed/${id}">Not now</a>
</p></form>`
}

function agreement(input: UpgradePageInput): Html {
  const { upgrade, installed, profile, problems } = input
  const { id, appId } = installed.installation
  const stored = keptSettings(installed.stored, upgrade.settings.kept)
  const { typed, notice } = settingsAgain(profile, stored, input)
  const asksConsent = upgrade.acknowledgements.length > 0 || upgrade.termsDocument !== null
  return html`${notice}<form class="stack" method="post" action="/Installed/${id}/Upgrade">
${changeFields(input)}
<input type="hidden" name="version" value="${upgrade.to}">
<input type="hidden" name="purchaseOptionId" value="${upgrade.purchaseOptionId}">
${
  userSettingsOf(profile).length > 0 &&
  html`
${card('settings', 'Settings', html`${settingsFields({ profile, stored, typed, problems })}`)}`
}
${asksConsent && html`${card('consent', 'Please confirm', html`${consentFields(appId, upgrade, typed, problems)}`)}`}
${changeActions(input, 'Accept and upgrade')}</form>`
}

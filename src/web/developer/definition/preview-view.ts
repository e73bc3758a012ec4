import { type AppDefinition, acknowledgementSha256 } from '../../../apps/definition.ts'
import type { PurchaseOption } from '../../../apps/pricing/purchase-options.ts'
import { profileOf, type SettingsConfiguration } from '../../../apps/settings/definitions.ts'
import { byDisplayOrder } from '../../../values/text.ts'
import { consentFields } from '../../shared/app-parts/consent-view.ts'
import { permissionList } from '../../shared/app-parts/permission-view.ts'
import { rates } from '../../shared/app-parts/rates-view.ts'
import { userSettingsOf } from '../../shared/forms/settings-form.ts'
import { settingsFields } from '../../shared/forms/settings-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { partyBadge, tile } from '../../shared/page/html-page.ts'
import { paragraphs } from '../../shared/page/paragraphs.ts'

/** How users would see the app: its listing, and the form they install it with. */
export function previewView(definition: AppDefinition): Html {
  const { name, description, partyTypes, permissions } = definition
  return html`<section class="card preview" aria-labelledby="preview"><h2 id="preview">Preview</h2>
<p class="hint">How users would see the app. Nothing is saved yet.</p>
<div class="listing-head">${tile(name)}<div class="listing-title"><h3><bdi>${name}</bdi></h3>
<p class="badges">${partyTypes.map((type) => html`${partyBadge(type)} `)}</p></div></div>
${paragraphs(description)}
<h3>What it can do</h3>${permissionList(permissions)}
<h3>Install form</h3>
${definition.purchaseOptions.toSorted(byDisplayOrder).map((option) => installForm(definition, option as PurchaseOption))}
</section>`
}

function installForm(definition: AppDefinition, option: PurchaseOption): Html {
  const profile = profileOf(definition.settings as SettingsConfiguration, option.id)
  const acknowledgements = definition.acknowledgements
    .toSorted(byDisplayOrder)
    .map(({ id, title, text }) => ({
      ...{ id: `${option.id}-${id}`, title, text },
      sha256: acknowledgementSha256({ title, text }),
    }))
  // Each option has fields of its own on this page.
  const own = Object.fromEntries(
    userSettingsOf(profile).map(([key, setting]) => [`${option.id}-${key}`, setting]),
  )
  const questions = { acknowledgements, termsDocument: null }
  return html`<details class="preview-option"><summary><bdi>${option.name}</bdi></summary>
${option.description !== undefined && paragraphs(option.description)}${rates(option)}
<fieldset class="stack" disabled><legend class="visually-hidden">Form of ${option.name}</legend>
${settingsFields({ profile: own, problems: [] })}
${consentFields(definition.id, questions, undefined, [])}</fieldset></details>
`
}

import { byDisplayOrder } from '../../../base/values/text.ts'
import { type AppDefinition, acknowledgementSha256 } from '../../../marketplace/apps/definition.ts'
import type { PurchaseOption } from '../../../marketplace/apps/pricing/purchase-options.ts'
import { quote } from '../../../marketplace/apps/pricing/quotes.ts'
import { profileOf, type SettingsProfile } from '../../../marketplace/apps/settings/definitions.ts'
import { appFace } from '../../kit/avatar.ts'
import { settingsFields } from '../../kit/settings-fields.ts'
import { amountText } from '../../shared/app-parts/amounts.ts'
import { consentFields } from '../../shared/app-parts/consent-view.ts'
import { permissionList } from '../../shared/app-parts/permission-view.ts'
import { rates } from '../../shared/app-parts/rates-view.ts'
import { userSettingsOf } from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { paragraphs } from '../../shared/page/paragraphs.ts'

/** So many settings of all options together are shown: more make a page that nobody reads. */
const SHOWN_SETTINGS_MAX = 500

/** How many products the accounts have for which prices are shown. */
const COUNTS = [0, 1_000, 10_000]

/** How users would see the app: its listing, and the form they install it with. */
export function previewView(definition: AppDefinition): Html {
  const { name, description, partyTypes, permissions } = definition
  return html`<section class="card preview" aria-labelledby="preview"><h2 id="preview">Preview</h2>
<p class="hint">How users would see the app. Nothing is saved yet.</p>
<div class="listing-head">${appFace(definition.id)}<div class="listing-title"><h3><bdi>${name}</bdi></h3>
<p class="badges">${partyTypes.map((type) => html`<span class="badge badge-${type.toLowerCase()}">For ${type}s</span>`)}</p></div></div>
${paragraphs(description)}
<h3>Permissions</h3>${permissionList(permissions)}
<h3>Price</h3>${priceTable(definition)}
<h3>Install form</h3>
${installForms(definition)}
${definition.acknowledgements.length > 0 && confirmations(definition)}
</section>`
}

/** What each option costs accounts of several sizes. */
function priceTable({ purchaseOptions }: AppDefinition): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="Prices by number of products"><table>
<thead><tr><th scope="col">Products</th>${COUNTS.map(
    (count) => html`<th scope="col">${count.toLocaleString('en')}</th>`,
  )}</tr></thead>
<tbody>${purchaseOptions.toSorted(byDisplayOrder).map(
    (option) => html`<tr><th scope="row"><bdi>${option.name}</bdi></th>${COUNTS.map(
      (count) => html`<td>${amountText(quote(option, count))}</td>`,
    )}</tr>
`,
  )}</tbody></table></div>`
}

/** The options with their settings, until enough are shown. */
function installForms({ purchaseOptions, settings }: AppDefinition): Html {
  let left = SHOWN_SETTINGS_MAX
  return html`${purchaseOptions.toSorted(byDisplayOrder).map((option) => {
    const profile = userSettingsOf(profileOf(settings, option.id))
    const shown = profile.slice(0, left)
    left -= shown.length
    // Each option has fields of its own on this page.
    const own = Object.fromEntries(shown.map(([key, setting]) => [`${option.id}-${key}`, setting]))
    return installForm(option, own, profile.length - shown.length)
  })}`
}

function installForm(option: PurchaseOption, shown: SettingsProfile, others: number): Html {
  const isEmpty = Object.keys(shown).length + others === 0
  return html`<details class="preview-option"><summary><bdi>${option.name}</bdi></summary>
${option.description !== undefined && paragraphs(option.description)}${rates(option)}
<fieldset class="stack" disabled><legend class="visually-hidden">Form of ${option.name}</legend>
${isEmpty ? html`<p class="muted">No settings.</p>` : settingsFields({ profile: shown, problems: [] })}
${others > 0 && html`<p class="hint">This preview leaves out ${others} settings.</p>`}</fieldset></details>
`
}

/** Shown once: they may be long, and are the same for every option. */
function confirmations({ id: appId, acknowledgements }: AppDefinition): Html {
  const asked = acknowledgements.toSorted(byDisplayOrder).map(({ id, title, text }) => ({
    id,
    title,
    text,
    sha256: acknowledgementSha256({ title, text }),
  }))
  const questions = { acknowledgements: asked, termsDocument: null }
  return html`<details class="preview-option"><summary>Please confirm</summary>
<p class="hint">Every option asks for this.</p>
<fieldset class="stack" disabled><legend class="visually-hidden">Please confirm</legend>
${consentFields(appId, questions, undefined, [])}</fieldset></details>`
}

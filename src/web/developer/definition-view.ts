import { type AppRecord, definedSettings } from '../../apps/app-record.ts'
import type { PurchaseOption } from '../../apps/pricing/purchase-options.ts'
import {
  choiceText,
  profileOf,
  type SettingDefinition,
  settingsInOrder,
} from '../../apps/settings/definitions.ts'
import { rates } from '../shared/app-parts/rates-view.ts'
import { type Html, html } from '../shared/page/html.ts'
import { paragraphs } from '../shared/page/paragraphs.ts'

/** The purchase options of a definition, each with its price and its settings. */
export function optionsView(app: Pick<AppRecord, 'purchaseOptions' | 'settings'>): Html {
  return html`${app.purchaseOptions.map((option) => {
    const profile = profileOf(definedSettings(app), option.id)
    return html`<div class="stack option-view"><div><h3><bdi>${option.name}</bdi> <code>${option.id}</code>
</h3>${option.description && paragraphs(option.description)}${rates(option as PurchaseOption)}</div>
${settingsTable(option.name, settingsInOrder(profile))}</div>
`
  })}`
}

function settingsTable(optionName: string, settings: readonly [string, SettingDefinition][]): Html {
  if (settings.length === 0) return html`<p class="muted">No settings.</p>`
  return html`<div class="table" tabindex="0" role="region" aria-label="Settings of ${optionName}"><table>
<thead><tr><th scope="col">Key</th><th scope="col">Name</th><th scope="col">Type</th>
<th scope="col">Set by</th></tr></thead>
<tbody>${settings.map(
    ([key, setting]) =>
      html`<tr><th scope="row"><code>${key}</code></th><td>
<bdi>${setting.name}</bdi>${setting.mandatory && html` <span class="badge">Required</span>`}${
        'description' in setting &&
        setting.description &&
        html`<br><span class="fine"><bdi>${setting.description}</bdi></span>`
      }
</td><td>${setting.type}${limitsOf(setting)}</td><td>${setting.scope === 'admin' ? 'You' : 'User'}</td></tr>
`,
  )}</tbody>
</table></div>`
}

/** What values a setting takes, beyond its type. */
function limitsOf(setting: SettingDefinition): Html | false {
  if (setting.type === 'select') {
    const choices = setting.options.map(({ value }) => choiceText(value)).join(', ')
    return html`<br><span class="fine"><bdi>${choices}</bdi></span>`
  }
  if (setting.type !== 'number') return false
  const { min, max, step } = setting
  const limits = [
    min !== undefined && `min ${min}`,
    max !== undefined && `max ${max}`,
    step !== undefined && `step ${step}`,
  ].filter(Boolean)
  return limits.length > 0 && html`<br><span class="fine">${limits.join(', ')}</span>`
}

/** What an app asks to be acknowledged. */
export function acknowledgementsView(acknowledgements: AppRecord['acknowledgements']): Html {
  if (acknowledgements.length === 0) return html`<p class="muted">No confirmations.</p>`
  return html`${acknowledgements.map(
    ({ title, text }) => html`<div><h3><bdi>${title}</bdi></h3>
${paragraphs(text)}</div>`,
  )}`
}

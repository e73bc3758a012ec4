import { type AppRecord, definedSettings } from '../../marketplace/apps/app-record.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import {
  choiceText,
  profileOf,
  type SettingDefinition,
  settingsInOrder,
} from '../../marketplace/apps/settings/definitions.ts'
import { typeBadge } from '../kit/badge.ts'
import { rates } from '../shared/app-parts/rates-view.ts'
import { type Html, html } from '../shared/page/html.ts'
import { paragraphs } from '../shared/page/paragraphs.ts'

/** Of a definition with more settings, those of one option are shown at a time. */
const SHOWN_SETTINGS_MAX = 200

/**
 * The purchase options of a definition, each with its price and its settings.
 *
 * @param path of the page, which shows the settings of the option that `?option=` names
 */
export function optionsView(
  app: Pick<AppRecord, 'purchaseOptions' | 'settings'>,
  { path, shownOptionId }: { path: string; shownOptionId: string | undefined },
): Html {
  const profiles = app.purchaseOptions.map(({ id }) => profileOf(definedSettings(app), id))
  const count = profiles.reduce((sum, profile) => sum + Object.keys(profile).length, 0)
  return html`${app.purchaseOptions.map((option, index) => {
    const profile = profiles[index] ?? {}
    const isShown = count <= SHOWN_SETTINGS_MAX || option.id === shownOptionId
    const id = `option-${option.id}`
    return html`<div class="stack option-view" id="${id}"><div><h3><bdi>${option.name}</bdi> <code>${option.id}</code>
</h3>${option.description && paragraphs(option.description)}${rates(option as PurchaseOption)}</div>
${
  isShown
    ? settingsTable(option.name, settingsInOrder(profile))
    : html`<p><a href="${path}?option=${encodeURIComponent(option.id)}#${id}">Show ${Object.keys(profile).length} settings<span
class="visually-hidden"> of ${option.name}</span></a></p>`
}</div>
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
<bdi>${setting.name}</bdi>${setting.mandatory && html` ${typeBadge('Required')}`}${
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

import {
  choiceText,
  type SettingDefinition,
  type SettingsProfile,
} from '../apps/setting-definitions.ts'
import type { SettingValue } from '../apps/setting-value-types.ts'
import type { SettingScope } from '../apps/setting-values.ts'
import { settingControlId } from './form-problems.ts'
import { type Html, html } from './html.ts'
import {
  type FormFields,
  type StoredSettings,
  settingsInput,
  settingsSetBy,
} from './settings-form.ts'

/**
 * What a visitor had typed where it differs from what somebody else stored meanwhile, each leading
 * to its control. Of a password only that one was typed.
 */
export function enteredSettings(
  profile: SettingsProfile,
  stored: StoredSettings,
  entered: FormFields | undefined,
  side: SettingScope = 'user',
): Html | false {
  if (entered === undefined) return false
  const wanted = new Map(Object.entries(settingsInput(profile, entered, stored, side)))
  const differing = settingsSetBy(side, profile).flatMap(([key, setting]) => {
    const text = wanted.has(key) && enteredText(setting, wanted.get(key), stored.values.get(key))
    return text ? [{ key, name: setting.name, text }] : []
  })
  if (differing.length === 0) return false
  return html`<div class="notice"><p><strong>You had entered:</strong></p><ul class="bullets">${differing.map(({ key, name, text }) => html`<li><a href="#${settingControlId(key)}"><bdi>${name}</bdi></a> ${text}</li>`)}</ul></div>
`
}

/** The words for a value that was typed; nothing when it is what is stored. */
function enteredText(
  setting: SettingDefinition,
  wanted: unknown,
  stored: SettingValue | undefined,
): Html | false {
  if (setting.type === 'password') {
    if (wanted === null) return html`to be taken away`
    return wanted !== '' && html`a new password; type it again`
  }
  const text = valueText(wanted)
  if (text === (stored === undefined ? emptyOf(setting) : choiceText(stored))) return false
  if (text === '') return html`nothing`
  if (setting.type === 'boolean') return html`${text === 'true' ? 'Yes' : 'No'}`
  const chosen =
    setting.type === 'select'
      ? setting.options.find(({ value }) => choiceText(value) === text)?.name
      : undefined
  return html`<bdi>${chosen ?? text}</bdi>`
}

function valueText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? choiceText(value) : ''
}

function emptyOf({ type }: SettingDefinition): string {
  return type === 'boolean' ? 'false' : ''
}

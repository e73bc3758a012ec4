import {
  choiceText,
  type SettingDefinition,
  type SettingsProfile,
} from '../../../marketplace/apps/settings/definitions.ts'
import type { SettingValue } from '../../../marketplace/apps/settings/value-types.ts'
import type { SettingScope } from '../../../marketplace/apps/settings/values.ts'
import { type Html, html } from '../page/html.ts'
import type { FormAgain } from './change-problems.ts'
import { settingControlId } from './form-problems.ts'
import {
  type FormFields,
  type StoredSettings,
  settingField,
  settingsInput,
  settingsSetBy,
  shownValue,
} from './settings-form.ts'

/**
 * How the controls of a form are filled when it comes back. What somebody else has changed
 * meanwhile shows as it is now, and beside it what the visitor had entered: sent again, the form
 * undoes nothing by accident. Of a password only that one was typed.
 */
export function settingsAgain(
  profile: SettingsProfile,
  stored: StoredSettings,
  { typed, entered, changed }: FormAgain,
  side: SettingScope = 'user',
): { typed: FormFields | undefined; notice: Html | false } {
  if (entered === undefined) return { typed, notice: false }
  const isChanged = (key: string) => changed === undefined || changed.has(key)
  const own = settingsSetBy(side, profile)
  const shown = new Map(entered)
  for (const [key, setting] of own.filter(([key]) => isChanged(key))) {
    shown.set(settingField(key), shownValue(key, setting, stored, undefined))
  }
  const lost = own.filter(([key, { type }]) => type === 'password' || isChanged(key))
  return { typed: shown, notice: enteredList(lost, profile, stored, entered, side) }
}

/** What was typed where it differs from what is stored, each leading to its control. */
function enteredList(
  settings: readonly [string, SettingDefinition][],
  profile: SettingsProfile,
  stored: StoredSettings,
  entered: FormFields,
  side: SettingScope,
): Html | false {
  const wanted = new Map(Object.entries(settingsInput(profile, entered, { stored, side })))
  const differing = settings.flatMap(([key, setting]) => {
    const text = wanted.has(key) && enteredText(setting, wanted.get(key), stored.values.get(key))
    return text ? [{ key, name: setting.name, text }] : []
  })
  if (differing.length === 0) return false
  return html`<div class="notice"><p><strong>You had entered:</strong></p><ul class="bullets">
${differing.map(
  ({ key, name, text }) =>
    html`<li><a href="#${settingControlId(key)}"><bdi>${name}</bdi></a> ${text}</li>`,
)}</ul></div>
`
}

/** The words for a value that was typed; nothing when it is what is stored. */
function enteredText(
  setting: SettingDefinition,
  wanted: unknown,
  stored: SettingValue | undefined,
): Html | false {
  if (setting.type === 'password') {
    if (wanted === null) return html`to be removed`
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

import { z } from 'zod'
import { typedNumber } from '../../../base/values/text-forms/numbers.ts'
import {
  choiceText,
  type SettingDefinition,
  type SettingsProfile,
  settingsInOrder,
} from '../../../marketplace/apps/settings/definitions.ts'
import { choiceValue, type SettingValue } from '../../../marketplace/apps/settings/value-types.ts'
import type { SettingScope } from '../../../marketplace/apps/settings/values.ts'
import { type Html, html } from '../page/html.ts'

/** The fields of a form as they arrived: the last one wins where a name comes twice. */
export type FormFields = ReadonlyMap<string, string>

/** Schema of a form, or of the query of an address, whose fields may be any. */
export const Fields = z.unknown().transform(formFields)

/** Reads a parsed form; whatever is no text is left out. */
export function formFields(body: unknown): FormFields {
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    const last: unknown = [value].flat().at(-1)
    if (typeof last === 'string') fields.set(name, last)
  }
  return fields
}

/** A field of several lines; browsers send CR LF for a line end (WHATWG HTML 4.10.21.4). */
export function multilineText(fields: FormFields, name: string): string {
  return withLineFeeds(fields.get(name) ?? '')
}

function withLineFeeds(sent: string): string {
  return sent.replaceAll('\r\n', '\n')
}

/**
 * The text of a field that may have several lines. A line end behind a single line is dropped: nobody
 * who types or pastes one line means it.
 */
function pastedText(sent: string): string {
  const text = withLineFeeds(sent)
  const first = text.indexOf('\n')
  return first !== -1 && /^\n+$/.test(text.slice(first)) ? text.slice(0, first) : text
}

/** Name of the field of a setting; apart from all other fields of the form. */
export function settingField(key: string): string {
  return `s.${key}`
}

/** Name of the checkbox that takes the value of another field away, such as a stored password. */
export function removalOf(field: string): string {
  return `remove.${field}`
}

const CARRIED_PREFIX = '_carried.'

/**
 * Says that the earlier entry in a field goes along with the form, unless the field has a new
 * entry.
 */
export function carriedField(name: string): Html {
  return html`<input type="hidden" name="${CARRIED_PREFIX}${name}" value="yes">
`
}

/** The fields that a form carries along. */
export function carriedFields(form: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(form)
    .filter((name) => name.startsWith(CARRIED_PREFIX))
    .map((name) => name.slice(CARRIED_PREFIX.length))
}

/** What is stored for the settings of a form: values as text, passwords by whether they are set. */
export type StoredSettings = {
  values: ReadonlyMap<string, SettingValue>
  passwordsSet: ReadonlySet<string>
}

/** The settings that one side sets, in the order in which they are displayed. */
export function settingsSetBy(
  side: SettingScope,
  profile: SettingsProfile,
): [string, SettingDefinition][] {
  return settingsInOrder(profile).filter(([, { scope }]) => scope === side)
}

/** The settings that users set, in the order in which they are displayed. */
export function userSettingsOf(profile: SettingsProfile): [string, SettingDefinition][] {
  return settingsSetBy('user', profile)
}

/** The settings of one scope among the rows of an installation, as forms show them. */
export function storedSettingsOf(
  settings: readonly { scope: string; key: string; value: unknown; secret: unknown }[],
  side: SettingScope,
): StoredSettings {
  const own = settings.filter(({ scope }) => scope === side)
  return {
    values: new Map(
      own
        .filter(({ secret }) => secret === null)
        .map(({ key, value }) => [key, value as SettingValue]),
    ),
    passwordsSet: new Set(own.filter(({ secret }) => secret !== null).map(({ key }) => key)),
  }
}

/** Values of users' settings that were checked, as if they were stored. */
export function storedSettingsOfValues(
  profile: SettingsProfile,
  values: ReadonlyMap<string, SettingValue>,
): StoredSettings {
  const isPassword = new Map(
    userSettingsOf(profile).map(([key, { type }]) => [key, type === 'password']),
  )
  return {
    values: new Map([...values].filter(([key]) => !isPassword.get(key))),
    passwordsSet: new Set([...values.keys()].filter((key) => isPassword.get(key))),
  }
}

type SettingsInputOptions = { stored?: StoredSettings; side?: SettingScope; isEdit?: boolean }

/**
 * Turns the texts of a form into the values that `validateSettings` takes. Only fields of the
 * profile's own settings of the one side are looked at.
 *
 * @param options `stored`: what there is already; emptied fields take it away. `isEdit`: of a form
 *   that asks for changes only, and not for every setting of an option
 */
export function settingsInput(
  profile: SettingsProfile,
  fields: FormFields,
  { stored, side = 'user', isEdit = false }: SettingsInputOptions = {},
): Record<string, unknown> {
  const input: [string, unknown][] = []
  for (const [key, setting] of settingsSetBy(side, profile)) {
    const before = stored?.values.get(key)
    const isStored = before !== undefined || stored?.passwordsSet.has(key) || false
    const isSame = isUnchangedText(setting, fields.get(settingField(key)), before)
    const value = isSame ? before : inputOf(key, setting, fields, isStored, isEdit)
    if (value !== undefined) input.push([key, value])
  }
  return Object.fromEntries(input)
}

/** Whether a text is the stored one but for its line ends, all of which browsers write alike. */
function isUnchangedText(
  { type }: SettingDefinition,
  sent: string | undefined,
  stored: SettingValue | undefined,
): boolean {
  if (type !== 'text' || sent === undefined || typeof stored !== 'string') return false
  const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n')
  return lines(sent) === lines(stored)
}

/** `undefined` says nothing of the setting, `null` takes it away. */
function inputOf(
  key: string,
  setting: SettingDefinition,
  fields: FormFields,
  isStored: boolean,
  isEdit: boolean,
): unknown {
  const text = fields.get(settingField(key))
  // Developers give theirs bit by bit; what is there already stays mandatory.
  const must = setting.mandatory && (setting.scope === 'user' || isStored)
  switch (setting.type) {
    case 'boolean':
      if (text === 'true') return 'true'
      // A box that is not checked says no. So does an optional one that was never set: who edits
      // something else has not changed it.
      return isEdit && !isStored && !setting.mandatory ? undefined : 'false'
    case 'password':
      if (text && pastedText(text) !== '') return pastedText(text)
      if (isStored && !setting.mandatory && fields.has(removalOf(settingField(key)))) return null
      return must ? '' : undefined
    case 'text': {
      if (text === undefined && isStored) return undefined
      if (text && pastedText(text) !== '') return pastedText(text)
      if (must) return ''
      return isStored ? null : undefined
    }
    case 'number':
    case 'select':
      if (text === undefined && isStored) return undefined
      if (text?.trim()) {
        return setting.type === 'number' ? (typedNumber(text) ?? text) : choiceValue(setting, text)
      }
      return isStored ? null : undefined
  }
}

/** What a control shows: what was typed last, or what is stored. Passwords never come back. */
export function shownValue(
  key: string,
  setting: SettingDefinition,
  stored: StoredSettings | undefined,
  typed: FormFields | undefined,
): string {
  if (setting.type === 'password') return ''
  if (typed !== undefined) return typed.get(settingField(key)) ?? ''
  const value = stored?.values.get(key)
  return value === undefined ? '' : choiceText(value)
}

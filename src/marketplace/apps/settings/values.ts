import { capErrors } from '../../../base/values/field-errors.ts'
import { type FieldError, jsonPointer } from '../../../errors.ts'
import type { SettingDefinition, SettingsProfile } from './definitions.ts'
import { parseSettingValue, type SettingValue } from './value-types.ts'

export type SettingScope = SettingDefinition['scope']

export type SettingsInput = {
  profile: SettingsProfile
  /** Whose settings these are; keys of the other scope are refused. */
  scope: SettingScope
  /** The `userSettings` or `adminSettings` object of a request, not checked yet. */
  input: unknown
  /** Pointer to that object, such as `/userSettings`; empty when it is the whole body. */
  pointer?: string
  /**
   * Merge patch (RFC 7396): keys left out keep their value, null removes one that is not mandatory.
   * Without it the input is the whole: what it leaves out is gone.
   */
  patch?: boolean
  /** The values that are stored. Passwords may stand in any form; they are carried over untouched. */
  existing?: ReadonlyMap<string, SettingValue>
}

export type CheckedSettings =
  | {
      ok: true
      /** All values after the change, by key. */
      values: Map<string, SettingValue>
      /**
       * Keys whose value is new, different or removed, sorted. A password that was sent again
       * counts.
       */
      changed: string[]
    }
  | { ok: false; errors: FieldError[] }

const NO_VALUES: ReadonlyMap<string, SettingValue> = new Map()

/**
 * Checks setting values against the profile of the chosen purchase option and reports every problem
 * at once. An empty password keeps the stored one. A missing mandatory user setting is an error; a
 * missing mandatory admin setting is not, because developers set theirs after the install and bit
 * by bit, but it can't be emptied or removed.
 */
export function validateSettings(request: SettingsInput): CheckedSettings {
  const { profile, scope, input, pointer = '', patch = false, existing = NO_VALUES } = request
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { ok: false, errors: [{ pointer, detail: 'must be an object of setting values' }] }
  }
  const given = new Map<string, unknown>(Object.entries(input))
  const errors: FieldError[] = []
  const report = (key: string, detail: string) =>
    errors.push({ pointer: pointer + jsonPointer([key]), detail })

  const own = new Map(Object.entries(profile).filter(([, setting]) => setting.scope === scope))
  for (const key of given.keys()) {
    if (own.has(key)) continue
    report(key, Object.hasOwn(profile, key) ? otherScope(scope) : 'is not a setting of this option')
  }

  const values = new Map<string, SettingValue>()
  for (const [key, setting] of own) {
    const stored = existing.get(key)
    if (!given.has(key)) {
      if (patch && stored !== undefined) values.set(key, stored)
      else if (setting.mandatory && scope === 'user') report(key, 'is mandatory')
      continue
    }
    const value = given.get(key)
    if (value === null && patch) {
      if (setting.mandatory) report(key, 'is mandatory and cannot be removed')
    } else if (setting.type === 'password' && value === '') {
      if (stored !== undefined) values.set(key, stored)
      else if (setting.mandatory) report(key, 'is mandatory and must not be empty')
    } else {
      const parsed = parseSettingValue(setting, value)
      if (parsed.ok) values.set(key, parsed.value)
      else report(key, parsed.problem)
    }
  }
  if (errors.length > 0) return { ok: false, errors: capErrors(errors) }
  return { ok: true, values, changed: changedKeys(own, given, existing, values) }
}

function otherScope(scope: SettingScope): string {
  return scope === 'user'
    ? 'is set by the developer of the app, not by the user'
    : 'is set by the user, not by the developer of the app'
}

function changedKeys(
  settings: ReadonlyMap<string, SettingDefinition>,
  given: ReadonlyMap<string, unknown>,
  existing: ReadonlyMap<string, SettingValue>,
  values: ReadonlyMap<string, SettingValue>,
): string[] {
  const newPassword = (key: string) =>
    settings.get(key)?.type === 'password' && values.has(key) && Boolean(given.get(key))
  return [...new Set([...existing.keys(), ...values.keys()])]
    .filter((key) => existing.get(key) !== values.get(key) || newPassword(key))
    .sort()
}

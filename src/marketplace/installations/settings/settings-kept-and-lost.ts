import {
  choiceText,
  profileOf,
  type SettingsConfiguration,
  type SettingsProfile,
} from '../../apps/settings/definitions.ts'
import {
  choiceValue,
  parseSettingValue,
  type SettingValue,
} from '../../apps/settings/value-types.ts'
import type { SettingScope } from '../../apps/settings/values.ts'

export type ScopedValues = Readonly<Record<SettingScope, ReadonlyMap<string, SettingValue>>>

/** What happens to the settings when an installation gets another profile. */
export type SettingsTransition = {
  /** Values that stay valid, by scope. */
  carried: ScopedValues
  /** Keys of user settings whose value stays. */
  kept: string[]
  /** Keys of user settings whose value would be lost. */
  lost: string[]
  /** Keys of admin settings, which accounts do not see, whose value would be lost. */
  lostAdmin: string[]
  /** Mandatory user settings that need a value. */
  needed: string[]
}

/**
 * Tells which settings an installation keeps, loses and needs under another profile: of another
 * purchase option, of another version (an upgrade), or both.
 */
export function settingsKeptAndLost(
  stored: ScopedValues,
  from: SettingsProfile,
  to: SettingsProfile,
): SettingsTransition {
  const carried = {
    user: carryOverSettings(stored.user, 'user', from, to),
    admin: carryOverSettings(stored.admin, 'admin', from, to),
  }
  const kept = [...carried.user.keys()].sort()
  const lostOf = (scope: SettingScope) =>
    [...stored[scope].keys()].filter((key) => !carried[scope].has(key)).sort()
  const needed = Object.entries(to)
    .filter(
      ([key, setting]) => setting.mandatory && setting.scope === 'user' && !carried.user.has(key),
    )
    .map(([key]) => key)
    .sort()
  return { carried, kept, lost: lostOf('user'), lostAdmin: lostOf('admin'), needed }
}

/**
 * The stored values that stay valid when the profile changes (another purchase option, an upgrade):
 * same key, type and scope, and allowed by the new definition. Passwords are carried over unchanged.
 */
export function carryOverSettings(
  values: ReadonlyMap<string, SettingValue>,
  scope: SettingScope,
  from: SettingsProfile,
  to: SettingsProfile,
): Map<string, SettingValue> {
  const kept = new Map<string, SettingValue>()
  for (const [key, value] of values) {
    if (!Object.hasOwn(from, key) || !Object.hasOwn(to, key)) continue
    const [old, now] = [from[key], to[key]]
    if (old?.scope !== scope || now?.scope !== scope || old.type !== now.type) continue
    if (now.type === 'password') {
      kept.set(key, value)
      continue
    }
    // Choices with the same text are the same choice, whether the text is a string or a number.
    const given = now.type === 'select' ? choiceValue(now, choiceText(value)) : value
    const parsed = parseSettingValue(now, given)
    if (parsed.ok) kept.set(key, parsed.value)
  }
  return kept
}

/** The settings of a purchase option in a stored configuration. */
export function storedProfile(settings: unknown, purchaseOptionId: string): SettingsProfile {
  return profileOf(settings as SettingsConfiguration, purchaseOptionId)
}

import { carryOverSettings } from '../../apps/settings/carried-over-settings.ts'
import {
  profileOf,
  type SettingsConfiguration,
  type SettingsProfile,
} from '../../apps/settings/definitions.ts'
import type { SettingValue } from '../../apps/settings/value-types.ts'
import type { SettingScope } from '../../apps/settings/values.ts'

export type ScopedValues = Readonly<Record<SettingScope, ReadonlyMap<string, SettingValue>>>

/** What happens to the settings when an installation gets another profile. */
export type SettingsTransition = {
  /** Values that stay valid, by scope. */
  carried: ScopedValues
  /** Keys whose value stays. */
  kept: string[]
  /** Keys whose value would be lost. */
  lost: string[]
  /** Mandatory user settings that need a value. */
  needed: string[]
}

/**
 * Tells which settings an installation keeps, loses and needs under another profile: of another
 * purchase option, of another version (an upgrade), or both. What a value must meet to be kept is
 * in `src/apps/settings/carried-over-settings.ts`.
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
  const kept = [...carried.user.keys(), ...carried.admin.keys()].sort()
  const lost = [...stored.user.keys(), ...stored.admin.keys()]
    .filter((key) => !carried.user.has(key) && !carried.admin.has(key))
    .sort()
  const needed = Object.entries(to)
    .filter(
      ([key, setting]) => setting.mandatory && setting.scope === 'user' && !carried.user.has(key),
    )
    .map(([key]) => key)
    .sort()
  return { carried, kept, lost, needed }
}

/** The settings of a purchase option in a stored configuration. */
export function storedProfile(settings: unknown, purchaseOptionId: string): SettingsProfile {
  return profileOf(settings as SettingsConfiguration, purchaseOptionId)
}

import type { SettingsProfile } from '../../apps/settings/definitions.ts'
import type { SettingValue } from '../../apps/settings/value-types.ts'

/** The context that the passwords of a request are encrypted for: no other row decrypts them. */
export function requestPasswordsContext(requestId: string): string {
  return JSON.stringify(['install request', requestId])
}

/** Checked settings, with the passwords apart from what anybody in the account may read. */
export function withPasswordsApart(
  profile: SettingsProfile,
  values: ReadonlyMap<string, SettingValue>,
): { open: Record<string, SettingValue>; passwords: Record<string, SettingValue> } {
  const isPassword = (key: string) =>
    Object.hasOwn(profile, key) && profile[key]?.type === 'password'
  const entries = [...values]
  return {
    open: Object.fromEntries(entries.filter(([key]) => !isPassword(key))),
    passwords: Object.fromEntries(entries.filter(([key]) => isPassword(key))),
  }
}

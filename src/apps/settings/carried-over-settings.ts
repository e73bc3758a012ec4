import { choiceText, type SettingsProfile } from './definitions.ts'
import { choiceValue, parseSettingValue, type SettingValue } from './value-types.ts'
import type { SettingScope } from './values.ts'

/**
 * The stored values that still hold when the profile changes (another purchase option, an upgrade):
 * same key, type and scope, and allowed by the new definition. Passwords are carried over untouched.
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

import type { Deps } from '../../../deps.ts'
import type { SettingsProfile } from '../../apps/settings/definitions.ts'
import type { SettingValue } from '../../apps/settings/value-types.ts'
import { type CheckedSettings, validateSettings } from '../../apps/settings/values.ts'
import type { StoredInstallation } from '../stored-installation-service.ts'
import {
  type ScopedValues,
  type SettingsTransition,
  settingsKeptAndLost,
} from './settings-kept-and-lost.ts'
import { storedValues, writeSettings } from './settings-service.ts'

/** What becomes of an installation's settings under another profile. */
export function transitionTo(
  { row, profile }: StoredInstallation,
  to: SettingsProfile,
): SettingsTransition & { stored: ScopedValues } {
  const stored = {
    user: storedValues(row.settings, 'user'),
    admin: storedValues(row.settings, 'admin'),
  }
  return { ...settingsKeptAndLost(stored, profile, to), stored }
}

/**
 * Checks the user settings that come with the change of profile, together with those that are
 * carried over.
 */
export function checkTransition(
  to: SettingsProfile,
  { carried }: SettingsTransition,
  userSettings: unknown,
): CheckedSettings {
  return validateSettings({
    profile: to,
    scope: 'user',
    input: userSettings ?? {},
    pointer: '/userSettings',
    patch: true,
    existing: carried.user,
  })
}

/**
 * Writes the settings of the new profile: sets, keeps and removes values.
 *
 * @returns the keys that were set, changed or removed, of either scope
 */
export async function writeTransition(
  deps: Pick<Deps, 'db' | 'secrets'>,
  installationId: string,
  to: SettingsProfile,
  { stored, carried }: SettingsTransition & { stored: ScopedValues },
  user: { values: ReadonlyMap<string, SettingValue>; changed: readonly string[] },
): Promise<string[]> {
  // `changed` compares with the values that are carried over, so the removed keys are added.
  const changedUser = new Set([...user.changed, ...differing(stored.user, user.values)])
  await writeSettings(deps, installationId, 'user', {
    profile: to,
    values: user.values,
    changed: [...changedUser],
  })
  const changedAdmin = differing(stored.admin, carried.admin)
  await writeSettings(deps, installationId, 'admin', {
    profile: to,
    values: carried.admin,
    changed: changedAdmin,
  })
  return [...changedUser, ...changedAdmin].sort()
}

/** What an audit entry says of the settings that are lost; accounts do not see `droppedAdmin`. */
export function droppedBy({ lost, lostAdmin }: SettingsTransition) {
  return { dropped: lost, ...(lostAdmin.length > 0 && { droppedAdmin: lostAdmin }) }
}

function differing(
  before: ReadonlyMap<string, SettingValue>,
  after: ReadonlyMap<string, SettingValue>,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  )
}

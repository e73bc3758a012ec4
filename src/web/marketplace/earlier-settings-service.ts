import { isUuid } from '../../base/values/shapes.ts'
import type { Deps } from '../../deps.ts'
import { choiceText, type SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import {
  parseSettingValue,
  type SettingValue,
} from '../../marketplace/apps/settings/value-types.ts'
import { ofUser } from '../../marketplace/installations/stored-installation-service.ts'
import { type FormFields, settingField, userSettingsOf } from '../shared/forms/settings-form.ts'

type Earlier = { userId: string; appId: string; partyId: number; installationId: string }

/**
 * The settings of an installation that an account has uninstalled, as fields for the form that
 * installs the app again: those that the option has and takes. Passwords were erased, so they are
 * asked anew.
 *
 * @returns undefined when there is no such installation
 */
export async function earlierSettings(
  { db }: Pick<Deps, 'db'>,
  { userId, appId, partyId, installationId }: Earlier,
  profile: SettingsProfile,
): Promise<FormFields | undefined> {
  if (!isUuid(installationId)) return undefined
  const row = await db.installation.findFirst({
    where: { id: installationId, appId, partyId, live: null, ...ofUser(userId) },
    select: {
      settings: { where: { scope: 'user', secret: null }, select: { key: true, value: true } },
    },
  })
  if (row === null) return undefined
  const stored = new Map(row.settings.map(({ key, value }) => [key, value as SettingValue]))
  const fitting = userSettingsOf(profile).flatMap(([key, setting]): [string, string][] => {
    const value = stored.get(key)
    if (value === undefined || setting.type === 'password') return []
    return parseSettingValue(setting, value).ok ? [[settingField(key), choiceText(value)]] : []
  })
  return new Map(fitting)
}

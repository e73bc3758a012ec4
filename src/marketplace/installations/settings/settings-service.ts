import type { Prisma } from '../../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import type { ExpectedRevisions } from '../../../base/values/etags.ts'
import { unprocessable } from '../../../base/values/field-errors.ts'
import type { Deps } from '../../../deps.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import type { SettingDefinition, SettingsProfile } from '../../apps/settings/definitions.ts'
import type { SettingValue } from '../../apps/settings/value-types.ts'
import { type SettingScope, validateSettings } from '../../apps/settings/values.ts'
import { recordInstallationEvent } from '../../events/record-event-service.ts'
import { lockInstallation, type StoredInstallation, TOUCH } from '../stored-installation-service.ts'
import { type StoredSetting, secretContext } from './stored-settings.ts'

/**
 * Stands for a stored password where values are compared, because its text does not matter there.
 */
const STORED_PASSWORD = '(stored)'

/** The stored values of one scope, each password as a placeholder. */
export function storedValues(
  settings: readonly StoredSetting[],
  scope: SettingScope,
): Map<string, SettingValue> {
  return new Map(
    settings
      .filter((setting) => setting.scope === scope)
      .map(({ key, value, secret }) => [
        key,
        secret === null ? (value as SettingValue) : STORED_PASSWORD,
      ]),
  )
}

/**
 * Writes the difference between stored and new values, one row per key: one statement for the
 * removed keys, one for those that are new or different.
 *
 * @param change `changed` names the keys that are new, different or removed
 */
export async function writeSettings(
  { db, secrets }: { db: Db; secrets: Deps['secrets'] },
  installationId: string,
  scope: SettingScope,
  change: {
    profile: SettingsProfile
    values: ReadonlyMap<string, SettingValue>
    changed: readonly string[]
  },
): Promise<void> {
  const { profile, values, changed } = change
  const gone = changed.filter((key) => !values.has(key))
  if (gone.length > 0) {
    await db.settingValue.deleteMany({ where: { installationId, scope, key: { in: gone } } })
  }
  const written = changed.flatMap((key) => {
    const value = values.get(key)
    if (value === undefined) return []
    // Writes both columns: under another profile a key may have become a password, or stopped being
    // one.
    const isPassword = typeOf(profile, key) === 'password'
    return {
      key,
      value: isPassword ? null : JSON.stringify(value),
      secret: isPassword
        ? encrypt(secrets, installationId, scope, key, String(value)).toString('base64')
        : null,
    }
  })
  if (written.length === 0) return
  await db.$executeRaw`
    INSERT INTO setting_values (installation_id, scope, key, value, secret)
    SELECT ${installationId}::uuid, ${scope}::"SettingScope", key, value::jsonb, decode(secret, 'base64')
    FROM unnest(
      ${written.map(({ key }) => key)}::text[], ${written.map(({ value }) => value)}::text[],
      ${written.map(({ secret }) => secret)}::text[]
    ) AS written (key, value, secret)
    ON CONFLICT (installation_id, scope, key) DO UPDATE
    SET value = EXCLUDED.value, secret = EXCLUDED.secret, updated_at = EXCLUDED.updated_at`
}

function typeOf(profile: SettingsProfile, key: string): SettingDefinition['type'] | undefined {
  return Object.hasOwn(profile, key) ? profile[key]?.type : undefined
}

function encrypt(
  secrets: Deps['secrets'],
  installationId: string,
  scope: SettingScope,
  key: string,
  password: string,
): Buffer {
  return secrets.encrypt(Buffer.from(password), secretContext(installationId, scope, key))
}

/** A requested change of setting values. */
export type SettingsChange = {
  installationId: string
  /** Who must own the installation. */
  where: Prisma.InstallationWhereInput
  scope: SettingScope
  /** A merge patch (RFC 7396) of the settings. */
  patch: unknown
  expectedRevisions: ExpectedRevisions
  actor: Actor
}

/**
 * Changes setting values of one scope. When several requests change different keys, all changes are
 * kept.
 *
 * @returns the installation after the change
 * @throws AppError unprocessable with all problems, precondition_failed, not_found
 */
export async function patchSettings(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  { installationId, where, scope, patch, expectedRevisions, actor }: SettingsChange,
): Promise<StoredInstallation> {
  return inTransaction(db, async (tx) => {
    const stored = await lockInstallation(tx, installationId, where, expectedRevisions)
    const { row, profile } = stored
    const checked = validateSettings({
      profile,
      scope,
      input: patch,
      patch: true,
      existing: storedValues(row.settings, scope),
    })
    if (!checked.ok) throw unprocessable(checked.errors)
    if (checked.changed.length === 0) return stored
    await writeSettings({ db: tx, secrets }, installationId, scope, { profile, ...checked })
    await tx.installation.update({ where: { id: installationId }, data: TOUCH })
    await recordAudit(tx, {
      actor,
      action: 'installation.settings_changed',
      subject: { kind: 'installation', id: installationId },
      developerId: row.developerId,
      partyId: row.partyId,
      // Keys only: the values concern the account and the developer.
      after: { scope, keys: checked.changed },
    })
    await recordInstallationEvent(tx, 'installation.settings_changed', installationId, {
      scope,
      keys: [...checked.changed],
    })
    return lockInstallation(tx, installationId, where)
  })
}

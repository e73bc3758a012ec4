import type { SecretBox } from '../../../base/secrets/secret-box.ts'

/** One row of the settings of an installation. */
export type StoredSetting = {
  scope: 'user' | 'admin'
  key: string
  value: unknown
  secret: Uint8Array | null
}

/**
 * The context that a password is encrypted for: its ciphertext cannot be decrypted in another row.
 */
export function secretContext(installationId: string, scope: string, key: string): string {
  return JSON.stringify(['setting', installationId, scope, key])
}

/**
 * The settings of an installation as its developer sees them: passwords in clear.
 *
 * @throws SecretBoxError when a password was encrypted with a key that is gone
 */
export function settingValuesOf(
  secrets: SecretBox,
  installationId: string,
  settings: readonly StoredSetting[],
): { userSettings: Record<string, string | number>; adminSettings: Record<string, string> } {
  const settingsOfScope = (scope: StoredSetting['scope']) =>
    settings
      .filter((setting) => setting.scope === scope)
      .map(({ key, value, secret }): [string, string | number] => [
        key,
        secret === null
          ? (value as string | number)
          : secrets.decrypt(secret, secretContext(installationId, scope, key)).toString('utf8'),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    userSettings: Object.fromEntries(settingsOfScope('user')),
    adminSettings: Object.fromEntries(
      settingsOfScope('admin').map(([key, value]) => [key, String(value)] as const),
    ),
  }
}

import type { ClientBase } from 'pg'
import { secretContext } from '../installations/settings/stored-settings.ts'
import { type SecretBox, SecretBoxError } from '../secrets/secret-box.ts'
import { signingKeyContext } from '../tokens/keys-service.ts'
import { BackupError } from './backup-error.ts'

/**
 * Decrypts the newest signing key and one password setting, as far as there are any.
 *
 * @returns how many secrets were decrypted
 * @throws BackupError when SECRET_KEY does not open them
 */
export async function openSomeSecrets(client: ClientBase, secrets: SecretBox): Promise<number> {
  const { rows: keys } = await client.query<{ kid: string; secret: Buffer }>(
    `SELECT kid, private_key AS secret FROM public.signing_keys ORDER BY created_at DESC LIMIT 1`,
  )
  const { rows: settings } = await client.query<{
    installation: string
    scope: string
    key: string
    secret: Buffer
  }>(
    `SELECT installation_id::text AS installation, scope::text, key, secret
     FROM public.setting_values WHERE secret IS NOT NULL LIMIT 1`,
  )
  try {
    for (const { kid, secret } of keys) secrets.decrypt(secret, signingKeyContext(kid))
    for (const { installation, scope, key, secret } of settings) {
      secrets.decrypt(secret, secretContext(installation, scope, key))
    }
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error
    throw new BackupError(
      `SECRET_KEY does not fit the database: a secret in it was ${error.message}.`,
      { cause: error },
    )
  }
  return keys.length + settings.length
}

import type { ClientBase } from 'pg'
import { factorSecretContext } from '../auth/second-factor/totp.ts'
import { requestPasswordsContext } from '../installations/requests/request-passwords.ts'
import { secretContext } from '../installations/settings/stored-settings.ts'
import { type SecretBox, SecretBoxError } from '../secrets/secret-box.ts'
import { signingKeyContext } from '../tokens/keys-service.ts'
import { endpointSecretContext } from '../webhooks/endpoints/endpoint-secrets.ts'
import { BackupError } from './backup-error.ts'

/** What is encrypted: its table, one of it with what names it, and the context that it is for. */
type SecretKind = {
  table: string
  /** Reads `names` and `secret`. */
  one: string
  contextOf(names: readonly string[]): string
}

const KINDS: readonly SecretKind[] = [
  {
    table: 'signing_keys',
    one: `SELECT ARRAY[kid] AS names, private_key AS secret FROM public.signing_keys
      ORDER BY created_at DESC LIMIT 1`,
    contextOf: ([kid = '']) => signingKeyContext(kid),
  },
  {
    table: 'setting_values',
    one: `SELECT ARRAY[installation_id::text, scope::text, key] AS names, secret
      FROM public.setting_values WHERE secret IS NOT NULL LIMIT 1`,
    contextOf: ([installation = '', scope = '', key = '']) =>
      secretContext(installation, scope, key),
  },
  {
    table: 'webhook_endpoints',
    one: `SELECT ARRAY[id::text] AS names, secret FROM public.webhook_endpoints
      WHERE secret IS NOT NULL LIMIT 1`,
    contextOf: ([id = '']) => endpointSecretContext(id),
  },
  {
    table: 'second_factors',
    one: `SELECT ARRAY[user_id::text] AS names, secret FROM public.second_factors
      ORDER BY created_at DESC LIMIT 1`,
    contextOf: ([userId = '']) => factorSecretContext(userId),
  },
  {
    table: 'install_requests',
    one: `SELECT ARRAY[id::text] AS names, passwords AS secret FROM public.install_requests
      WHERE passwords IS NOT NULL LIMIT 1`,
    contextOf: ([id = '']) => requestPasswordsContext(id),
  },
]

/**
 * Decrypts one secret of each kind, as far as there are any: the newest signing key, a password
 * setting, the secret of a webhook endpoint, the newest second factor, the passwords of an install
 * request.
 *
 * @returns how many secrets were decrypted
 * @throws BackupError when SECRET_KEY does not open them
 */
export async function openSomeSecrets(client: ClientBase, secrets: SecretBox): Promise<number> {
  let opened = 0
  for (const kind of KINDS) {
    // A backup of a former release has fewer tables.
    const table = `public.${kind.table}`
    const { rows: found } = await client.query('SELECT to_regclass($1) IS NOT NULL AS is', [table])
    if (!found[0]?.is) continue
    const { rows } = await client.query<{ names: string[]; secret: Buffer }>(kind.one)
    for (const { names, secret } of rows) open(secrets, secret, kind.contextOf(names))
    opened += rows.length
  }
  return opened
}

function open(secrets: SecretBox, secret: Buffer, context: string): void {
  try {
    secrets.decrypt(secret, context)
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error
    throw new BackupError(
      `SECRET_KEY does not fit the database: a secret in it was ${error.message}.`,
      { cause: error },
    )
  }
}

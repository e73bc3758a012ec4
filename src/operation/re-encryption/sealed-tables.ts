import { factorSecretContext } from '../../identity/auth/second-factor/totp.ts'
import { signingKeyContext } from '../../identity/tokens/jws.ts'
import { requestPasswordsContext } from '../../marketplace/installations/requests/request-passwords.ts'
import { secretContext } from '../../marketplace/installations/settings/stored-settings.ts'
import {
  endpointHeadersContext,
  endpointSecretContext,
} from '../../marketplace/webhooks/endpoints/endpoint-secrets.ts'

/** A row's primary key, as texts in the order of its columns. */
export type RowKey = readonly string[]

/** A table with columns that SECRET_KEY protects. */
export type SealedTable = {
  table: string
  /** SQL that joins the rows which writing a row `t` also changes, by a trigger. */
  changed?: string
  /** The name of its secrets in audit entries. */
  subject: string
  /** The columns of the primary key with their types, in its order. */
  key: readonly { column: string; type: string }[]
  /** The protected columns, each with the context that its ciphertext is bound to. */
  columns: readonly { column: string; context: (...key: string[]) => string }[]
  /** The name of a row in messages to operators. */
  nameOf: (...key: string[]) => string
}

/** Every table with secrets that can be decrypted, under the name that counts use. */
export const SEALED_TABLES = {
  settings: {
    table: 'setting_values',
    changed: 'JOIN installations i ON i.id = t.installation_id',
    subject: 'settings',
    key: [
      { column: 'installation_id', type: 'uuid' },
      { column: 'scope', type: '"SettingScope"' },
      { column: 'key', type: 'text' },
    ],
    columns: [{ column: 'secret', context: secretContext }],
    nameOf: (installationId, scope, key) => `${scope} setting ${key} of ${installationId}`,
  },
  signingKeys: {
    table: 'signing_keys',
    subject: 'signing-keys',
    key: [{ column: 'kid', type: 'text' }],
    columns: [{ column: 'private_key', context: signingKeyContext }],
    nameOf: (kid) => `signing key ${kid}`,
  },
  webhooks: {
    table: 'webhook_endpoints',
    subject: 'webhooks',
    key: [{ column: 'id', type: 'uuid' }],
    columns: [
      { column: 'secret', context: endpointSecretContext },
      { column: 'previous_secret', context: endpointSecretContext },
      { column: 'headers', context: endpointHeadersContext },
    ],
    nameOf: (id) => `webhook endpoint ${id}`,
  },
  secondFactors: {
    table: 'second_factors',
    subject: 'second-factors',
    key: [{ column: 'user_id', type: 'uuid' }],
    columns: [{ column: 'secret', context: factorSecretContext }],
    nameOf: (userId) => `second factor of ${userId}`,
  },
  installRequests: {
    table: 'install_requests',
    subject: 'install-requests',
    key: [{ column: 'id', type: 'uuid' }],
    columns: [{ column: 'passwords', context: requestPasswordsContext }],
    nameOf: (id) => `passwords of the install request ${id}`,
  },
} as const satisfies Record<string, SealedTable>

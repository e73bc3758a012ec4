import type { ClientBase } from 'pg'
import { type SecretBox, SecretBoxError } from '../../base/secrets/secret-box.ts'
import { SEALED_TABLES, type SealedTable } from '../re-encryption/sealed-tables.ts'
import { BackupError } from './backup-error.ts'

/**
 * Decrypts one secret of every protected column that has any.
 *
 * @returns how many secrets were decrypted
 * @throws BackupError when SECRET_KEY does not open them
 */
export async function openSomeSecrets(client: ClientBase, secrets: SecretBox): Promise<number> {
  let count = 0
  const known = await columnsOf(client)
  try {
    for (const table of Object.values<SealedTable>(SEALED_TABLES)) {
      for (const { column, context } of table.columns) {
        if (!known.has(`${table.table}.${column}`)) continue
        const key = table.key.map((part) => `${part.column}::text`).join(', ')
        const { rows } = await client.query<{ key: string[]; sealed: Buffer }>(
          `SELECT ARRAY[${key}] AS key, ${column} AS sealed
           FROM public.${table.table} WHERE ${column} IS NOT NULL LIMIT 1`,
        )
        for (const row of rows) secrets.decrypt(row.sealed, context(...row.key))
        count += rows.length
      }
    }
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error
    throw new BackupError(
      `SECRET_KEY does not fit the database: a secret in it was ${error.message}.`,
      { cause: error },
    )
  }
  return count
}

/** The columns that there are: a backup of an earlier release lacks the newest. */
async function columnsOf(client: ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public'`,
  )
  return new Set(rows.map(({ name }) => name))
}

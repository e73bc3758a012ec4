import type { ClientBase } from 'pg'
import { type SecretBox, SecretBoxError } from '../../base/secrets/secret-box.ts'
import { SEALED_TABLES, type SealedTable } from '../re-encryption/sealed-tables.ts'
import { BackupError } from './archive.ts'

/**
 * Decrypts one secret of every protected column that has any.
 *
 * @returns how many secrets were decrypted
 * @throws BackupError when SECRET_KEY does not open them
 */
export async function openSomeSecrets(client: ClientBase, secrets: SecretBox): Promise<number> {
  let count = 0
  try {
    for (const table of Object.values<SealedTable>(SEALED_TABLES)) {
      for (const { column, context } of table.columns) {
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

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { MIGRATION_LOCK_ID } from '../database/migration-files.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { ArchiveError } from './archive.ts'
import { BackupError } from './backup-error.ts'
import { countRows } from './backup-service.ts'
import { tablesOf } from './contents-service.ts'
import { type BackupFacts, factsOf } from './facts.ts'
import { raiseNumbers } from './raise-numbers-service.ts'
import { type Archive, readArchive } from './read-archive.ts'
import { openSomeSecrets } from './secrets-check-service.ts'

/** The copies of zlib's failures: bytes that were changed. */
const ZLIB_FAILURE = /^Z_/

type RestoreDeps = {
  /** A connection of the restore's own. */
  client: ClientBase
  secrets: SecretBox
  /** Those of SECRET_KEY and SECRET_KEY_PREVIOUS. */
  keyFingerprints: readonly string[]
}
type RestoreInput = { file: string; onProgress(bytesRead: number, bytes: number): void }

/**
 * Fills an empty database from a backup, in one transaction: whatever ends it early leaves the
 * database empty. At the end the rows of every table are counted, numbers that would be given out a
 * second time are raised, and secrets are decrypted.
 *
 * @returns what the backup says of itself, and how many secrets were decrypted
 * @throws ArchiveError when the file is no backup or damaged, BackupError when the database is not
 *   empty or SECRET_KEY is not that of the backup
 */
export async function restoreBackup(
  deps: RestoreDeps,
  { file, onProgress }: RestoreInput,
): Promise<BackupFacts & { secretsDecrypted: number }> {
  const info = await stat(file).catch(() => undefined)
  if (info?.isFile() !== true) throw new BackupError(`The file ${file} cannot be read.`)
  const source = createReadStream(file)
  const report = () => onProgress(source.bytesRead, info.size)
  try {
    const archive = await readArchive(source)
    const facts = factsOf(archive.entries)
    refuseOtherKey(facts, deps.keyFingerprints)
    await begin(deps.client)
    await load(deps.client, archive, report)
    await compareCounts(deps.client, facts)
    await raiseNumbers(deps.client)
    const secretsDecrypted = await openSomeSecrets(deps.client, deps.secrets)
    await deps.client.query('COMMIT')
    return { ...facts, secretsDecrypted }
  } catch (error) {
    throw ZLIB_FAILURE.test(String((error as { code?: unknown }).code))
      ? new ArchiveError('The backup is damaged.', { cause: error as Error })
      : error
  } finally {
    source.destroy()
  }
}

function refuseOtherKey({ keyFingerprint }: BackupFacts, known: readonly string[]): void {
  if (known.includes(keyFingerprint)) return
  throw new BackupError(
    `The backup was made with another SECRET_KEY (fingerprint ${keyFingerprint}; this one is ` +
      `${known[0]}). Set SECRET_KEY to that key, or SECRET_KEY_PREVIOUS if you have changed it since.`,
  )
}

/** Servers that start meanwhile wait for the lock of the migrations and find a whole database. */
async function begin(client: ClientBase): Promise<void> {
  await client.query(`
    SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    SET client_encoding = 'UTF8'; SET client_min_messages = warning; BEGIN`)
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1) AS locked',
    [MIGRATION_LOCK_ID],
  )
  if (rows[0]?.locked !== true) {
    throw new BackupError('A server or another restore is working on this database. Stop it first.')
  }
  if ((await tablesOf(client)).length > 0) {
    throw new BackupError('The database is not empty. Restore into a new one.')
  }
}

async function load(client: ClientBase, archive: Archive, report: () => void): Promise<void> {
  for (const entry of archive.entries) {
    if (entry.copy !== '') {
      const rows = archive.rowsOf(entry).on('data', report)
      await pipeline(rows, client.query(copyFrom(entry.copy)))
    } else if (entry.sql !== '') {
      await client.query(entry.sql)
    }
    report()
  }
  await archive.finish()
}

async function compareCounts(client: ClientBase, { tables }: BackupFacts): Promise<void> {
  const counts = await countRows(client, await tablesOf(client))
  const wrong = Object.keys({ ...tables, ...counts }).filter((tag) => tables[tag] !== counts[tag])
  if (wrong.length > 0) {
    throw new ArchiveError(
      `The backup is damaged: it says otherwise how many rows are in ${wrong.join(', ')}.`,
    )
  }
}

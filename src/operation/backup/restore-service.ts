import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { MIGRATION_LOCK_ID, type Migration } from '../../base/database/migration-files.ts'
import type { SecretBox } from '../../base/secrets/secret-box.ts'
import { ArchiveError, BackupError } from './archive.ts'
import { countRows } from './backup-service.ts'
import { migrationsOf, SCHEMA_SETTINGS } from './contents-service.ts'
import { type BackupFacts, factsOf } from './facts.ts'
import { fillSteps } from './fill-steps-service.ts'
import { raiseNumbers } from './raise-numbers-service.ts'
import { type Archive, readArchive } from './read-archive.ts'
import type { SealedFile } from './sealed-file-service.ts'
import { openSomeSecrets } from './secrets-check-service.ts'
import { copyIn, sequencesOf, type Table, tablesOf } from './tables-service.ts'

/** The codes of zlib's failures: bytes that were changed. */
const ZLIB_FAILURE = /^Z_/

type RestoreDeps = {
  /** A connection of the restore's own. */
  client: ClientBase
  secrets: SecretBox
  /** Those of this release. */
  migrations: readonly Migration[]
}
type RestoreInput = { sealed: SealedFile; onProgress(bytesRead: number, bytes: number): void }

/**
 * Fills an empty database from a backup, in one transaction: whatever ends it early leaves the
 * database empty. All SQL is of this release: the backup gives the names of migrations and rows of
 * tables. At the end the rows of every table are counted, numbers that would be given out a second
 * time are raised, and secrets are decrypted.
 *
 * @returns what the backup says of itself, and how many secrets were decrypted
 * @throws ArchiveError when the backup is damaged or does not fit this release, BackupError when the
 *   database is not empty or SECRET_KEY does not open the secrets
 */
export async function restoreBackup(
  deps: RestoreDeps,
  { sealed, onProgress }: RestoreInput,
): Promise<BackupFacts & { secretsDecrypted: number }> {
  try {
    const archive = await readArchive(counted(sealed, onProgress))
    const facts = factsOf(archive.entries[0])
    const migrations = knownMigrations(facts, deps.migrations)
    await begin(deps.client)
    await makeTables(deps.client, migrations)
    await fill(deps.client, archive, facts)
    await compareCounts(deps.client, facts)
    await raiseNumbers(deps.client)
    const secretsDecrypted = await openSomeSecrets(deps.client, deps.secrets)
    await deps.client.query('COMMIT')
    return { ...facts, secretsDecrypted }
  } catch (error) {
    throw ZLIB_FAILURE.test(String((error as { code?: unknown }).code))
      ? new ArchiveError('The backup is damaged.', { cause: error as Error })
      : error
  }
}

async function* counted(
  { bytes, read }: SealedFile,
  onProgress: RestoreInput['onProgress'],
): AsyncGenerator<Buffer> {
  let done = 0
  for await (const chunk of read()) {
    done += chunk.length
    onProgress(done, bytes)
    yield chunk
  }
}

function knownMigrations({ migrations, release }: BackupFacts, known: readonly Migration[]) {
  return migrationsOf(migrations, known, (name) => {
    return new ArchiveError(
      `The backup needs the migration ${name}, which this release does not have. ` +
        `Use the release that made it (${release}).`,
    )
  })
}

/** Servers that start meanwhile wait for the lock of the migrations and find a whole database. */
async function begin(client: ClientBase): Promise<void> {
  await client.query(`
    SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    SET client_min_messages = warning; BEGIN`)
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

async function makeTables(client: ClientBase, migrations: readonly Migration[]): Promise<void> {
  for (const [, sql] of SCHEMA_SETTINGS) await client.query(sql)
  for (const { sql } of migrations) await client.query(sql)
}

/** Fills the tables that the migrations made. A backup that has others, or lacks one, is refused. */
async function fill(client: ClientBase, archive: Archive, facts: BackupFacts): Promise<void> {
  const tables = filledTables(await tablesOf(client), facts)
  const sequences = (await sequencesOf(client)).map((sequence) => ({
    ...sequence,
    last: facts.sequences[sequence.tag] ?? null,
  }))
  refuseUnknown('sequence', Object.keys(facts.sequences), tagsOf(sequences))
  // Names in the statements are complete where nothing is looked for elsewhere.
  await client.query("SET LOCAL search_path = ''")
  const { before, after } = await fillSteps(client, tables, sequences)
  await client.query('SET LOCAL search_path = public')
  for (const { sql } of before) if (sql !== '') await client.query(sql)
  await copyRows(client, archive, tables)
  for (const { sql } of after) if (sql !== '') await client.query(sql)
}

/** The tables of the schema, each with its columns in the order of the backup. */
function filledTables(tables: readonly Table[], facts: BackupFacts): Table[] {
  refuseOther('table', Object.keys(facts.tables), tagsOf(tables))
  return tables.map((table) => {
    const columns = facts.tables[table.tag]?.columns ?? []
    const named = (names: readonly string[]) => names.map((name) => `${table.tag}.${name}`)
    refuseOther('column', named(columns), named(table.columns))
    return { ...table, columns }
  })
}

const tagsOf = (things: readonly { tag: string }[]) => things.map(({ tag }) => tag)

function refuseOther(what: string, found: readonly string[], known: readonly string[]): void {
  refuseUnknown(what, found, known)
  const missing = known.find((name) => !found.includes(name))
  if (missing === undefined) return
  throw new ArchiveError(`The backup lacks the ${what} ${missing}, which its migrations make.`)
}

function refuseUnknown(what: string, found: readonly string[], known: readonly string[]): void {
  const stranger = found.find((name) => !known.includes(name))
  if (stranger === undefined) return
  throw new ArchiveError(
    `The backup has the ${what} ${stranger}, which its migrations do not make. Remove what was ` +
      'added to the database by hand, and make a new backup.',
  )
}

async function copyRows(
  client: ClientBase,
  archive: Archive,
  tables: readonly Table[],
): Promise<void> {
  const toFill = new Map(tables.map((table) => [table.tag, table]))
  for (const entry of archive.entries.filter(({ copy }) => copy !== '')) {
    const table = toFill.get(entry.tag)
    if (table === undefined) throw new ArchiveError('The backup is damaged.')
    toFill.delete(entry.tag)
    await pipeline(archive.rowsOf(entry), client.query(copyFrom(copyIn(table))))
  }
  if (toFill.size > 0) throw new ArchiveError('The backup is damaged.')
  await archive.finish()
}

async function compareCounts(client: ClientBase, { tables }: BackupFacts): Promise<void> {
  const counts = await countRows(client, await tablesOf(client))
  const wrong = Object.keys(counts).filter((tag) => tables[tag]?.rows !== counts[tag])
  if (wrong.length > 0) {
    throw new ArchiveError(
      `The backup is damaged: it says otherwise how many rows are in ${wrong.join(', ')}.`,
    )
  }
}

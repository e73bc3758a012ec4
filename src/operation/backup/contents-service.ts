import type { ClientBase } from 'pg'
import {
  BOOKKEEPING_SQL,
  isFromBefore,
  type Migration,
  NO_RELEASE,
} from '../../base/database/migration-files.ts'
import { type ArchiveEntry, BackupError, dataEntry, SECTION, sqlEntry } from './archive.ts'
import type { FillSteps } from './fill-steps-service.ts'
import { copyIn, type Table } from './tables-service.ts'

/** Statements that the migrations rely on, whatever the session has for defaults. */
export const SCHEMA_SETTINGS = [
  ['ENCODING', "SET client_encoding = 'UTF8';\n"],
  ['STDSTRINGS', "SET standard_conforming_strings = 'on';\n"],
  ['SEARCH PATH', "SELECT pg_catalog.set_config('search_path', 'public', false);\n"],
  ['BOOKKEEPING', `${BOOKKEEPING_SQL};\n`],
] as const

/**
 * Entries that make the tables as the migrations made them, then fill them, then make what takes
 * longer on full tables. `restore` does the same by itself: it takes the rows from a backup, and
 * never SQL. The SQL is for people who read the file, and for pg_restore.
 */
export function archiveEntries(
  tables: readonly Table[],
  migrations: readonly Migration[],
  { before, after }: FillSteps,
): ArchiveEntry[] {
  const { preData, postData } = SECTION
  return [
    ...SCHEMA_SETTINGS.map(([kind, sql]) => sqlEntry(preData, kind, kind, sql)),
    ...migrations.map(({ name, sql }) => sqlEntry(preData, 'MIGRATION', name, sql)),
    ...before.map(({ kind, name, sql }) => sqlEntry(preData, kind, name, sql)),
    ...tables.map((table) => dataEntry(table.tag, copyIn(table))),
    ...after.map(({ kind, name, sql }) => sqlEntry(postData, kind, name, sql)),
  ]
}

/**
 * The files of the migrations that the database was given.
 *
 * @throws BackupError when the database was not migrated, or by another release
 */
export async function appliedMigrations(
  client: ClientBase,
  tables: readonly Table[],
  known: readonly Migration[],
): Promise<Migration[]> {
  if (!tables.some(({ tag }) => tag === '_prisma_migrations')) {
    throw new BackupError('The database holds no marketplace.')
  }
  const { rows } = await client.query<Pick<Migration, 'name' | 'checksum'>>(
    `SELECT migration_name AS name, checksum FROM public._prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  )
  return migrationsOf(rows, known, (name) => {
    if (isFromBefore(known, name)) return new BackupError(NO_RELEASE)
    return new BackupError(
      `The database has the migration ${name}, which this release does not know. ` +
        'Back it up with the release that made it.',
    )
  })
}

/** The migrations of this release with these names, in the release's order. */
export function migrationsOf(
  wanted: readonly Pick<Migration, 'name' | 'checksum'>[],
  known: readonly Migration[],
  unknown: (name: string) => Error,
): Migration[] {
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]))
  const stranger = wanted.find(({ name, checksum }) => checksums.get(name) !== checksum)
  if (stranger !== undefined) throw unknown(stranger.name)
  const names = new Set(wanted.map(({ name }) => name))
  return known.filter(({ name }) => names.has(name))
}

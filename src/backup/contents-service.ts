import type { ClientBase } from 'pg'
import type { Migration } from '../database/migration-files.ts'
import { BOOKKEEPING_SQL } from '../database/migration-files.ts'
import { type ArchiveEntry, dataEntry, SECTION, sqlEntry } from './archive.ts'
import { BackupError } from './backup-error.ts'

/** A table of the marketplace: its complete name, and the columns that hold data. */
export type Table = { name: string; tag: string; columns: string }

/**
 * The tables of the marketplace. The jobs, which are wake-ups only, have a schema of their own and
 * are none of them.
 */
export async function tablesOf(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name, c.relname AS tag,
      string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT EXISTS (
      SELECT FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    GROUP BY 1, 2 ORDER BY 2`)
  return rows
}

export const copyOut = ({ name, columns }: Table) => `COPY ${name} (${columns}) TO STDOUT`
const copyIn = ({ name, columns }: Table) => `COPY ${name} (${columns}) FROM stdin;\n`

/**
 * Entries that make the tables as the migrations made them, then fill them, then make what takes
 * longer on full tables: indexes and foreign keys. Triggers stay off meanwhile: what they do to
 * rows was done when the rows were first written.
 *
 * @param client with an empty search_path, so that every name is complete
 * @throws BackupError when the database was not migrated, or by another release
 */
export async function archiveEntries(
  client: ClientBase,
  tables: readonly Table[],
  migrations: readonly Migration[],
): Promise<ArchiveEntry[]> {
  const applied = await appliedMigrations(client, tables, migrations)
  const later = await statementsAround(client)
  const on = (state: string) =>
    later.triggers.map(({ table }) => `ALTER TABLE ${table} ${state} TRIGGER USER;\n`)
  const names = tables.map(({ name }) => name).join(', ')
  const { preData, postData } = SECTION
  const pre = (kind: string, lines: string[]) => sqlEntry(preData, kind, kind, lines.join(''))
  const post = (kind: string, lines: string[]) => sqlEntry(postData, kind, kind, lines.join(''))
  return [
    pre('ENCODING', ["SET client_encoding = 'UTF8';\n"]),
    pre('STDSTRINGS', ["SET standard_conforming_strings = 'on';\n"]),
    pre('SEARCH PATH', ["SELECT pg_catalog.set_config('search_path', 'public', false);\n"]),
    pre('BOOKKEEPING', [`${BOOKKEEPING_SQL};\n`]),
    ...applied.map(({ name, sql }) => sqlEntry(preData, 'MIGRATION', name, sql)),
    pre('NO FOREIGN KEYS', later.foreignKeys.map(dropConstraint)),
    pre(
      'NO INDEXES',
      later.indexes.map(({ name }) => `DROP INDEX IF EXISTS ${name};\n`),
    ),
    pre('NO TRIGGERS', on('DISABLE')),
    // Those that migrations have written: they come with the others.
    pre('NO ROWS', [`TRUNCATE ${names};\n`]),
    ...tables.map((table) => dataEntry(table.tag, copyIn(table))),
    post(
      'SEQUENCES',
      later.sequences.map(({ name, last }) => `SELECT pg_catalog.setval('${name}', ${last});\n`),
    ),
    ...later.indexes.map(({ name, definition }) =>
      sqlEntry(postData, 'INDEX', name, `${definition};\n`),
    ),
    ...later.foreignKeys.map((key) =>
      sqlEntry(postData, 'FK CONSTRAINT', key.name, addConstraint(key)),
    ),
    post('TRIGGERS', on('ENABLE')),
    post('STATISTICS', [`ANALYZE ${names};\n`]),
  ]
}

type ForeignKey = { table: string; name: string; definition: string }
const dropConstraint = ({ table, name }: ForeignKey) =>
  `ALTER TABLE ${table} DROP CONSTRAINT ${name};\n`
const addConstraint = ({ table, name, definition }: ForeignKey) =>
  `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition};\n`

/** The files of the migrations that the database was given. */
async function appliedMigrations(
  client: ClientBase,
  tables: readonly Table[],
  migrations: readonly Migration[],
): Promise<Migration[]> {
  if (!tables.some(({ tag }) => tag === '_prisma_migrations')) {
    throw new BackupError('The database holds no marketplace.')
  }
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM public._prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  )
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  return rows.map(({ name, checksum }) => {
    const migration = known.get(name)
    if (migration?.checksum === checksum) return migration
    throw new BackupError(
      `The database has the migration ${name}, which this release does not know. ` +
        'Back it up with the release that made it.',
    )
  })
}

/**
 * What is left out while the tables are filled. Indexes of an extension stay as the migration makes
 * them, or does not, where it cannot be had.
 */
async function statementsAround(client: ClientBase) {
  const all = async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows
  return {
    foreignKeys: await all<ForeignKey>(`
      SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name,
        pg_get_constraintdef(oid) AS definition
      FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`),
    indexes: await all<{ name: string; definition: string }>(`
      SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_constraint k
          WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
        AND NOT EXISTS (SELECT FROM pg_opclass o JOIN pg_depend d
            ON d.classid = 'pg_opclass'::regclass AND d.objid = o.oid AND d.deptype = 'e'
          WHERE o.oid = ANY (i.indclass))
      ORDER BY 1`),
    sequences: await all<{ name: string; last: string }>(`
      SELECT format('%I.%I', schemaname, sequencename) AS name, last_value AS last
      FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`),
    triggers: await all<{ table: string }>(`
      SELECT DISTINCT t.tgrelid::regclass::text AS table
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace ORDER BY 1`),
  }
}

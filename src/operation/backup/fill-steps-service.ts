import pg, { type ClientBase } from 'pg'
import type { Sequence, Table } from './tables-service.ts'

/** A piece of SQL that a restore runs; `kind` and `name` say what it is about. */
type FillStep = { kind: string; name: string; sql: string }

/** What is done around filling the tables that the migrations made. */
export type FillSteps = { before: FillStep[]; after: FillStep[] }

type ForeignKey = { table: string; name: string; definition: string }
const dropConstraint = ({ table, name }: ForeignKey) =>
  `ALTER TABLE ${table} DROP CONSTRAINT ${name};\n`
const addConstraint = ({ table, name, definition }: ForeignKey) =>
  `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition};\n`

/**
 * Leaves out what takes longer on full tables while these are filled: indexes and foreign keys.
 * Triggers stay off meanwhile: what they do to rows was done when the rows were first written.
 *
 * @param client with an empty search_path, so that every name is complete
 * @param sequences with the numbers that they have afterwards
 */
export async function fillSteps(
  client: ClientBase,
  tables: readonly Table[],
  sequences: readonly Sequence[],
): Promise<FillSteps> {
  const { foreignKeys, indexes, triggers } = await leftOut(client)
  const step = (kind: string, lines: string[]) => ({ kind, name: kind, sql: lines.join('') })
  const switched = (state: string) =>
    triggers.map(({ table }) => `ALTER TABLE ${table} ${state} TRIGGER USER;\n`)
  const names = tables.map(({ name }) => name).join(', ')
  const before = [
    step('NO FOREIGN KEYS', foreignKeys.map(dropConstraint)),
    step(
      'NO INDEXES',
      indexes.map(({ name }) => `DROP INDEX IF EXISTS ${name};\n`),
    ),
    step('NO TRIGGERS', switched('DISABLE')),
    // Rows that migrations have written come with the others.
    step('NO ROWS', [`TRUNCATE ${names};\n`]),
  ]
  const after = [
    step(
      'SEQUENCES',
      sequences
        .filter(({ last }) => last !== null)
        .map(({ name, last }) => `SELECT pg_catalog.setval(${pg.escapeLiteral(name)}, ${last});\n`),
    ),
    ...indexes.map(({ name, definition }) => ({ kind: 'INDEX', name, sql: `${definition};\n` })),
    ...foreignKeys.map((key) => ({
      kind: 'FK CONSTRAINT',
      name: key.name,
      sql: addConstraint(key),
    })),
    step('TRIGGERS', switched('ENABLE')),
    step('STATISTICS', [`ANALYZE ${names};\n`]),
  ]
  return { before, after }
}

/**
 * What is left out while the tables are filled. Indexes of an extension stay as the migration makes
 * them, or does not, where it cannot be had.
 */
async function leftOut(client: ClientBase) {
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
    triggers: await all<{ table: string }>(`
      SELECT DISTINCT t.tgrelid::regclass::text AS table
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace ORDER BY 1`),
  }
}

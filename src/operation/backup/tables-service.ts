import pg, { type ClientBase } from 'pg'

/** A table of the marketplace: its complete name, and the columns that hold data. */
export type Table = { name: string; tag: string; columns: string[] }

/**
 * The tables of the marketplace. The jobs have a schema of their own and are none of them.
 */
export async function tablesOf(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name, c.relname AS tag,
      array_agg(a.attname::text ORDER BY a.attnum) AS columns
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

const columnList = ({ columns }: Table) => columns.map(pg.escapeIdentifier).join(', ')
export const copyOut = (table: Table) => `COPY ${table.name} (${columnList(table)}) TO STDOUT`
export const copyIn = (table: Table) => `COPY ${table.name} (${columnList(table)}) FROM stdin;\n`

/** A sequence with its complete name, and the last number that it gave out. */
export type Sequence = { name: string; tag: string; last: string | null }

/** The sequences of the marketplace. */
export async function sequencesOf(client: ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    SELECT format('%I.%I', schemaname, sequencename) AS name, sequencename AS tag,
      last_value::text AS last
    FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`)
  return rows
}

import type { SharedMarketplace } from './app.ts'

/** What must show up neither in an answer nor in the log. */
export const PLANTED = 'canary-in-the-database'

/** A way to make the database fail, and to mend it. */
export type Sabotage = { sql: string; undo: string }

/** Does the work while something in the database is broken. */
export async function sabotaged<T>(
  { deps }: Pick<SharedMarketplace, 'deps'>,
  { sql, undo }: Sabotage,
  work: () => Promise<T>,
): Promise<T> {
  await deps.pool.query(sql)
  try {
    return await work()
  } finally {
    await deps.pool.query(undo)
  }
}

/** Every insert into a table fails as Postgres itself could, with texts that quote data. */
export function failingInserts(table: string, sqlState: string): Sabotage {
  return {
    sql: `
      CREATE FUNCTION sabotage() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'invalid input "${PLANTED}": SELECT * FROM users WHERE email = ${PLANTED}'
          USING ERRCODE = '${sqlState}', DETAIL = 'Key (email)=(${PLANTED}) already exists.',
            HINT = '${PLANTED}', TABLE = 'users', COLUMN = 'email';
      END $$;
      CREATE TRIGGER sabotage BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION sabotage();`,
    undo: `DROP TRIGGER sabotage ON ${table}; DROP FUNCTION sabotage();`,
  }
}

/** A table or column that is not there under its name. */
export function missing(table: string, column?: string): Sabotage {
  const rename = (from: string, to: string) =>
    column === undefined
      ? `ALTER TABLE ${from} RENAME TO ${to}`
      : `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`
  const name = column ?? table
  return { sql: rename(name, 'gone'), undo: rename('gone', name) }
}

/** Names of tables and columns that are no words of English. */
export async function internalNamesOf({ deps }: Pick<SharedMarketplace, 'deps'>): Promise<RegExp> {
  const { rows } = await deps.pool.query<{ name: string }>(
    `SELECT DISTINCT unnest(ARRAY[table_name, column_name]) AS name
     FROM information_schema.columns WHERE table_schema = 'public'`,
  )
  const names = rows.map(({ name }) => name).filter((name) => name.includes('_'))
  return new RegExp(`\\b(${names.join('|')})\\b`)
}

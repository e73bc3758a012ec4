import type { Pool } from 'pg'

/** A warning for the operator when searches by a part of a name read whole tables. */
export async function nameSearchWarning(pool: Pick<Pool, 'query'>): Promise<string | undefined> {
  const { rows } = await pool.query<{ missing: boolean }>(
    `SELECT to_regclass('parties_name_search_idx') IS NULL AS missing`,
  )
  return rows[0]?.missing
    ? 'Searches by a part of a name read whole tables: the database lacks the extension pg_trgm. ' +
        'docs/backup-and-upgrade.md says how to add it ("Search by a part of a name").'
    : undefined
}

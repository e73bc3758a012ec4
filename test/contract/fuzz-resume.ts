import type { Pool } from 'pg'

/** Undoes every suspension. */
export async function resumeAll(pool: Pool): Promise<void> {
  for (const table of ['developers', 'users', 'parties', 'apps']) {
    await pool.query(
      `UPDATE ${table} SET suspended_at = NULL, suspended_reason = NULL WHERE suspended_at IS NOT NULL`,
    )
  }
  await pool.query(
    `UPDATE installations SET status = 'active', suspended_at = NULL, suspended_reason = NULL,
       suspended_by = NULL WHERE status = 'suspended'`,
  )
}

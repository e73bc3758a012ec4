import type { Pool } from 'pg'

/** Undoes every suspension; what has ended for good stays as it is. */
export async function resumeAll(pool: Pool): Promise<void> {
  const ends = {
    developers: 'closed_at',
    parties: 'closed_at',
    users: 'removed_at',
    apps: 'deleted_at',
  }
  for (const [table, end] of Object.entries(ends)) {
    await pool.query(
      `UPDATE ${table} SET suspended_at = NULL, suspended_reason = NULL
       WHERE suspended_at IS NOT NULL AND ${end} IS NULL`,
    )
  }
  await pool.query(
    `UPDATE installations SET status = 'active', suspended_at = NULL, suspended_reason = NULL,
       suspended_by = NULL WHERE status = 'suspended'`,
  )
}

import { openPool } from '../../base/database/client.ts'
import type { PatientPool } from '../../base/database/patient-pool.ts'
import { deadlineIn, withDeadline } from '../../base/fair-share/deadline.ts'
import type { Runtime } from './runtime.ts'

/** Share of the grace time in which they are written, or not. */
const LAST_RECORDS_SHARE = 0.1

/**
 * Writes what is left to record when the process ends. On a connection of its own: the others are
 * interrupted where requests were cut off.
 */
export async function writeLastRecords(
  { connectionString, deps }: Runtime,
  write: (pool: PatientPool) => Promise<unknown>,
): Promise<void> {
  const deadline = deadlineIn(deps.config.shutdownGraceSeconds * 1000 * LAST_RECORDS_SHARE)
  const pool = openPool({ connectionString, poolSize: 1, onIdleError: () => {} })
  try {
    await withDeadline(deadline, () => write(pool))
  } finally {
    await pool.end()
  }
}

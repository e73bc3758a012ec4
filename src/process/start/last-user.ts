import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const OTHERS_PAUSE_MS = 200

/**
 * Resolves when no other process is connected to the embedded database at an address, or when that
 * database ended.
 */
export async function nobodyElseUses(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  // A database that ended has no users.
  client.on('error', () => {})
  try {
    await client.connect()
    while (await isUsedByOthers(client)) await sleep(OTHERS_PAUSE_MS)
    await client.end()
  } catch {
    // The caller ends it all the same.
  }
}

async function isUsedByOthers(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend'
       AND pid <> pg_backend_pid() LIMIT 1`,
  )
  return rows.length > 0
}

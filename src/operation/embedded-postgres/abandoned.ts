import { existsSync, readdirSync, realpathSync, rmdirSync, statSync } from 'node:fs'
import { locateCluster } from './cluster.ts'
import { lockDirectory } from './directory-lock.ts'
import { stopLeftover } from './leftover.ts'
import { makeSocketDir } from './socket-dir.ts'

/**
 * Ends the Postgres that a killed process left running in a data directory that nobody uses again.
 *
 * @returns false where a process may be about to start one
 * @throws EmbeddedPostgresError when a process uses the directory
 */
export async function endAbandoned(path: string): Promise<boolean> {
  const dataDir = realpathSync(path)
  // The file of the lock is there before the lock is held, everything else only afterwards.
  if (readdirSync(dataDir).every((name) => name === 'server.lock')) return false
  const release = await lockDirectory(dataDir)
  try {
    const cluster = locateCluster(dataDir)
    await stopLeftover(cluster)
    if (existsSync(cluster)) rmdirSync(makeSocketDir(dataDir, statSync(cluster)))
    return true
  } finally {
    release()
  }
}

import { poolOfWorker } from '../../../base/database/connection-count.ts'
import { type Config, fileVariable } from '../../../config.ts'

/**
 * The variables of a worker that differ from its supervisor's: the database that runs already, the
 * key that was made, and its share of connections and hashes. The demo is the supervisor's.
 */
export function workerSettings(
  { workers, databasePoolSize, argon2Concurrency }: Config,
  { url, secretKey }: { url: string; secretKey: string },
): Record<string, string> {
  const own = { DATABASE_URL: url, SECRET_KEY: secretKey }
  // The supervisor may have them from files; empty counts as unset.
  const files = Object.keys(own).map((name) => [String(fileVariable(name)), ''])
  return {
    ...own,
    ...Object.fromEntries(files),
    DEMO: 'false',
    DATABASE_POOL_SIZE: String(poolOfWorker(workers, databasePoolSize)),
    ARGON2_CONCURRENCY: String(Math.max(1, Math.floor(argon2Concurrency / workers))),
  }
}

import type { Config } from '../../config.ts'
import { poolOfWorker } from '../../database/connection-count.ts'

/**
 * The variables of a worker that differ from its supervisor's: the database that runs already, the
 * key that was made, and its share of connections and hashes. The demo is the supervisor's.
 */
export function workerSettings(
  { workers, databasePoolSize, argon2Concurrency }: Config,
  { url, secretKey }: { url: string; secretKey: string },
): Record<string, string> {
  return {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    DEMO: 'false',
    DATABASE_POOL_SIZE: String(poolOfWorker(workers, databasePoolSize)),
    ARGON2_CONCURRENCY: String(Math.max(1, Math.floor(argon2Concurrency / workers))),
  }
}

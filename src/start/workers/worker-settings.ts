import { availableParallelism } from 'node:os'
import type { Config } from '../../config.ts'

const CONNECTIONS_MIN = 2

/**
 * The variables of a worker that differ from its supervisor's: the database that runs already, the
 * key that was made, and its share of connections and hashes. The demo is the supervisor's.
 */
export function workerSettings(
  { workers, databasePoolSize, argon2Concurrency }: Config,
  { url, secretKey }: { url: string; secretKey: string },
): Record<string, string> {
  const hashes = argon2Concurrency ?? Math.max(1, availableParallelism() - 1)
  const share = (all: number, min: number) => String(Math.max(min, Math.floor(all / workers)))
  return {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    DEMO: 'false',
    DATABASE_POOL_SIZE: share(databasePoolSize, CONNECTIONS_MIN),
    ARGON2_CONCURRENCY: share(hashes, 1),
  }
}

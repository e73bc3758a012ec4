import { integer, postgresUrl } from '../values/variable-shapes.ts'
import { connectionsOf } from './connection-count.ts'

/** The embedded Postgres has 100 connections; some are left to commands. */
const EMBEDDED_CONNECTIONS_MAX = 95

/** The variables about the database. */
export const DATABASE_VARIABLES = {
  DATABASE_URL: {
    schema: postgresUrl,
    default: undefined,
    secret: true,
    meaning: 'Postgres 15 or newer. Unset: an embedded Postgres under `DATA_DIR`.',
  },
  DATABASE_READ_URL: {
    schema: postgresUrl,
    default: undefined,
    secret: true,
    meaning:
      'A streaming replica of `DATABASE_URL`, for product pages that are not in memory and ' +
      'for exports. Never stale: when it is behind or away, the primary answers.',
  },
  DATABASE_POOL_SIZE: {
    schema: integer(2, 500),
    default: '10',
    meaning:
      'Connections to Postgres that one server holds for requests at most; its workers share ' +
      'them, with at least 2 for each.',
  },
} as const

/** Problems of the variables together, one line each. */
export function databaseProblems({
  databaseUrl,
  databaseReadUrl,
  databasePoolSize,
  workers,
}: {
  databaseUrl?: string | undefined
  databaseReadUrl?: string | undefined
  databasePoolSize: number
  workers: number
}): string[] {
  if (databaseUrl !== undefined) return []
  const problems: string[] = []
  if (databaseReadUrl !== undefined) {
    problems.push('DATABASE_READ_URL: needs DATABASE_URL, the primary of the replica')
  }
  const connections = connectionsOf(workers, databasePoolSize)
  if (connections > EMBEDDED_CONNECTIONS_MAX) {
    problems.push(
      `DATABASE_POOL_SIZE: makes up to ${connections} connections; ` +
        `more than ${EMBEDDED_CONNECTIONS_MAX} need DATABASE_URL`,
    )
  }
  return problems
}

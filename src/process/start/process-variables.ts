import { z } from 'zod'
import { LOG_LEVELS } from '../../base/log/log-level.ts'
import { integer } from '../../base/values/variable-shapes.ts'

/** The embedded Postgres has connections for that many workers. */
const EMBEDDED_WORKERS_MAX = 8

/** The variables about the processes of a server: how many, what they tell, and how they end. */
export const PROCESS_VARIABLES = {
  WORKERS: {
    schema: z.union(
      [z.literal('auto'), integer(1, 256)],
      'must be a number from 1 to 256, or auto',
    ),
    default: '1',
    meaning:
      'Processes that serve `PORT` together, each a replica; `auto`: one for each core. ' +
      'Without `DATABASE_URL` at most 8.',
  },
  METRICS_PORT: {
    schema: integer(1, 65_535),
    default: undefined,
    meaning:
      'Port of `METRICS_HOST` that answers `/metrics` without a token; then `PORT` does not. Further ' +
      '`WORKERS` have the next ports. Unset: ' +
      '`/metrics` is on `PORT`, for tokens of operators.',
  },
  METRICS_HOST: {
    schema: z.string().min(1),
    default: undefined,
    meaning: 'Address that `METRICS_PORT` is on. Unset: `HOST`.',
  },
  BUILD_COMMIT: {
    schema: z.string().regex(/^[0-9a-f]{7,64}$/, 'must be the hash of a commit'),
    default: undefined,
    meaning:
      'Commit that the server was built from: log, `/metrics` and the OpenAPI document show it ' +
      'behind the version. Unset: the one that is checked out, where there is a `.git`.',
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS),
    default: 'info',
    meaning: 'Least severity that is logged.',
  },
  SHUTDOWN_GRACE_SECONDS: {
    schema: integer(1, 600),
    default: '10',
    meaning: 'Time that requests in flight have to finish after SIGTERM.',
  },
  DRAIN_SECONDS: {
    schema: z
      .string()
      .regex(/^\d{1,3}(\.\d{1,3})?$/, 'must be a number of seconds')
      .transform(Number),
    default: '0.5',
    meaning:
      'Part of that time in which `/readyz` says 503 and requests are still taken, so that ' +
      'load balancers look elsewhere first; at most half of it.',
  },
} as const

const PORT_MAX = 65_535

/** How many workers a server may have. */
export function workersMax(databaseUrl: string | undefined): number {
  return databaseUrl === undefined ? EMBEDDED_WORKERS_MAX : Infinity
}

/** Problems of the variables together, one line each. */
export function processProblems({
  port,
  metricsPort,
  databaseUrl,
  workers,
  drainSeconds,
  shutdownGraceSeconds,
}: {
  port: number
  metricsPort?: number | undefined
  databaseUrl?: string | undefined
  workers: number
  drainSeconds: number
  shutdownGraceSeconds: number
}): string[] {
  const problems: string[] = []
  if (workers > workersMax(databaseUrl)) {
    problems.push(`WORKERS: is more than ${workersMax(databaseUrl)}, which needs DATABASE_URL`)
  }
  if (drainSeconds > shutdownGraceSeconds / 2) {
    problems.push('DRAIN_SECONDS: is more than half of SHUTDOWN_GRACE_SECONDS')
  }
  if (metricsPort !== undefined) {
    const last = metricsPort + workers - 1
    if (port >= metricsPort && port <= last) {
      problems.push(
        workers === 1
          ? 'METRICS_PORT: is the same as PORT'
          : 'METRICS_PORT: each worker takes one, the next ones from there, and PORT is among them',
      )
    }
    if (last > PORT_MAX) problems.push('METRICS_PORT: leaves no port for each worker')
  }
  return problems
}

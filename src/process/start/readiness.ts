import pg from 'pg'
import { openPool } from '../../base/database/client.ts'
import { newestMigration } from '../../base/database/migration-files.ts'
import { deadlineIn, withDeadline } from '../../base/fair-share/deadline.ts'
import { createOutageLog } from '../../base/log/outage-log.ts'
import type { Runtime } from './runtime.ts'

/** How long the database may take to answer. */
const READY_MS = 1_500
const UNDEFINED_TABLE = '42P01'
/** Whether this release can work with the schema, as `migrate` decides it at the start. */
const FITS = 'SELECT compatible_from COLLATE "C" <= $1 AS fits FROM schema_release'
const NEWER_SCHEMA =
  'The schema of the database needs a newer release. Start that release here, too.'
const EMPTY_RELEASE =
  'The table schema_release is empty: the database is being restored, or was restored in part.'

/** Whether the server can answer requests. */
export type Readiness = {
  /** What stands in the way, as a sentence; undefined when nothing does. */
  problem(): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Asks the database over a connection of its own: a server whose connections are all in use is busy,
 * not away, and a load balancer that took busy servers out would end them all one after the other.
 */
export function openReadiness({
  deps: { log },
  connectionString,
}: Pick<Runtime, 'deps' | 'connectionString'>): Readiness {
  const outage = createOutageLog(log, { away: 'not ready', back: 'ready again' })
  const pool = openPool({ connectionString, poolSize: 1, onIdleError: () => {} })
  const known = newestMigration()
  return {
    async problem() {
      try {
        const newest = await known
        const { rows } = await withDeadline(deadlineIn(READY_MS), () =>
          pool.query<{ fits: boolean }>(FITS, [newest]),
        )
        const [release] = rows
        if (release?.fits) {
          outage.succeeded()
          return undefined
        }
        const problem = release === undefined ? EMPTY_RELEASE : NEWER_SCHEMA
        outage.failed(new Error(problem))
        return problem
      } catch (error) {
        outage.failed(error)
        return error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE
          ? 'The database has no schema of this marketplace.'
          : 'The database cannot be reached.'
      }
    },
    close: () => pool.end(),
  }
}

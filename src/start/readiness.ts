import { deadlineIn, withDeadline } from '../concurrency/deadline.ts'
import { openPool } from '../database/client.ts'
import { createOutageLog } from '../log/outage-log.ts'
import type { Runtime } from './runtime.ts'

/** How long the database may take to answer. */
const READY_MS = 1_500

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
  return {
    async problem() {
      try {
        await withDeadline(deadlineIn(READY_MS), () => pool.query('SELECT 1'))
        outage.succeeded()
        return undefined
      } catch (error) {
        outage.failed(error)
        return 'The database cannot be reached.'
      }
    },
    close: () => pool.end(),
  }
}

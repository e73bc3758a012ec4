import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { currentDeadline, deadlineIn, NO_DEADLINE, withDeadline } from '../fair-share/deadline.ts'
import type { PatientPool } from './patient-pool.ts'
import { sharesSessions } from './pooler-check.ts'

/** How long the replica may take before the primary is asked. */
const ATTEMPT_MS = 1_000
/** How long the check of the replica may take, which has some twenty round trips. */
const CHECK_MS = 10_000
/** How long the replica is left alone after a failure; twice as long after each further failure. */
const BACK_OFF_MS = 500
const BACK_OFF_MAX_MS = 30_000
/** The replica cancelled a statement that conflicted with its replay; nothing is wrong with it. */
const REPLAY_CONFLICT = '40001'

const IDENTITY = `
  SELECT system_identifier || ' ' || current_database() AS identity FROM pg_control_system()`

/**
 * A streaming replica, which may be behind the primary and may be away: for marketplaces whose products
 * are read by more programs than one Postgres answers.
 */
export type ReadReplica = {
  /**
   * Reads from the replica. Undefined when it is away or was away a moment ago: ask the primary.
   * The caller tells from the result whether the replica is behind.
   */
  read<T>(work: (pool: Pool) => Promise<T>): Promise<T | undefined>
  close(): Promise<void>
}

/**
 * Makes a reader of the replica. After a failure it leaves the replica alone for a while, then one
 * read at a time tries it again. A read without an answer in time is a failure when no other read had
 * one meanwhile. Only a copy of the primary is used.
 *
 * @param nowMs a clock that never goes back
 */
export function createReadReplica({
  pool,
  primary,
  log,
  nowMs = () => performance.now(),
}: {
  pool: PatientPool
  primary: Pool
  log: Pick<Logger, 'warn' | 'info'>
  nowMs?: () => number
}): ReadReplica {
  let failures = 0
  let successes = 0
  let awayUntilMs = 0
  let isTrying = false
  let isChecked = false

  const check = async () => {
    const [copy, original] = await Promise.all([identityOf(pool), identityOf(primary)])
    if (copy !== original) throw new Error('DATABASE_READ_URL leads to another database')
    if (await sharesSessions(pool)) {
      throw new Error('DATABASE_READ_URL leads to a pooler in transaction mode')
    }
    isChecked = true
  }
  const failed = (error: unknown) => {
    // When several reads fail together, only the first one counts.
    if (codeOf(error) === REPLAY_CONFLICT || nowMs() < awayUntilMs) return
    if (failures === 0) log.warn({ err: error }, 'the read replica is away; the primary answers')
    awayUntilMs = nowMs() + Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** Math.min(failures, 10))
    failures += 1
    isChecked = false
  }
  const succeeded = () => {
    successes += 1
    if (failures > 0) log.info('the read replica is back')
    failures = 0
  }
  /** No read waits for the check: the primary answers meanwhile. */
  const beginCheck = () => {
    isTrying = true
    withDeadline(deadlineIn(CHECK_MS), check)
      .catch(failed)
      .finally(() => {
        isTrying = false
      })
  }
  return {
    async read(work) {
      if (nowMs() < awayUntilMs || isTrying) return undefined
      if (!isChecked) {
        beginCheck()
        return undefined
      }
      const isTrial = failures > 0
      if (isTrial) isTrying = true
      const successesBefore = successes
      const deadline = deadlineIn(ATTEMPT_MS)
      const callersMs = currentDeadline()?.atMs ?? NO_DEADLINE.atMs
      const isShort = callersMs < deadline.atMs
      if (isShort) deadline.atMs = callersMs
      try {
        const result = await withDeadline(deadline, () => work(pool))
        succeeded()
        return result
      } catch (error) {
        // A statement that takes long, or a caller with little time left, says nothing about the
        // replica while it answers others.
        const isLate = performance.now() >= deadline.atMs
        if (!isLate || !(isShort || successes > successesBefore)) failed(error)
        return undefined
      } finally {
        if (isTrial) isTrying = false
      }
    },
    async close() {
      awayUntilMs = Number.POSITIVE_INFINITY
      pool.interrupt()
      await pool.end()
    },
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

async function identityOf(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ identity: string }>(IDENTITY)
  return rows[0]?.identity
}

import type { Pool } from 'pg'
import { type Db as BossDatabase, fromPrisma, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { OperatorError } from '../../errors.ts'
import type { Db } from '../database/transaction.ts'
import { createOutageLog } from '../log/outage-log.ts'
import { type JobKind, queueOf, SCHEMA } from './job-kind.ts'

const NOT_ALLOWED = '42501'

/** Where jobs are asked for. */
export type JobQueue = {
  /** Asks for a job; with a transaction it is done only if that commits. */
  ask<Data extends object>(kind: JobKind<Data>, data: Data, tx?: Db): Promise<void>
  /** The names of the kinds that it takes. */
  names: readonly string[]
  close(): Promise<void>
}

/** The database cannot hold the jobs; the message is for the operator. */
class JobQueueError extends OperatorError {}

/**
 * Makes the tables of pg-boss, or brings them to this release, and opens the queues of these kinds for
 * asking. It has no connections of its own.
 *
 * @throws JobQueueError when the role may not make the schema of the jobs
 */
export async function openJobQueue(
  pool: Pool,
  log: Logger,
  kinds: readonly JobKind[],
): Promise<JobQueue> {
  const outage = createOutageLog(log, {
    away: 'the queues for new jobs are away',
    back: 'the queues for new jobs are back',
  })
  const boss = new PgBoss({
    db: databaseOf(pool, outage.succeeded),
    schema: SCHEMA,
    schedule: false,
    supervise: false,
    registerInstance: false,
  })
  // Without a listener an error would end the process.
  boss.on('error', outage.failed)
  try {
    await boss.start()
    await openQueues(boss, kinds)
  } catch (error) {
    await boss.stop({ close: false }).catch(() => {})
    throw (error as { code?: string }).code === NOT_ALLOWED ? notAllowed(error) : error
  }
  return {
    async ask({ name }, data, tx) {
      const options = tx === undefined ? {} : { db: fromPrisma(tx) }
      await boss.insert(name, [{ data }], options)
    },
    names: kinds.map(({ name }) => name),
    async close() {
      await boss.stop({ close: false, graceful: false })
    },
  }
}

/** Makes the queues that are not there, and gives the others what is declared by now. */
async function openQueues(boss: PgBoss, kinds: readonly JobKind[]): Promise<void> {
  const known = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const kind of kinds) {
    const { policy, ...options } = queueOf(kind)
    if (known.has(kind.name)) await boss.updateQueue(kind.name, options)
    else await boss.createQueue(kind.name, { policy, ...options })
  }
}

function databaseOf(pool: Pool, succeeded: () => void): BossDatabase {
  return {
    async executeSql(text, values) {
      const result = await pool.query(text, values)
      succeeded()
      return result
    },
  }
}

function notAllowed(cause: unknown): JobQueueError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new JobQueueError(
    `The role of DATABASE_URL may not make the tables of the jobs: ${reason}. ` +
      `Give it the right to create schemas, or make a schema "${SCHEMA}" that it owns.`,
    { cause },
  )
}

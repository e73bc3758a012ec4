import type { Pool } from 'pg'
import { type Db as BossDatabase, fromPrisma, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { OperatorError } from '../../errors.ts'
import type { Db } from '../database/transaction.ts'
import { createOutageLog } from '../log/outage-log.ts'
import type { MailJob } from './mail-job.ts'
import { QUEUES, type QueueName, SCHEMA } from './queues.ts'

const NOT_ALLOWED = '42501'

/** Where background work is asked for. Jobs carry ids and addresses, and no secrets. */
export type JobQueue = {
  /** Asks to send what is due at each endpoint; a job that waits already is enough. */
  askToSend(endpointIds: readonly string[]): Promise<void>
  /** Asks for a mail; with a transaction it is sent only if that commits. */
  askMail(job: MailJob, tx?: Db): Promise<void>
  close(): Promise<void>
}

/** The database cannot hold the jobs; the message is for the operator. */
class JobQueueError extends OperatorError {}

/**
 * Makes the tables of pg-boss, or brings them to this release, and opens the queue for sending. It
 * has no connections of its own.
 *
 * @throws JobQueueError when the role may not make the schema of the jobs
 */
export async function openJobQueue(pool: Pool, log: Logger): Promise<JobQueue> {
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
    await createQueues(boss)
  } catch (error) {
    await boss.stop({ close: false }).catch(() => {})
    throw (error as { code?: string }).code === NOT_ALLOWED ? notAllowed(error) : error
  }
  return {
    async askToSend(endpointIds) {
      if (endpointIds.length === 0) return
      const jobs = endpointIds.map((endpointId) => ({
        data: { endpointId },
        singletonKey: endpointId,
      }))
      await boss.insert('endpoint-window', jobs)
    },
    async askMail(job, tx) {
      const options = tx === undefined ? {} : { db: fromPrisma(tx) }
      await boss.insert('mail', [{ data: job }], options)
    },
    async close() {
      await boss.stop({ close: false, graceful: false })
    },
  }
}

async function createQueues(boss: PgBoss): Promise<void> {
  const known = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const name of Object.keys(QUEUES) as QueueName[]) {
    if (!known.has(name)) await boss.createQueue(name, QUEUES[name])
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

import type { Pool, PoolClient } from 'pg'
import type { Prisma, PrismaClient } from './generated/client.ts'

/** The database, or a transaction in it: services work with either. */
export type Db = Prisma.TransactionClient

const MAX_WAIT_MS = 5_000
const TIMEOUT_MS = 15_000

/**
 * Runs the work in a new transaction, or in the one that the caller is already in.
 *
 * @param timeoutMs after which the transaction is rolled back
 */
export function inTransaction<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<T> {
  return begun(db, work, { maxWait: MAX_WAIT_MS, timeout: timeoutMs })
}

/**
 * Runs reads that belong together on one snapshot: Prisma reads related rows with separate
 * statements, and other transactions may write in between. A caller in a transaction keeps that
 * transaction; it has locked the rows that it reads.
 */
export function inSnapshot<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const snapshot = { isolationLevel: 'RepeatableRead' } as const
  return begun(db, work, { maxWait: MAX_WAIT_MS, timeout: TIMEOUT_MS, ...snapshot })
}

/** The clients of the transactions that are open, or have been. */
const transactions = new WeakSet<Db>()

/** Within a transaction, Prisma would set a savepoint: two statements more for nothing. */
function begun<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  options: { maxWait: number; timeout: number; isolationLevel?: 'RepeatableRead' },
): Promise<T> {
  if (transactions.has(db)) return work(db)
  return (db as PrismaClient).$transaction((tx) => {
    transactions.add(tx)
    return work(tx)
  }, options)
}

/**
 * Runs hand-written SQL in a transaction on its own connection; rolled back when the work throws.
 * If the rollback fails, the connection is closed, which also rolls back.
 */
export async function inSqlTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | boolean = false
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

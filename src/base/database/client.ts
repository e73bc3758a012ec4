import { setFlagsFromString } from 'node:v8'
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { PrismaClient } from './generated/client.ts'
import { takeLongResultsInTicks } from './long-results.ts'
import { PatientPool } from './patient-pool.ts'

/** Shorter than the pool's own limit, after which the pool can only destroy the connection. */
const STATEMENT_TIMEOUT_MS = 7_000
/** Short, because a statement that waits for a locked table holds its connection. */
const LOCK_TIMEOUT_MS = 4_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000

/**
 * V8 optimises a function of WebAssembly after it has run about so many bytes of it. Prisma's query
 * compiler is WebAssembly: with V8's 13 MB, optimising it took a fifth of the processor time of
 * every start and command, which end before it pays. A server that stays up gets there all the same.
 */
setFlagsFromString('--wasm-tiering-budget=100000000')

type PoolOptions = {
  connectionString: string
  poolSize: number
  onIdleError: (error: Error) => void
  onConnect?: () => void
}

export type Database = {
  db: PrismaClient
  pool: pg.Pool
  /** Cancels every statement and refuses new ones, at the end of the process. */
  interrupt(): void
  close(): Promise<void>
}

/**
 * Opens the one pool that Prisma and hand-written queries share. It connects on first use.
 *
 * @param onIdleError called when an idle connection breaks, as in a restart of Postgres; the pool
 *   replaces the connection
 * @param onConnect called for each new connection
 */
export function openDatabase(options: PoolOptions): Database {
  const pool = openPool(options)
  const db = new PrismaClient({
    adapter: takeLongResultsInTicks(new PrismaPg(pool)),
    errorFormat: 'minimal',
  })
  return {
    db,
    pool,
    interrupt: () => pool.interrupt(),
    async close() {
      await db.$disconnect()
      await pool.end()
    },
  }
}

/**
 * A separate pool for background work, so that requests and background work never wait for each
 * other's connections.
 */
export function openPool({
  connectionString,
  poolSize,
  onIdleError,
  onConnect = () => {},
}: PoolOptions): PatientPool {
  const pool = new PatientPool({
    connectionString,
    max: poolSize,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: 'app-marketplace',
  })
  // A closed pool still reads what Postgres says last, such as that it shuts down, too.
  pool.on('error', (error) => {
    if (!pool.ending) onIdleError(error)
  })
  pool.on('connect', onConnect)
  return pool
}

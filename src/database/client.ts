import { Socket } from 'node:net'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from './generated/client.ts'
import { createMessageSocket } from './message-socket.ts'

const CONNECTION_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 15_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000

/** node-postgres hands over what it knows of the connection, of which its types say nothing. */
function socketOf({ ssl }: { ssl?: unknown }): Socket {
  return ssl ? new Socket() : createMessageSocket()
}

export type Database = { db: PrismaClient; pool: pg.Pool; close(): Promise<void> }

/**
 * Opens one pool that Prisma and the hand-written queries share. Connects on first use.
 *
 * @param onIdleError called when an idle connection breaks, as in a restart of Postgres; the
 *   pool makes a new one by itself
 */
export function openDatabase(options: {
  connectionString: string
  poolSize: number
  onIdleError: (error: Error) => void
}): Database {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: 'app-marketplace',
    stream: socketOf as () => Socket,
  })
  pool.on('error', options.onIdleError)
  const db = new PrismaClient({
    adapter: new PrismaPg(pool),
    errorFormat: 'minimal',
  })
  return {
    db,
    pool,
    async close() {
      await db.$disconnect()
      await pool.end()
    },
  }
}

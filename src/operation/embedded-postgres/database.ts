import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgresError } from './error.ts'
import type { PostgresProcess } from './process.ts'

export const SUPERUSER = 'postgres'
export const DATABASE = 'marketplace'
/** The role of the server and the commands. It owns the database and has no rights beyond it. */
export const ROLE = 'marketplace'

/** Long enough to replay the log after a crash. */
const READY_TIMEOUT_MS = 10 * 60_000
const READY_POLL_MS = 15
const CONNECT_TIMEOUT_MS = 5_000

type UrlOf = (database: string) => string

/**
 * Waits until Postgres takes queries.
 *
 * @param urlOf the address of a database for the superuser
 * @throws EmbeddedPostgresError when it ends, takes too long, or has another password
 */
export async function waitUntilReady(child: PostgresProcess, urlOf: UrlOf): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (child.isRunning() && Date.now() < deadline) {
    const error = await failureOf(() => query(urlOf('postgres'), 'SELECT 1'))
    if (error === undefined) return
    if (error.code === '28P01') {
      throw new EmbeddedPostgresError(
        'The password in postgres.password is not that of the database. Delete that file in the ' +
          'data directory and start again: a new one is made.',
      )
    }
    await sleep(READY_POLL_MS)
  }
  const how = child.isRunning() ? `not ready after ${READY_TIMEOUT_MS / 1000} s` : await child.ended
  throw new EmbeddedPostgresError(
    `Postgres did not start (${how}). Its log ends:\n${child.logTail()}`,
  )
}

/**
 * Makes the database and its owner role if they are missing.
 *
 * @param urlOf the address of a database for the superuser
 * @param password the role's new password: letters and digits
 * @throws EmbeddedPostgresError
 */
export async function prepareDatabase(urlOf: UrlOf, password: string): Promise<void> {
  const error = await failureOf(async () => {
    await query(urlOf('postgres'), makeRole(password))
    const [found] = await query(
      urlOf('postgres'),
      `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`,
    )
    if (found === undefined) {
      await query(urlOf('postgres'), `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`)
    }
  })
  if (error !== undefined) throw new EmbeddedPostgresError(`Postgres: ${error.message}.`)
}

function makeRole(password: string): string {
  return `
    DO $$ BEGIN
      IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${ROLE}') THEN
        CREATE ROLE ${ROLE};
      END IF;
    END $$;
    ALTER ROLE ${ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
      PASSWORD '${password}'`
}

type QueryError = Error & { code?: string }

async function failureOf(work: () => Promise<unknown>): Promise<QueryError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error as QueryError
  }
}

async function query(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

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
 * Makes the database and its owner role if they are missing, and gives the role everything in the
 * database, because earlier releases worked as the superuser.
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
      `SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = '${DATABASE}'`,
    )
    if (found === undefined) {
      await query(urlOf('postgres'), `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`)
    } else if (found.owner !== ROLE) {
      await query(urlOf('postgres'), `ALTER DATABASE ${DATABASE} OWNER TO ${ROLE}`)
    }
    await query(urlOf(DATABASE), OWN_EVERYTHING)
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

/**
 * A column's sequence changes owner with its table; objects of extensions stay with the superuser.
 */
const OWN_EVERYTHING = `
  DO $$ DECLARE statement text; BEGIN
    FOR statement IN
      WITH dependent AS (SELECT classid, objid, deptype FROM pg_depend WHERE deptype IN ('a', 'i', 'e'))
      SELECT format('ALTER TABLE %s OWNER TO ${ROLE}', c.oid::regclass) FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
        AND c.relowner <> '${ROLE}'::regrole
        AND (c.oid, 'pg_class'::regclass) NOT IN (SELECT objid, classid FROM dependent)
      UNION ALL
      SELECT format('ALTER ROUTINE %s OWNER TO ${ROLE}', p.oid::regprocedure) FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND p.proowner <> '${ROLE}'::regrole
        AND (p.oid, 'pg_proc'::regclass) NOT IN (SELECT objid, classid FROM dependent)
      UNION ALL
      SELECT format('ALTER TYPE %s OWNER TO ${ROLE}', t.oid::regtype) FROM pg_type t
      WHERE t.typnamespace = 'public'::regnamespace AND t.typowner <> '${ROLE}'::regrole
        AND t.typtype IN ('e', 'd', 'r')
        AND (t.oid, 'pg_type'::regclass) NOT IN (SELECT objid, classid FROM dependent)
    LOOP EXECUTE statement; END LOOP;
  END $$`

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

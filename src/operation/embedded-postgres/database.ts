import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection } from '../../base/database/single-connection.ts'
import { EmbeddedPostgresError } from './data-directory.ts'
import type { PostgresProcess } from './process.ts'

export const DATABASE = 'marketplace'
/** The role of the server and the commands. It owns the database and has no rights beyond it. */
export const ROLE = 'marketplace'

/** Long enough to replay the log after a crash. */
const READY_TIMEOUT_MS = 10 * 60_000
const READY_POLL_MS = 15
const WRONG_PASSWORD = '28P01'

/**
 * Waits until Postgres takes queries. Ours because the package has no pg_isready.
 *
 * @param url the address of a database for the superuser
 * @throws EmbeddedPostgresError when it ends, takes too long, or has another password
 */
export async function waitUntilReady(child: PostgresProcess, url: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (child.isRunning() && Date.now() < deadline) {
    try {
      const client = await openConnection(url)
      return await client.end()
    } catch (error) {
      if ((error as { cause?: { code?: string } }).cause?.code === WRONG_PASSWORD) {
        throw new EmbeddedPostgresError(
          'The password in postgres.password is not that of the database. Delete that file in ' +
            'the data directory and start again: a new one is made.',
        )
      }
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
 * @param url the address of another database for the superuser
 * @param password the role's new password: letters and digits
 * @throws EmbeddedPostgresError
 */
export async function prepareDatabase(url: string, password: string): Promise<void> {
  const client = await openConnection(url)
  const isThere = async (row: string) => (await client.query(`SELECT FROM ${row}`)).rowCount === 1
  try {
    if (!(await isThere(`pg_roles WHERE rolname = '${ROLE}'`))) {
      await client.query(`CREATE ROLE ${ROLE} LOGIN`)
    }
    await client.query(`ALTER ROLE ${ROLE} PASSWORD '${password}'`)
    if (!(await isThere(`pg_database WHERE datname = '${DATABASE}'`))) {
      await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`)
    }
  } catch (error) {
    throw new EmbeddedPostgresError(`Postgres: ${(error as Error).message}.`)
  } finally {
    await client.end()
  }
}

import pg from 'pg'
import { OperatorError } from '../../errors.ts'
import { reasonOf } from './failures.ts'

const CONNECT_MS = 5_000

/** The database gives no connection; the message is for the operator. */
class NoConnectionError extends OperatorError {}

/**
 * Opens a connection for one command, which the caller ends.
 *
 * @throws NoConnectionError also when the database does not answer
 */
export async function openConnection(
  connectionString: string,
  application_name?: string,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name,
    connectionTimeoutMillis: CONNECT_MS,
  })
  // The running statement fails when the connection breaks; Node ends the process on an 'error'
  // event without a listener.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    throw new NoConnectionError(`The database gives no connection: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}

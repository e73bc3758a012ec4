import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDemoDatabase } from '../setup/database.ts'
import { fastestDirectory } from '../setup/fastest-directory.ts'
import { type ServerProcess, serverProcesses, waitUntil } from '../setup/server-process.ts'

const processes = serverProcesses(await fastestDirectory())
let market: Awaited<ReturnType<typeof createDemoDatabase>>
beforeAll(async () => {
  market = await createDemoDatabase()
})
afterAll(async () => {
  await processes.cleanUp()
  await market.drop()
})

/** Starts a server, and disturbs it when it waits for a table. */
async function startDisturbed(table: string, how: string, WORKERS = '1'): Promise<ServerProcess> {
  const other = new pg.Client({ connectionString: market.url })
  await other.connect()
  await other.query(`BEGIN; LOCK TABLE ${table}`)
  const server = await processes.start({
    env: { DATABASE_URL: market.url, SECRET_KEY: market.secretKey, WORKERS },
  })
  const waiting = `FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  await waitUntil(async () => (await other.query(`SELECT ${how}(pid) ${waiting}`)).rows.length > 0)
  await other.end()
  return server
}

test.each([
  ['signing_keys', 'pg_cancel_backend', '2'],
  ['pgboss.version', 'pg_terminate_backend', '1'],
])('a start that loses %s says so, and to start again', async (table, how, workers) => {
  const server = await startDisturbed(table, how, workers)
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.stderr()).toMatch(
    /^The database of DATABASE_URL cannot be used just now: (canceling statement|terminating connection) due to .*[a-z]\. Start the server again\.\n$/,
  )
})

test('a start that cannot read a hint goes on', async () => {
  const server = await startDisturbed('users', 'pg_cancel_backend')
  await server.ready()
  expect(server.stdout()).toContain('could not look whether the marketplace has an operator')
  await server.end()
})

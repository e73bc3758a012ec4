import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/base/database/client.ts'
import { deadlineIn, withDeadline } from '../../src/base/fair-share/deadline.ts'
import { asSuperuser, cleanUp, start, temporaryDir } from '../setup/embedded-postgres.ts'
import { expectUnavailable } from '../setup/expect-unavailable.ts'

type Postgres = Awaited<ReturnType<typeof start>>

let postgres: Postgres
/** Its synchronous standby is away: whatever is committed waits for it. */
beforeAll(async () => {
  postgres = await start({ dataDir: temporaryDir() })
  const database = open()
  await database.pool.query('CREATE TABLE written (what text)')
  await database.close()
  await asSuperuser(postgres, "ALTER SYSTEM SET synchronous_standby_names = 'away'")
  await asSuperuser(postgres, 'SELECT pg_reload_conf()')
})
afterAll(cleanUp)

const open = () =>
  openDatabase({
    connectionString: postgres.connectionString,
    poolSize: 2,
    onIdleError: () => {},
  })

async function waiting(): Promise<number> {
  const [row] = await asSuperuser(
    postgres,
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
  )
  return row.count
}

/** Alone and in a transaction. */
const writes = ({ pool, db }: Database) => [
  () => pool.query(`INSERT INTO written VALUES ('alone')`),
  () => db.$transaction((tx) => tx.$executeRaw`INSERT INTO written VALUES ('in a transaction')`),
]

test('a write that waits for a synchronous standby is not acknowledged at the end of the server', async () => {
  const database = open()
  const work = writes(database).map((write) => expectUnavailable(write()))
  await expect.poll(waiting).toBe(2)
  database.interrupt()
  await Promise.all(work)
  await database.close()
  await expect.poll(waiting).toBe(0)
})

test('a write that waits for a synchronous standby is not acknowledged at its deadline', async () => {
  const database = open()
  const work = writes(database).map((write) =>
    expectUnavailable(withDeadline(deadlineIn(500), async () => await write())),
  )
  await Promise.all(work)
  await database.close()
  await expect.poll(waiting).toBe(0)
})
